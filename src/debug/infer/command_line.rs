//! The command line of a call: where it runs, whether it runs tests, what it changes.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::edit::Edit;
use super::{DIFF_BYTES_MAX, FILES_MAX, is_file, joined};
use crate::event::ExecutionStarted;
use crate::event::target::Target;
use crate::grounding::fold::CheckKind;
use crate::parse::shell::Script;
use crate::parse::test_report::TestReportReader;

/// What only looks at what is called as tests are.
const LOOKERS: [&str; 15] = [
    "cat", "grep", "rg", "head", "tail", "less", "sed", "awk", "ls", "find", "echo", "git", "cd",
    "cp", "vi",
];
/// What changes files that it does not name.
const UNNAMING: [&str; 3] = ["git", "patch", "apply_patch"];
/// Modules of Python that run tests.
const MODULES: [&str; 3] = ["pytest", "unittest", "nose2"];

/// The command line of a call.
#[derive(Clone, Debug)]
pub struct CommandLine {
    /// As the agent gave it.
    shown: String,
    /// Without what changes from one attempt to the next.
    pub normal: String,
}

impl CommandLine {
    /// Of a call that has one.
    pub fn of(started: &ExecutionStarted) -> Option<Self> {
        let arguments: Value = serde_json::from_str(&started.arguments.0).ok()?; // else it names none
        let has = |name: &str| arguments.get(name).is_some();
        let target = (has("command") || has("cmd"))
            .then(|| Target::of(&started.arguments.0, &[], &[]))
            .flatten()?;
        Some(Self { shown: target.shown, normal: target.normal })
    }

    /// Where it runs, from where it was begun; and whether it says so whole, by itself.
    pub fn folder(&self, begun_in: &Path) -> (PathBuf, bool) {
        let (mut folder, mut is_whole) = (begun_in.to_owned(), false);
        for named in changes(&self.shown) {
            is_whole |= named.starts_with('/');
            folder = joined(&folder, &named);
        }
        (folder, is_whole)
    }

    /// Whether it says that it runs tests: a known check, `python -B -m pytest`, `./run-tests.sh`.
    pub fn runs_tests(&self) -> bool {
        let is_check = |text: &str| Script::of(text).check(&[]) != CheckKind::None;
        is_check(&self.shown)
            || is_check(&self.normal)
            || runs_module(&self.normal)
            || names_tests(&self.normal)
    }

    /// What a shell changed by it before it ran tests, or without any; `None` where nothing says so.
    /// The files are as the command names them.
    pub fn edit(&self, at_ms: u64) -> Option<Edit> {
        let is_test = |part: &&str| TestReportReader::of(&[part]).runner().is_some();
        let parts: Vec<&str> = match self.runs_tests() {
            true => split(&self.shown).take_while(|part| !is_test(part)).collect(),
            false => vec![&self.shown],
        };
        let parts: Vec<&str> = parts.into_iter().filter(|it| Script::of(it).writes()).collect();
        let words = || parts.iter().flat_map(|part| part.split_whitespace());
        let bare = |word: &str| word.trim_matches(['"', '\'', '>', '(', ')', ';']).to_owned();
        let mut files = Vec::new();
        for word in words().map(bare).filter(|word| is_file(word)) {
            if files.len() < FILES_MAX && !files.contains(&word) {
                files.push(word);
            }
        }
        if files.is_empty() && !words().any(|word| UNNAMING.contains(&word)) {
            return None;
        }
        let command = parts.join("; ").trim().to_owned();
        let end = command.floor_char_boundary(DIFF_BYTES_MAX / 2);
        let diff = format!("$ {}\n", &command[..end]);
        Some(Edit { at_ms, files, diff, command: Some(command), ..Edit::default() })
    }
}

/// The folders that a line changes to before all else, in their order.
fn changes(shown: &str) -> Vec<String> {
    let mut rest = shown.trim();
    let mut words = rest.splitn(3, ' ');
    if let (Some(shell), Some(option), Some(script)) = (words.next(), words.next(), words.next())
        && ["sh", "bash", "zsh", "dash"].contains(&shell.rsplit('/').next().unwrap_or_default())
        && option.starts_with('-')
        && option.ends_with('c')
    {
        rest = script.trim_start_matches(['"', '\'', ' ']);
    }
    rest = rest.trim_start_matches('(');
    let mut found = Vec::new();
    while let Some(behind) = rest.strip_prefix("cd ") {
        let behind = behind.trim_start();
        let (word, after) = match behind.chars().next() {
            Some(quote @ ('"' | '\'')) => behind[1..].split_once(quote).unwrap_or((behind, "")),
            _ => {
                let end = behind.find(|c: char| c.is_whitespace() || ";&|".contains(c));
                behind.split_at(end.unwrap_or(behind.len()))
            }
        };
        // Home, or where it was before: nobody knows where that is.
        if !word.starts_with(['~', '-', '$']) {
            found.push(word.to_owned());
        }
        let after = after.trim_start_matches([' ', '\t']);
        match ["&&", ";", "\n"].iter().find_map(|joint| after.strip_prefix(joint)) {
            Some(after) => rest = after.trim_start(),
            None => break,
        }
    }
    found
}

/// The commands of a line. Where a quote holds what would part them, its pieces say nothing.
fn split(line: &str) -> impl Iterator<Item = &str> {
    line.split(['\n', ';']).flat_map(|it| it.split("&&")).map(str::trim)
}

/// `/opt/bin/python3.12 -B -m pytest`
fn runs_module(command: &str) -> bool {
    let words: Vec<&str> = command.split_whitespace().collect();
    let is_python = |word: &str| {
        let name = word.rsplit('/').next().unwrap_or_default();
        name.starts_with("python") || name.starts_with("pypy")
    };
    words.iter().enumerate().any(|(at, word)| {
        let mut after = words[at + 1..].iter().skip_while(|it| it.starts_with('-') && **it != "-m");
        is_python(word)
            && after.next() == Some(&"-m")
            && after.next().is_some_and(|module| MODULES.contains(module))
    })
}

/// Whether a command that is no known check says that it runs tests (`mise run test`, `./run-tests.sh`),
/// and does not only look at what is called so.
fn names_tests(command: &str) -> bool {
    let mut words = command.split_whitespace();
    let program = words.next().unwrap_or_default();
    let tests = |word: &str| word.starts_with("test") || word.ends_with("tests.sh");
    !LOOKERS.contains(&program) && (words.any(tests) || program.ends_with("tests.sh"))
}
