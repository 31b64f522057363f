//! One execution on the timeline.

use crate::event::{ExecutionId, Outcome, SessionId};
use crate::execution::query::ExecutionSummary;

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

impl From<ExecutionSummary> for TimelineEntry {
    fn from(row: ExecutionSummary) -> Self {
        let success = row.outcome == Some(Outcome::Ok);
        let why = row.diagnostic.or(row.error);
        Self {
            execution_id: row.ordinal,
            id: row.id,
            sequence: row.sequence,
            timestamp: row.at_ms,
            session: row.session,
            tool_name: row.tool,
            success,
            outcome: row.outcome,
            affected_path: row.target,
            error_summary: why.filter(|_| !success),
        }
    }
}

impl TimelineEntry {
    /// `#142`, or `@4711` where it has no ordinal.
    pub fn name(&self) -> String {
        match self.execution_id {
            Some(ordinal) => format!("#{ordinal}"),
            None => format!("@{}", self.sequence),
        }
    }

    /// Spec 001's word for how it ended.
    pub fn status(&self) -> &'static str {
        match self.outcome {
            Some(Outcome::Ok) => "SUCCESS",
            Some(Outcome::Failed) => "FAILED",
            Some(Outcome::Refused) => "REFUSED",
            Some(Outcome::Interrupted) => "INTERRUPTED",
            None => "RUNNING",
        }
    }
}
