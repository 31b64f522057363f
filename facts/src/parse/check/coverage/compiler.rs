//! Compilers that are given their files, and show the faults of those alone.

use super::layer::LINK;
use super::need::is_link_error;
use super::{Coverage, STRICT};
use crate::parse::has_word;

/// Those of C.
const OF_C: &str = "gcc g++ cc c++ clang clang++";
/// Those whose words are files.
const GIVEN_FILES: &str = "gcc g++ cc c++ clang clang++ javac";
/// Options of those of C with a word that chooses nothing that is compiled.
const VALUED: &str = "\
    -I -L -x -l -isystem -iquote -idirafter -isysroot -MF -MT -MQ -T -Xlinker -Xclang -B -z -u -framework";
/// The same, with which other code is built.
const BUILT: &str = "-D -U -include -imacros -target -arch";
/// How the names of files end that are compiled or linked; what is linked from them has others.
const SOURCES: &str = "c cc cpp cxx C m mm s S i ii o obj";

/// Tasks that build all of a project.
const BUILDS: [&str; 6] = ["make", "make all", "make build", "gmake", "gmake all", "gmake build"];

/// Whether a program's words are files that it looks at, and no others.
pub(super) fn is_given_files(program: &str) -> bool {
    has_word(GIVEN_FILES, program)
}

/// Whether nobody knows which files a word stands for.
fn is_any(word: &str) -> bool {
    word.is_empty() || word.starts_with('@') || word.contains(['$', '`', '{', '?', '['])
}

fn is_source(path: &str) -> bool {
    path.rsplit_once('.').is_some_and(|it| has_word(SOURCES, it.1))
}

impl Coverage {
    /// Takes the words of a compiler of C; `false`: it is none.
    pub(super) fn read_c(&mut self, words: &[String]) -> bool {
        if !has_word(OF_C, &self.program) {
            return false;
        }
        let (mut files, mut output, mut warnings) = (Vec::new(), None, Vec::new());
        let mut words = words.iter().map(String::as_str);
        while let Some(word) = words.next() {
            let (option, glued) = word.split_at_checked(2).unwrap_or((word, ""));
            match word {
                "-c" | "-S" | "-fsyntax-only" => self.layers &= !LINK,
                "-E" | "-M" | "-MM" | "-w" => self.narrowed.push(word.to_owned()),
                "-o" => output = words.next(),
                _ if has_word(VALUED, word) => drop(words.next()),
                _ if has_word(BUILT, word) => {
                    self.config.push(format!("{word} {}", words.next().unwrap_or_default()));
                }
                _ if matches!(option, "-D" | "-U") => self.config.push(format!("{option} {glued}")),
                _ if option == "-o" => output = Some(glued),
                _ if ["-std=", "-m", "--target="].iter().any(|it| word.starts_with(it)) => {
                    self.config.push(word.to_owned());
                }
                _ if word.starts_with("-Wno-") => self.narrowed.push(word.to_owned()),
                _ if ["-Wl,", "-Wa,", "-Wp,"].iter().any(|it| word.starts_with(it)) => {}
                _ if option == "-W" || word.starts_with("-pedantic") => warnings.push(word),
                _ if word.starts_with('-') => {}
                _ => files.push(word.to_owned()),
            }
        }
        if warnings.iter().any(|it| it.starts_with("-Werror") || it.ends_with("-errors")) {
            // It fails by each of them.
            self.config.extend(warnings.iter().map(|it| format!("{STRICT}{it}")));
        }
        if self.layers & LINK != 0 {
            files.extend(output.or(Some("a.out")).filter(|it| !is_source(it)).map(str::to_owned));
        }
        self.name_files(files);
        true
    }

    /// The files that a compiler is given: none where any may be among them.
    pub(super) fn name_files(&mut self, files: Vec<String>) {
        if !files.iter().any(|it| is_any(it)) {
            self.places = files;
        }
    }

    /// Of a compiler that failed, what a later one must be given: the files that it was given where the fault lies
    /// in one that they include, and what it was to make where that could not be linked.
    pub(super) fn given(mut self, told: Option<&str>) -> Self {
        if !has_word(OF_C, &self.program) {
            return self;
        }
        if told.is_some_and(is_link_error) {
            self.layers = LINK;
            self.places.retain(|it| !is_source(it));
        }
        self
    }

    pub(super) fn includes(&self, found: Vec<String>) -> Vec<String> {
        let is_given = |it: &String| self.has(it, &self.folder);
        if !has_word(OF_C, &self.program) || self.places.is_empty() || found.iter().all(is_given) {
            return found;
        }
        self.places.iter().filter(|it| is_source(it)).cloned().collect()
    }

    /// Whether it builds the project, with which the compilers are called: `make`.
    pub(super) fn builds_all(&self) -> bool {
        let is_build = BUILDS.contains(&self.program.as_str());
        is_build && self.narrowed.is_empty() && self.config.is_empty()
    }
}
