//! Where a check looks: the one line of sight from the project's root, through the folder that the call ran in
//! and those that its words lead to, to what it names.

use super::PACKAGE;
use crate::parse::has_word;
use crate::parse::shell::Program;

/// Where a call ran, as it was told.
#[derive(Clone, Copy, Debug, Default)]
pub struct Site<'a> {
    /// The project's; empty where it is not known.
    pub root: &'a str,
    /// `None`: the project's root.
    pub cwd: Option<&'a str>,
}

impl Site<'_> {
    /// A folder or a file that is told from where the call ran: from the root where it lies below that, so that
    /// one told without a folder, and one told with the root's, are the same.
    pub fn path_of(&self, path: &str) -> String {
        let told = joined(self.cwd.unwrap_or_default(), path);
        if self.root.is_empty() {
            return told;
        }
        let whole = joined(self.root, &told);
        match whole.strip_prefix(self.root.trim_end_matches('/')) {
            Some("") => String::new(),
            Some(below) if below.starts_with('/') => below[1..].to_owned(),
            _ => whole,
        }
    }
}

/// Programs, and their options that name the folder they look at, or a file in it.
const LEADING: &[(&str, &str)] = &[
    ("env", "-C --chdir"),
    ("sudo doas", "-D --chdir"),
    ("uv", "--directory"),
    ("poetry", "-C --directory -P --project"),
    ("pdm", "-p --project"),
    ("conda mamba micromamba", "--cwd"),
    ("npm", "--prefix -C"),
    ("pnpm", "-C --dir"),
    ("yarn bun", "--cwd"),
    ("make gmake ninja git", "-C --directory"),
    ("go", "-C"),
    ("cargo", "-C --manifest-path"),
    ("mvn mvnw", "-f --file"),
    ("gradle gradlew", "-p --project-dir"),
    ("tox", "-c --conf"),
    ("just", "-d --working-directory"),
    ("task", "-d --dir"),
    ("mise rtx", "-C --cd"),
    ("composer", "-d --working-dir"),
    ("ctest", "--test-dir"),
    ("cmake", "--build"),
    ("swift", "--package-path"),
    ("tsc vue-tsc", "-p --project"),
    ("jest", "--rootDir"),
    ("vitest", "--root -r"),
];
/// Files that a folder has of itself: another one chooses another project.
const OWN_FILES: &str = "\
    Cargo.toml pom.xml build.gradle build.gradle.kts tox.ini setup.cfg pyproject.toml tsconfig.json";

/// A command's words without those that lead to a folder.
#[derive(Debug)]
pub struct Led {
    pub folder: String,
    pub words: Vec<String>,
    /// A file that is not its folder's own.
    pub file: Option<String>,
}

impl Led {
    pub fn of(words: &[String]) -> Self {
        let mut led = Self { folder: String::new(), words: Vec::new(), file: None };
        let program = Program::of(words).map_or(0, |it| words.len() - it.arguments.len() - 1);
        let mut options = "";
        let mut rest = words.iter().enumerate();
        while let Some((at, word)) = rest.next() {
            if at <= program {
                let name = word.rsplit('/').next().unwrap_or_default();
                let own = LEADING.iter().find(|it| has_word(it.0, name));
                let before = if at == program { "" } else { options };
                options = own.map_or(before, |it| it.1);
            }
            if at > program && word == "--" {
                led.words.push(word.clone());
                options = "";
                continue;
            }
            let (option, given) = match word.split_once('=') {
                Some((option, given)) if word.starts_with('-') => (option, Some(given)),
                _ => (word.as_str(), None),
            };
            let glued = |it: &&str| it.len() == 2 && word.len() > 2 && word.starts_with(*it);
            let glued = options.split(' ').find(glued).filter(|it| *it == "-C");
            if option.starts_with('-') && has_word(options, option) {
                match given.or_else(|| rest.next().map(|it| it.1.as_str())) {
                    Some(path) => led.lead(path),
                    None => led.words.push(word.clone()),
                }
            } else if let Some(option) = glued {
                led.lead(&word[option.len()..]);
            } else {
                led.words.push(word.clone());
            }
        }
        led
    }

    fn lead(&mut self, path: &str) {
        let name = path.rsplit('/').next().unwrap_or_default();
        let is_own = has_word(OWN_FILES, name);
        let is_file = [".toml", ".xml", ".json", ".ini", ".cfg", ".kts", ".gradle"];
        let is_file = is_file.iter().any(|it| name.ends_with(it));
        if is_file && !is_own {
            self.file = Some(name.to_owned());
        }
        self.folder = joined(&self.folder, if is_own || is_file { parent(path) } else { path });
    }
}

pub(super) fn is_package(place: &str) -> bool {
    place.starts_with(PACKAGE)
}

pub(super) fn plain(place: &str) -> &str {
    place.strip_suffix("/...").unwrap_or(place)
}

pub(super) fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(parent, _)| parent)
}

/// Whether a path is a folder, or below it. All that is told from the root is below no folder.
pub fn is_below(path: &str, folder: &str) -> bool {
    if folder.is_empty() {
        return !path.starts_with('/') && path != ".." && !path.starts_with("../");
    }
    path.strip_prefix(folder).is_some_and(|it| it.is_empty() || it.starts_with('/'))
}

/// A path from a folder, without `.` and `..`.
pub fn joined(folder: &str, path: &str) -> String {
    let path = path.trim();
    let whole = match path.starts_with('/') || is_package(path) || folder.is_empty() {
        true => path.to_owned(),
        false => format!("{folder}/{path}"),
    };
    let mut parts: Vec<&str> = Vec::new();
    for part in whole.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|it| *it != "..") => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    let root = if whole.starts_with('/') { "/" } else { "" };
    format!("{root}{}", parts.join("/"))
}
