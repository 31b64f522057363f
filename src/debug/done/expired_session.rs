//! A session that was kept as long as the rules say.

use crate::event::DebugSessionId;

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
