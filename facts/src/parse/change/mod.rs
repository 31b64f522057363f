//! What edits change, line by line, and what of that may have ended a failure.
//!
//! One rule for all that learn from endings: [`remedy`] says what of a change counts as a fix, [`is_alike`]
//! whether a fix was tried again.

mod code;
mod files;
mod lines;
mod net;
mod own_test;
mod remedy;
mod silence;
mod tree;

#[cfg(test)]
mod tests;

use serde_json::Value;

pub use files::{is_code, is_prose, name_of};
use lines::{Change, of_patch, replaced, written};
pub use own_test::renamed;
pub use remedy::{FailedBy, FailureKind, is_alike, is_judged, is_named, of_cause, remedy};

/// Under these names calls carry a patch.
const PATCHES: [&str; 4] = ["/patch", "/input", "/command", "/cmd"];

/// One place that an edit changed.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Hunk {
    /// Empty where nobody says it.
    pub file: String,
    pub removed: Vec<String>,
    pub added: Vec<String>,
    /// The file was written whole; what it had held nobody knows.
    pub is_whole: bool,
    /// It was not there before, as far as is known.
    pub is_new: bool,
    /// What a shell ran; which lines that changed nobody knows.
    pub command: Option<String>,
}

impl Hunk {
    fn of(file: &str, change: &Change<'_>) -> Self {
        let owned = |them: &[&str]| them.iter().map(|it| (*it).to_owned()).collect();
        let (removed, added) = (owned(&change.removed), owned(&change.added));
        Self { file: file.to_owned(), removed, added, ..Self::default() }
    }

    pub fn of_command(file: &str, command: &str) -> Self {
        let (file, command) = (file.to_owned(), Some(command.to_owned()));
        Self { file, command, ..Self::default() }
    }

    /// What went and what came, each line behind its sign; lines that stayed go unsaid.
    pub fn lines(&self) -> Vec<(char, &str)> {
        use similar::{Algorithm, DiffTag, capture_diff_slices};
        if let Some(command) = &self.command {
            return command.lines().map(|it| ('$', it)).collect();
        }
        let (old, new) = (&self.removed, &self.added);
        let mut told = Vec::new();
        for op in capture_diff_slices(Algorithm::Myers, old, new) {
            if op.tag() != DiffTag::Equal {
                told.extend(old[op.old_range()].iter().map(|it| ('-', it.as_str())));
                told.extend(new[op.new_range()].iter().map(|it| ('+', it.as_str())));
            }
        }
        told
    }

    /// The lines that came and had not been there.
    pub fn new_lines(&self) -> impl Iterator<Item = &str> {
        self.added.iter().filter(|it| !self.removed.contains(it)).map(String::as_str)
    }

    /// The lines that went for good.
    pub fn old_lines(&self) -> impl Iterator<Item = &str> {
        self.removed.iter().filter(|it| !self.added.contains(it)).map(String::as_str)
    }
}

/// What the arguments of a call that edits say of it, of a file where they name none.
pub fn of_arguments(arguments: &str, file: &str) -> Vec<Hunk> {
    // Arguments of any other shape tell of no line.
    let arguments: Value = serde_json::from_str(arguments).unwrap_or_default();
    let text = |at: &str| arguments.pointer(at).and_then(Value::as_str);
    let replacement = |one: &Value| {
        let text = |at: &str| one.pointer(at).and_then(Value::as_str).unwrap_or_default();
        Hunk::of(file, &replaced(text("/old_string"), text("/new_string")))
    };
    if let Some(edits) = arguments.pointer("/edits").and_then(Value::as_array) {
        return edits.iter().map(replacement).collect();
    }
    if arguments.pointer("/old_string").is_some() {
        return vec![replacement(&arguments)];
    }
    if let Some(content) = text("/content") {
        return vec![Hunk { is_whole: true, ..Hunk::of(file, &written(content)) }];
    }
    let patch = PATCHES.iter().find_map(|at| text(at)).map(of_patch).unwrap_or_default();
    patch.iter().map(|(path, change)| Hunk::of(path, change)).collect()
}

/// What a text that tells a change in lines says of it: ` file:`, then `-` and `+` lines, or `$ command`.
pub fn of_diff(diff: &str) -> Vec<Hunk> {
    let mut found: Vec<Hunk> = Vec::new();
    for line in diff.lines() {
        if let Some(command) = line.strip_prefix("$ ") {
            found.push(Hunk::of_command("", command));
            continue;
        }
        if let Some(file) = line.strip_prefix(' ').and_then(|it| it.strip_suffix(':')) {
            found.push(Hunk { file: file.to_owned(), ..Hunk::default() });
            continue;
        }
        if found.is_empty() {
            found.push(Hunk::default());
        }
        let Some(last) = found.last_mut() else { continue };
        if let Some(line) = line.strip_prefix('-') {
            last.removed.push(line.to_owned());
        } else if let Some(line) = line.strip_prefix('+') {
            last.added.push(line.to_owned());
        }
    }
    found
}
