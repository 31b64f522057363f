//! The program that a simple command runs.

use super::Simple;
use super::prefix::Place;
use crate::parse::has_word;

/// Options before a subcommand that take a word of their own: of any program, and of these.
pub(super) const VERB_VALUED: &str =
    "-C --color --config -Z --prefix -f -c --dir --manifest-path --directory";
pub(super) const OWN_VALUED: [(&str, &str); 4] = [
    ("npm pnpm yarn bun", "-w --workspace --filter -F --cwd"),
    ("gradle gradlew", "-p --project-dir -I -b"),
    ("mvn mvnw", "-pl -s -P"),
    ("just task", "-d -t --justfile --working-directory"),
];
/// Programs that are given several goals, of which cleaning is none.
const MAKERS: &str = "make gmake gradle gradlew mvn mvnw";
/// A program's name without its folder, and its arguments.
pub struct Program<'a> {
    pub name: &'a str,
    pub arguments: &'a [String],
}

impl<'a> Program<'a> {
    pub fn of(words: &'a [String]) -> Option<Self> {
        Some(Self::at(words, Place::of(words)?))
    }

    pub fn at(words: &'a [String], place: Place) -> Self {
        let name = name_of(&words[place.at]);
        let bare = name.rsplit(':').next().filter(|_| place.is_hatch);
        Self { name: bare.unwrap_or(name), arguments: &words[place.at + 1..] }
    }

    /// Whether it runs as often as there is input for it: `xargs` runs it not once where there is none.
    pub fn is_fed(words: &'a [String]) -> bool {
        Place::of(words).is_some_and(|it| it.is_fed(words))
    }

    /// The first argument that is no option: a subcommand.
    pub fn verb(&self) -> Option<&'a str> {
        let (mut skip, mut clean) = (false, None);
        let is_own_valued =
            |it| OWN_VALUED.iter().any(|own| has_word(own.1, it) && has_word(own.0, self.name));
        for argument in self.arguments.iter().map(String::as_str) {
            match argument {
                // All of those begin so.
                _ if argument.starts_with('-')
                    && (has_word(VERB_VALUED, argument) || is_own_valued(argument)) =>
                {
                    skip = true;
                }
                _ if std::mem::take(&mut skip) => {}
                "workspace" if self.name == "yarn" => skip = true,
                "workspaces" | "foreach" if self.name == "yarn" => {}
                "hack" if self.name == "cargo" => {}
                _ if argument.starts_with(['-', '+']) || is_assignment(argument) => {}
                // `make -j 8 test`
                _ if argument.bytes().all(|it| it.is_ascii_digit()) => {}
                _ if argument.ends_with("clean") && has_word(MAKERS, self.name) => {
                    clean = Some(argument);
                }
                // `:app:test`
                _ if self.name.starts_with("gradle") => return argument.rsplit(':').next(),
                _ => return Some(argument),
            }
        }
        clean
    }

    pub fn has(&self, option: &str) -> bool {
        self.arguments.iter().any(|argument| argument == option)
    }

    /// Whether one of its short options, alone or with others, is this letter: `-pi.bak`.
    pub fn has_letter(&self, letter: char) -> bool {
        let short = |it: &&String| it.starts_with('-') && !it.starts_with("--");
        self.arguments.iter().filter(short).any(|it| it.contains(letter))
    }

    pub fn operands(&self) -> impl Iterator<Item = &'a str> {
        self.arguments.iter().map(String::as_str).filter(|it| !it.starts_with('-'))
    }
}

impl Simple {
    /// What it runs.
    pub fn program(&self) -> Option<Program<'_>> {
        self.place.map(|it| Program::at(&self.words, it))
    }

    pub fn is_fed(&self) -> bool {
        self.place.is_some_and(|it| it.is_fed(&self.words))
    }
}

/// The script of `bash -lc SCRIPT`, and of `eval SCRIPT`, with what its options set.
pub(super) fn script(program: &Program<'_>) -> Option<String> {
    let Program { name, arguments } = *program;
    let ends = |it: &String, end: &str| it.starts_with('-') && it.ends_with(end);
    let at = match name {
        "sh" | "bash" | "zsh" | "dash" | "ksh" | "fish" | "su" => {
            arguments.iter().position(|it| !it.starts_with("--") && ends(it, "c"))?
        }
        "nix-shell" => arguments.iter().position(|it| it == "--run" || it == "--command")?,
        "eval" => return Some(arguments.join(" ")),
        _ => return None,
    };
    let script = arguments.get(at + 1)?;
    let options = arguments[..=at].iter().map(|it| it.trim_end_matches('c'));
    let is_set = |it: &&str| {
        let letters = it.strip_prefix('-').filter(|it| !it.starts_with('-'));
        *it == "pipefail" || letters.is_some_and(|it| it.contains(['e', 'o']))
    };
    let set: Vec<&str> = options.filter(|it| name != "su" && is_set(it)).collect();
    let set = if set.is_empty() { String::new() } else { format!("set {}; ", set.join(" ")) };
    Some(set + script)
}

/// The here-document that a shell runs as its script.
pub(super) fn shell_given<'g>(program: &Program<'_>, given: &'g str) -> Option<&'g str> {
    let is_shell = ["sh", "bash", "zsh", "dash", "fish"].contains(&program.name);
    (is_shell && !given.is_empty()).then_some(given)
}

pub(super) fn name_of(word: &str) -> &str {
    let name = memchr::memrchr(b'/', word.as_bytes()).map_or(word, |at| &word[at + 1..]);
    let script = name.rsplit_once('.').filter(|_| word.contains("node_modules/"));
    let mut name = script.map_or(name, |(name, _)| name);
    while let Some(bare) = name.strip_suffix(".exe") {
        name = bare;
    }
    name
}

/// `NAME=value` before a command.
pub(super) fn is_assignment(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty()
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
            && !name.starts_with(|first: char| first.is_ascii_digit())
    })
}
