//! An execution in a list.

use crate::event::{ExecutionId, Outcome, SessionId};

/// An execution in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExecutionSummary {
    pub id: ExecutionId,
    /// Its rowid in `execution_log.db`; `None` while open, or where its tool is undeclared.
    pub ordinal: Option<u64>,
    /// The closing event's sequence; the start's while it is open.
    pub sequence: u64,
    /// That event's time.
    pub at_ms: u64,
    pub started_ms: Option<u64>,
    pub session: Option<SessionId>,
    pub agent: Option<String>,
    pub actor: Option<String>,
    pub tool: String,
    pub native_tool: Option<String>,
    pub target: Option<String>,
    pub cwd: Option<String>,
    pub branch: Option<String>,
    /// `None` while it is open.
    pub outcome: Option<Outcome>,
    pub exit_code: Option<i32>,
    pub duration_ms: Option<u64>,
    pub error: Option<String>,
    /// The first diagnostic in one line.
    pub diagnostic: Option<String>,
    pub corrects: Option<ExecutionId>,
    pub corrected_by: Option<ExecutionId>,
}

/// The columns of [`read`], of `executions e` and `sessions s`.
pub(crate) const COLUMNS: &str = "e.id, e.ordinal, e.at_seq, e.at_ms, e.started_ms, s.id, \
     s.agent, e.actor, e.tool, e.native_tool, e.target, e.cwd, e.branch, e.outcome, e.exit_code, \
     e.duration_ms, e.error, e.diagnostic, e.corrects, e.corrected_by";

/// A summary from a row of [`COLUMNS`]: the reader's own error type stays the store's.
macro_rules! read {
    ($row:expr) => {{
        let row = $row;
        let text = |at: usize| row.get::<_, Option<String>>(at);
        $crate::execution::query::ExecutionSummary {
            id: crate::execution::query::execution(&row.get::<_, String>(0)?),
            ordinal: row.get(1)?,
            sequence: row.get(2)?,
            at_ms: row.get(3)?,
            started_ms: row.get(4)?,
            session: text(5)?.as_deref().map(crate::execution::query::session),
            agent: text(6)?.filter(|agent| !agent.is_empty()),
            actor: text(7)?,
            tool: row.get(8)?,
            native_tool: text(9)?,
            target: text(10)?,
            cwd: text(11)?,
            branch: text(12)?,
            outcome: text(13)?.as_deref().and_then(crate::execution::query::outcome),
            exit_code: row.get(14)?,
            duration_ms: row.get(15)?,
            error: text(16)?,
            diagnostic: text(17)?,
            corrects: text(18)?.as_deref().map(crate::execution::query::execution),
            corrected_by: text(19)?.as_deref().map(crate::execution::query::execution),
        }
    }};
}
pub(crate) use read;
