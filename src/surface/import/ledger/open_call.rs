//! A call whose result is still to come.

use crate::event::{ExecutionId, SessionId};

/// A call whose result is still to come.
#[derive(Clone, Debug)]
pub struct OpenCall {
    pub execution: ExecutionId,
    pub tool: String,
    /// The agent's own name of the tool, where it is one that starts subagents or writes files.
    pub writes_whole: bool,
    pub starts_subagents: bool,
    /// The file it changes, where it changes one.
    pub changes: Option<String>,
    pub session: Option<SessionId>,
    /// When the transcript says it was called; `None` where it does not.
    pub at_ms: Option<u64>,
    /// Its place among the calls of the command.
    pub order: u64,
}
