//! The timeline (spec 001): where an agent stands, what happened, what is still broken.

mod memory;
mod progress;
mod text;
mod unresolved;

use crate::event::{ExecutionId, Outcome, SessionId};
use crate::execution::index::PROJECT;
use crate::execution::query::summary::{COLUMNS, read};
use crate::execution::query::{
    After, ExecutionSummary, PAGE_ITEMS_MAX, QueryError, Stores, number,
};
use crate::store::Ask;

pub use memory::{MemoryAnswer, MemoryQuery, MemoryTopic};
pub use text::one_line;
pub use unresolved::{LOOPS_MAX, PENDING_MAX};

pub(crate) use text::is_hidden;

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

/// Entries where nobody said how many.
pub const TIMELINE_ITEMS: usize = 10;

impl Stores {
    /// The newest executions that ended, the oldest first: by time, then sequence. Corrections stand
    /// for what they correct. At most [`PAGE_ITEMS_MAX`].
    pub fn get_recent_timeline(
        &self,
        scope: TimelineScope,
        n: usize,
    ) -> Result<Vec<TimelineEntry>, QueryError> {
        self.ended(scope, n, None)
    }

    /// What led up to an execution: the newest before it, the oldest first.
    pub fn get_preceding_context(
        &self,
        scope: TimelineScope,
        before_id: u64,
        n: usize,
    ) -> Result<Vec<TimelineEntry>, QueryError> {
        let before = self.place_of(before_id)?;
        let before = After { at_ms: before.at_ms, sequence: before.sequence };
        self.ended(scope, n, Some(before))
    }

    fn ended(
        &self,
        scope: TimelineScope,
        n: usize,
        before: Option<After>,
    ) -> Result<Vec<TimelineEntry>, QueryError> {
        let Some(session) = scope.number(self)? else { return Ok(Vec::new()) };
        let n = number(n.min(PAGE_ITEMS_MAX) as u64);
        let mut values = vec![Ask::Number(session), n];
        let mut earlier = "";
        if let Some(before) = before {
            values.extend(before.values());
            earlier = " AND (e.at_ms, e.at_seq) < (?3, ?4)";
        }
        let sql = format!(
            "SELECT {COLUMNS} FROM executions e LEFT JOIN sessions s ON s.number = e.session \
             WHERE {} AND e.closed_seq IS NOT NULL AND e.corrected_by IS NULL{earlier} \
             ORDER BY e.at_ms DESC, e.at_seq DESC LIMIT ?2",
            scope.narrowed()
        );
        let found = self.index.answer(&sql, &values, |row| Ok(read!(row)))?;
        Ok(found.into_iter().rev().map(Into::into).collect())
    }
}

/// Whose timeline is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimelineScope {
    /// One session's: the default everywhere (ruling 10).
    Session(SessionId),
    /// Everything that was recorded.
    Project,
}

impl TimelineScope {
    /// The session, where it is one's.
    pub fn session(self) -> Option<SessionId> {
        match self {
            Self::Session(id) => Some(id),
            Self::Project => None,
        }
    }

    /// Its number in the index; `None` for a session that nothing is known of.
    fn number(self, stores: &Stores) -> Result<Option<i64>, QueryError> {
        let Self::Session(id) = self else { return Ok(Some(PROJECT)) };
        let sql = "SELECT number FROM sessions WHERE id = ?1";
        Ok(stores.index.rows(sql, [id.to_string()], |row| row.get(0))?.pop())
    }

    /// Which executions are in it: `?1` is its number.
    fn narrowed(self) -> &'static str {
        match self {
            Self::Session(_) => "e.session = ?1",
            Self::Project => "?1 = -1",
        }
    }
}

/// Where a session, or a project, stands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TimelinePosition {
    /// Of whom; `None`: of the whole project.
    pub session: Option<SessionId>,
    /// The last event that this knows of.
    pub through_sequence: u64,
    /// Executions that ended.
    pub total_executions: u64,
    /// The newest execution's ordinal.
    pub last_execution_id: Option<u64>,
    pub last_success: Option<u64>,
    pub last_failure: Option<u64>,
    /// Steps begun; where none was, mutations.
    pub current_step: u64,
    pub last_execution: Option<TimelineEntry>,
    /// When the timeline was last read, Unix milliseconds; `None`: never.
    pub last_query_ms: Option<u64>,
}

/// What a model is given of the timeline: the header of spec 001, and what it should know.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TimelineBlock {
    pub position: TimelinePosition,
    /// The newest executions, the oldest first.
    pub recent: Vec<TimelineEntry>,
    /// The newest first.
    pub pending: Vec<FailureRecord>,
    pub loops: Vec<FailureLoop>,
}

/// A failure that no later success of the same tool on the same target has resolved (ruling 10).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailureRecord {
    /// The newest of them.
    pub execution: TimelineEntry,
    /// How often it failed since it last succeeded.
    pub failures: u64,
    /// When the first of these was, Unix milliseconds.
    pub since_ms: u64,
}

/// The same tool on the same target, failing again and again with the same diagnostic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailureLoop {
    /// The newest of them.
    pub execution: TimelineEntry,
    /// How many in a row, with this diagnostic.
    pub failures: u64,
    /// Ordinals, the oldest first; of many, the newest few.
    pub executions: Vec<u64>,
}
