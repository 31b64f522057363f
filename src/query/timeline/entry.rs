//! One execution on the timeline.

use crate::event::{ExecutionId, Outcome, SessionId};

/// One execution on the timeline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimelineEntry {
    /// Its ordinal, the `142` of `#142`; `None` while it is open, or where its tool is undeclared.
    pub execution_id: Option<u64>,
    pub id: ExecutionId,
    /// The closing event's sequence; the start's while it is open.
    pub sequence: u64,
    /// That event's time, Unix milliseconds.
    pub timestamp: u64,
    pub session: Option<SessionId>,
    pub tool_name: String,
    /// Whether it ran and did what was asked.
    pub success: bool,
    /// `None` while it is open.
    pub outcome: Option<Outcome>,
    /// What it was about: a path, a symbol, a command.
    pub affected_path: Option<String>,
    /// Its first diagnostic in one line, else its error; `None` where it succeeded.
    pub error_summary: Option<String>,
}
