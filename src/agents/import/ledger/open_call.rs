//! A call whose result is still to come.

use crate::event::{Change, ExecutionId, SessionId};

/// A call whose result is still to come.
#[derive(Clone, Debug)]
pub struct OpenCall {
    pub execution: ExecutionId,
    pub tool: String,
    /// The files it changes if it succeeds.
    pub changes: Vec<Change>,
    pub session: Option<SessionId>,
    /// The session's number, where it is one of those the ledger keeps.
    pub number: Option<usize>,
    /// When the transcript says it was called; `None` where it does not.
    pub at_ms: Option<u64>,
    /// Its place among the calls of the command.
    pub order: u64,
}
