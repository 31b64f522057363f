//! A debug session that an agent's session told of.

use crate::event::{DebugSessionId, DebugStatus, Sequence, SessionId};

/// A debug session that was worked out of an agent's session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inferred {
    pub session: DebugSessionId,
    /// The agent's session that told of it.
    pub of: SessionId,
    pub file_path: String,
    /// What ran the tests.
    pub command: String,
    pub status: DebugStatus,
    /// Attempts and fixes that were recorded now.
    pub attempts: u32,
    pub fixes: u32,
    /// Attempts that it has altogether.
    pub attempts_all: u32,
    /// The last event; `None` where nothing was recorded, or nothing was to be.
    pub sequence: Option<Sequence>,
}
