//! A debug session's beginning and its ends.

use bincode::{Decode, Encode};

use super::{DebugAuthor, DebugSessionId, DebugStatus};
use crate::event::Json;

/// Work on what is wrong with a file began.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct DebugSessionOpened {
    pub session: DebugSessionId,
    /// The primary file, relative to the project's root with `/`, or as the caller gave it.
    pub file_path: String,
    /// So many failed attempts, and it is escalated: the rule in force when it was opened.
    pub attempts_max: u32,
    pub agent: Option<String>,
    pub task_id: Option<String>,
    /// The iteration of an agent's loop.
    pub ralph_iteration: Option<i64>,
}

/// How a session stands from now on.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct DebugSessionClosed {
    pub session: DebugSessionId,
    /// Any but `in_progress`. `passed` and `failed` are final; attempts may follow on `escalated`.
    pub status: DebugStatus,
    pub by: DebugAuthor,
    pub reason: Option<String>,
}

/// A session's document was kept as long as the rules say: it is in no store any more. The events stay.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct DebugSessionExpired {
    pub session: DebugSessionId,
    /// Its document's `updated_at`, Unix milliseconds, and the days that were to pass since.
    pub updated_ms: u64,
    pub days: u32,
    /// The file that it was archived in first, where it was.
    pub archived: Option<String>,
}

/// A whole document came from elsewhere. One that has the id already is replaced, and one that has expired
/// is there again.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct DebugSessionImported {
    pub session: DebugSessionId,
    /// What the document called itself, where that was no UUID.
    pub native_id: Option<String>,
    /// The document, as it came but for its `session_id`.
    pub document: Json,
}
