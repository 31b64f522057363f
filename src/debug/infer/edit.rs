//! What an edit changed, as the arguments of its recorded call tell it.

use serde_json::Value;

use super::{DIFF_BYTES_MAX, FILES_MAX};
use crate::event::Closing;

/// Tools of the contract that change files.
const TOOLS: [&str; 5] = ["file_edit", "file_write", "file_create", "splice_patch", "file_patch"];
/// Under these names calls carry a patch.
const PATCHES: [&str; 4] = ["/patch", "/input", "/command", "/cmd"];

/// An edit that an agent made.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Edit {
    /// When it was done, Unix milliseconds.
    pub at_ms: u64,
    /// As the journal has them.
    pub files: Vec<String>,
    pub added: u64,
    /// `None` where a whole file was written over one that nobody recorded.
    pub removed: Option<u64>,
    /// Lines that went and lines that came, each behind its sign.
    pub diff: String,
    /// The first line that went, and the one that came for it.
    pub first: Option<(String, String)>,
    /// The command that did it, where a shell did.
    pub command: Option<String>,
}

/// Whether calls of this tool change files, and do nothing else.
pub fn is_editor(tool: &str) -> bool {
    TOOLS.contains(&tool)
}

/// Whether calls of this tool, or with this result, change files.
pub fn is_edit(tool: &str, closing: &Closing) -> bool {
    TOOLS.contains(&tool) || !closing.changed.is_empty()
}

impl Edit {
    /// The edit that a call made; `paths` are those that its beginning named.
    pub fn of(at_ms: u64, arguments: &str, paths: &[String], closing: &Closing) -> Self {
        let mut edit = Self { at_ms, removed: Some(0), ..Self::default() };
        let changed = closing.changed.iter().map(|change| &change.path);
        let told = paths.iter().chain(&closing.paths);
        let from: Vec<&String> =
            if closing.changed.is_empty() { told.collect() } else { changed.collect() };
        for path in from {
            if edit.files.len() < FILES_MAX && !edit.files.contains(path) {
                edit.files.push(path.clone());
            }
        }
        // Arguments of any other shape tell of no line.
        let arguments: Value = serde_json::from_str(arguments).unwrap_or_default();
        let is_new = closing.changed.iter().all(|it| it.created) && !closing.changed.is_empty();
        edit.read(&arguments, is_new);
        edit
    }

    fn read(&mut self, arguments: &Value, is_new: bool) {
        let text = |at: &str| arguments.pointer(at).and_then(Value::as_str);
        let file = self.files.first().cloned().unwrap_or_default();
        if let Some(edits) = arguments.pointer("/edits").and_then(Value::as_array) {
            for one in edits {
                self.replaced(&file, one);
            }
        } else if arguments.pointer("/old_string").is_some() {
            self.replaced(&file, arguments);
        } else if let Some(content) = text("/content") {
            self.add(&file, &written(content));
            if !is_new {
                self.removed = None;
            }
        } else if let Some(patch) = PATCHES.iter().find_map(|at| text(at)) {
            of_patch(patch).iter().for_each(|(path, change)| self.add(path, change));
        }
    }

    fn replaced(&mut self, file: &str, one: &Value) {
        let text = |at: &str| one.pointer(at).and_then(Value::as_str).unwrap_or_default();
        self.add(file, &replaced(text("/old_string"), text("/new_string")));
    }

    fn add(&mut self, file: &str, change: &Change<'_>) {
        self.added += change.added.len() as u64;
        self.removed = self.removed.map(|count| count + change.removed.len() as u64);
        if self.first.is_none()
            && let Some(went) = change.removed.first()
        {
            let came = change.added.first().copied().unwrap_or_default();
            self.first = Some((went.trim().to_owned(), came.trim().to_owned()));
        }
        if !file.is_empty() {
            self.line(' ', &format!("{file}:"));
        }
        for (sign, them) in [('-', &change.removed), ('+', &change.added)] {
            them.iter().for_each(|line| self.line(sign, line));
        }
    }

    fn line(&mut self, sign: char, line: &str) {
        if self.diff.len() + line.len() < DIFF_BYTES_MAX {
            self.diff.push(sign);
            self.diff.push_str(line);
            self.diff.push('\n');
        }
    }
}

/// What changed in one place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Change<'t> {
    pub removed: Vec<&'t str>,
    pub added: Vec<&'t str>,
}

/// A text that was put where another one was: the lines that both begin and end with go unsaid.
pub fn replaced<'t>(old: &'t str, new: &'t str) -> Change<'t> {
    let (mut removed, mut added): (Vec<_>, Vec<_>) = (old.lines().collect(), new.lines().collect());
    let alike = removed.iter().zip(&added).take_while(|(old, new)| old == new).count();
    removed.drain(..alike);
    added.drain(..alike);
    while let (Some(old), Some(new)) = (removed.last(), added.last())
        && old == new
    {
        removed.pop();
        added.pop();
    }
    Change { removed, added }
}

/// A file that was written whole.
pub fn written(content: &str) -> Change<'_> {
    Change { removed: Vec::new(), added: content.lines().collect() }
}

/// What a patch changes, a file each; of what is none, nothing. Both Codex's own form
/// (`*** Update File: X`) and a unified one (`+++ b/X`) are read.
pub fn of_patch(text: &str) -> Vec<(&str, Change<'_>)> {
    const FILES: [&str; 4] = ["*** Update File: ", "*** Add File: ", "*** Delete File: ", "+++ "];
    let mut found: Vec<(&str, Change<'_>)> = Vec::new();
    if !text.contains("*** Begin Patch") && !text.contains("\n+++ ") {
        return found;
    }
    for line in text.lines() {
        if let Some(path) = FILES.iter().find_map(|it| line.strip_prefix(it)) {
            let path = path.split('\t').next().unwrap_or(path).trim();
            found.push((path.strip_prefix("b/").unwrap_or(path), Change::default()));
            continue;
        }
        if line.starts_with("--- ") || line.starts_with("*** ") {
            continue;
        }
        let Some((_, change)) = found.last_mut() else { continue };
        if let Some(line) = line.strip_prefix('+') {
            change.added.push(line);
        } else if let Some(line) = line.strip_prefix('-') {
            change.removed.push(line);
        }
    }
    found
}
