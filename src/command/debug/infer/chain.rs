//! Runs of the same tests, from the first that failed till one passes.

use sha2::{Digest, Sha256};

use super::edit::Edit;
use super::limits::{DIFF_BYTES_MAX, FILES_MAX, QUOTED_CHARS_MAX};
use super::run::Run;
use crate::event::{DebugSessionId, ExecutionId, Fix, SessionId};

/// Runs of the same tests in an agent's session, and the edits between them.
#[derive(Clone, Debug)]
pub struct Chain {
    pub session: DebugSessionId,
    /// The agent's session that has them.
    pub of: SessionId,
    pub agent: Option<String>,
    /// What ran the tests.
    pub command: String,
    pub links: Vec<Link>,
}

/// A run, and what was edited after it.
#[derive(Clone, Debug)]
pub struct Link {
    pub run: Run,
    pub edits: Vec<Edit>,
    /// The attempt that it is already.
    pub told: Option<u32>,
}

impl Chain {
    /// The debug session that begins with this run: the same however often it is worked out.
    pub fn id(first: ExecutionId) -> DebugSessionId {
        let mut bytes = [0; 16];
        let text = ["annals debug session", &first.to_string()].join("\0");
        bytes.copy_from_slice(&blake3::hash(text.as_bytes()).as_bytes()[..16]);
        DebugSessionId::derived(bytes)
    }

    /// Whether nothing more belongs to it.
    pub fn is_over(&self) -> bool {
        self.links.last().is_some_and(|link| link.run.is_passed())
    }

    /// The file that it is about: the one that was edited most, else the one that a failure comes from,
    /// else its test's, else
    /// what was run stands for it.
    pub fn file(&self) -> String {
        let mut counts: Vec<(&String, usize)> = Vec::new();
        let edited = self.links.iter().flat_map(|link| &link.edits).flat_map(|edit| &edit.files);
        for file in edited {
            match counts.iter_mut().find(|(known, _)| *known == file) {
                Some((_, count)) => *count += 1,
                None => counts.push((file, 1)),
            }
        }
        let most = counts.iter().map(|(_, count)| *count).max();
        if let Some((file, _)) = counts.iter().find(|(_, count)| Some(*count) == most) {
            return (*file).clone();
        }
        let failures = || self.links.iter().flat_map(|link| &link.run.report.failures);
        let source = failures().find_map(|it| it.source_location.as_ref()?.file.clone());
        let test = || failures().find_map(|it| it.test_file.clone());
        source.or_else(test).unwrap_or_else(|| self.command.clone())
    }

    /// What stands for the code at a run, which nobody recorded: it changes where an edit was made.
    pub fn code_hash(&self, at: usize) -> String {
        let mut hash = Sha256::new();
        hash.update(self.session.to_string());
        for edit in self.links[..at].iter().flat_map(|link| &link.edits) {
            hash.update(edit.files.join("\0"));
            hash.update(&edit.diff);
        }
        let hex: String = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        format!("edits:{hex}")
    }
}

/// What edits came to, as one fix; `None` of no edit. The time is the last one's.
pub fn fix(edits: &[Edit]) -> Option<(u64, Fix)> {
    let last = edits.last()?;
    let mut files: Vec<String> = Vec::new();
    for file in edits.iter().flat_map(|edit| &edit.files) {
        if files.len() < FILES_MAX && !files.contains(file) {
            files.push(file.clone());
        }
    }
    let added: u64 = edits.iter().map(|edit| edit.added).sum();
    let removed = edits.iter().map(|edit| edit.removed).sum::<Option<u64>>();
    let removed = removed.map_or_else(|| "?".to_owned(), |count| count.to_string());
    let mut diff = String::new();
    for edit in edits {
        if diff.len() + edit.diff.len() <= DIFF_BYTES_MAX {
            diff.push_str(&edit.diff);
        }
    }
    let fix = Fix {
        description: description(edits, &files),
        diff_summary: Some(format!("+{added}/-{removed} lines")),
        files_changed: (!files.is_empty()).then_some(files),
        diff: (!diff.is_empty()).then_some(diff),
        verification: None,
    };
    Some((last.at_ms, fix))
}

fn description(edits: &[Edit], files: &[String]) -> String {
    let mut text = match files {
        [] => "Changed files that the journal does not name".to_owned(),
        [one] => format!("Changed {one}"),
        [one, rest @ ..] => format!("Changed {one} and {} more", rest.len()),
    };
    if let Some((went, came)) = edits.iter().find_map(|edit| edit.first.as_ref()) {
        let quoted = |line: &String| line.chars().take(QUOTED_CHARS_MAX).collect::<String>();
        match came.is_empty() {
            true => text.push_str(&format!(": `{}` went", quoted(went))),
            false => text.push_str(&format!(": `{}` became `{}`", quoted(went), quoted(came))),
        }
    }
    text
}
