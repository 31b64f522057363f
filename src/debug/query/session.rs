//! A debug session, without its document.

use crate::event::{DebugSessionId, DebugStatus, Sequence};

/// A debug session, without its document. Times are Unix milliseconds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DebugSession {
    pub id: DebugSessionId,
    /// What an imported document called itself, where that was no UUID.
    pub native_id: Option<String>,
    pub file_path: String,
    pub status: DebugStatus,
    pub created_ms: u64,
    pub updated_ms: u64,
    /// How many attempts its document has.
    pub attempts: u64,
    /// Of those, in which something failed.
    pub attempts_failed: u64,
    /// How many patterns were learnt in it.
    pub patterns: u64,
    pub agent: Option<String>,
    pub task_id: Option<String>,
    /// The event that began it.
    pub first: Sequence,
    /// The last event of its own that changed it; what was tried of it elsewhere is none.
    pub last: Sequence,
    /// Whether it is escalated, or was before it ended.
    pub was_escalated: bool,
}
