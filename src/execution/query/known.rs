//! What is known of an execution or a session before more is recorded of it.

use crate::event::{ExecutionId, Outcome, SessionId, Source};

/// An execution that has a start, an end, or both.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownExecution {
    pub id: ExecutionId,
    /// The start's sequence; `None` where it was lost.
    pub sequence: Option<u64>,
    /// The sequence of its end.
    pub closed: Option<u64>,
    pub session: Option<SessionId>,
    pub tool: String,
    /// The door its first event came by.
    pub source: Source,
    /// `None` while it is open.
    pub outcome: Option<Outcome>,
    /// Its place in `execution_log.db`, if it has one.
    pub ordinal: Option<u64>,
    pub started_ms: Option<u64>,
    pub closed_ms: Option<u64>,
    pub corrected_by: Option<ExecutionId>,
}

/// A session, with what all its SessionStarted events told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownSession {
    pub agent: String,
    pub native_id: String,
    pub agent_version: Option<String>,
    pub model: Option<String>,
    pub parent: Option<SessionId>,
    pub cwd: Option<String>,
    pub branch: Option<String>,
    pub title: Option<String>,
    /// The last event's time: what the next one may not be behind (I3).
    pub last_ms: u64,
    pub last_seq: u64,
    pub ended: bool,
}
