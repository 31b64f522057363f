//! The growth of a session's transcript: what happened that no hook was told of.

use std::path::PathBuf;

use super::{Firing, HookAgent, HookError};
use crate::agents::import::{Format, SkippedFile, import_transcript};

/// The session's transcript, where there is one.
pub fn path(firing: &Firing<'_>) -> Option<PathBuf> {
    there(firing.input.transcript_path.to_text())
}

/// An agent names the file before it has written the first line of it, or names none.
fn there(named: Option<String>) -> Option<PathBuf> {
    named.map(PathBuf::from).filter(|path| path.is_file())
}

/// Imports what the transcripts that the hook names tell of its session and the journal does not
/// have yet. While the session is `ongoing`, calls without a result are still under way.
///
/// # Errors
/// Where a transcript could not be read, or is none, or the journal not take it.
pub fn import(firing: &Firing<'_>, ongoing: bool) -> Result<(), HookError> {
    let input = firing.input;
    let named = match input.agent_transcript_path.to_text() {
        Some(own) => Some(own),
        None => input.transcript_path.to_text(),
    };
    let Some(path) = there(named) else {
        return Ok(());
    };
    let format = match firing.agent {
        HookAgent::ClaudeCode => Format::ClaudeCode,
        HookAgent::Codex => Format::Codex,
    };
    let report = import_transcript(firing.project, format, &path, firing.native_session, ongoing)?;
    match report.skipped.into_iter().next() {
        Some(SkippedFile { file, reason }) => Err(HookError::NoTranscript { file, reason }),
        None => Ok(()),
    }
}
