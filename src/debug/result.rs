//! What an operation on debug memory came to.

use serde::Serialize;

use crate::debug::query::Similar;
use crate::event::{
    DebugDocument, DebugSessionId, DebugStatus, Fix, Sequence, TemplateRef, Verification,
};

/// What an attempt came to.
#[derive(Clone, Debug, PartialEq)]
pub struct AttemptDone {
    pub done: DebugDone,
    /// The attempt's number, from 1.
    pub attempt: u32,
    /// So many may fail before the session is escalated.
    pub attempts_max: u32,
    /// Whether the session was opened for it.
    pub opened: bool,
    /// How the session stands after it.
    pub status: DebugStatus,
    /// So many attempts of the session failed, this one among them.
    pub failed: u64,
    /// Failures that were told, or that the results count besides those told, and are not kept.
    pub left_out: u64,
    /// What it said of the fix before it: the attempt that the fix followed, and whether it helped.
    pub verified: Option<(u32, Verification)>,
    /// What other sessions had that looks like this attempt's failures, the likest first.
    pub similar: Vec<Similar>,
    /// The fix that annals proposes from a known template, and which.
    pub proposed: Option<(Fix, TemplateRef)>,
    /// What the hooks did, in the order in which they ran. None where they were not to run.
    pub hooks: Vec<HookTold>,
}

/// A debug session with everything that it rests on: to be read without this journal, and checked
/// against it.
#[derive(Clone, Debug, Serialize)]
pub struct DebugExport {
    /// `annals/debug-export/v1`
    pub format: &'static str,
    /// UTC, RFC 3339.
    pub exported_at: String,
    pub document: DebugDocument,
    /// Trials of the templates, beside the document, which has no place for them.
    pub effectiveness: serde_json::Value,
    /// The recorded executions of the attempts, with what they printed.
    pub executions: Vec<serde_json::Value>,
    /// Which journal it comes from: its `id`, the `chain` at its `sequence` then, and the sequences of
    /// the session's `first` and `last` events.
    pub journal: serde_json::Value,
}

/// A session that was kept as long as the rules say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExpiredSession {
    pub session: DebugSessionId,
    pub file_path: String,
    /// Unix milliseconds.
    pub updated_ms: u64,
    /// So many were to pass since.
    pub days: u32,
    /// The file that it was archived in first, or would be.
    pub archived: Option<String>,
    /// The file that its escalation left, which stays: `.annals/debug-exports/ID.json`.
    pub left: Option<String>,
}

/// A document that was imported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportedSession {
    pub session: DebugSessionId,
    /// What the document called itself, where that was no UUID.
    pub native_id: Option<String>,
    /// Whether it was there already, just so.
    pub is_known: bool,
    /// Members that the schema does not name (`/executions/0/mood`): they stay in the journal only.
    pub unnamed: Vec<String>,
    /// What else is to be said of it, a sentence each: times that cannot be.
    pub notes: Vec<String>,
}

/// What an import came to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ImportDone {
    /// In the order of the file.
    pub sessions: Vec<ImportedSession>,
    /// The last event; `None` where everything was there already.
    pub sequence: Option<Sequence>,
}

/// What an operation on a debug session came to.
#[derive(Clone, Debug, PartialEq)]
pub struct DebugDone {
    pub session: DebugSessionId,
    /// As it is now.
    pub document: DebugDocument,
    /// The operation's last event; `None` where nothing changed.
    pub sequence: Option<Sequence>,
}

/// What a hook of the contract's schema did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HookTold {
    /// `on_failure.check_similar_past_issues`
    pub hook: String,
    /// What it came to, one line. The same as in the journal's HookRan.
    pub outcome: String,
    /// Why what the settings name for it failed; the recording stands.
    pub failed: Option<String>,
}

/// What the end of a debug session came to.
#[derive(Clone, Debug, PartialEq)]
pub struct CloseDone {
    pub done: DebugDone,
    /// What the hooks did, where it was escalated.
    pub hooks: Vec<HookTold>,
}
