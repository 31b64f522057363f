//! The timeline (spec 001): where an agent stands, what happened, what is still broken.

mod history;
mod memory;
mod text;

use serde::{Serialize, Serializer};

use crate::event::{ExecutionId, Outcome, SessionId, wire};
use crate::execution::closed::is_redacted;
use crate::execution::index::PROJECT;
use crate::execution::query::{ExecutionSummary, QueryError, Stores};
use crate::grounding::fold::{Grounding, GroundingEntry, PendingFailure, named};

pub use history::{LOOPS_MAX, PENDING_MAX, RunPlace};
pub use memory::{AnswerAt, MemoryAnswer, MemoryQuery, MemoryTopic, record_timeline_read};
pub use text::one_line;

pub(crate) use text::is_hidden;

pub const TIMELINE_ITEMS: usize = 10;

type Result<T> = std::result::Result<T, QueryError>;

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TimelineEntry {
    /// Its ordinal, the `142` of `#142`; `None` while it is open, or where its tool is undeclared.
    #[serde(rename = "id")]
    pub execution_id: Option<u64>,
    #[serde(rename = "execution", serialize_with = "wire::text")]
    pub id: ExecutionId,
    /// The closing event's sequence; the start's while it is open.
    pub sequence: u64,
    /// That event's time, Unix milliseconds; in JSON also `at`, in UTC.
    #[serde(flatten, serialize_with = "timestamp_and_at")]
    pub timestamp: u64,
    #[serde(serialize_with = "wire::text_or_null")]
    pub session: Option<SessionId>,
    #[serde(rename = "tool")]
    pub tool_name: String,
    /// What it was about: a path, a symbol, a command.
    #[serde(rename = "path")]
    pub affected_path: Option<String>,
    /// Whether it ran and did what was asked.
    pub success: bool,
    /// `None` while it is open.
    #[serde(serialize_with = "outcome_or_open")]
    pub outcome: Option<Outcome>,
    /// How it ended by what its caller was told, where a check says otherwise.
    pub told: Option<Outcome>,
    /// Its first diagnostic in one line, else its error; `None` where it succeeded.
    #[serde(rename = "error")]
    pub error_summary: Option<String>,
}

fn timestamp_and_at<S: Serializer>(at_ms: &u64, to: S) -> std::result::Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    struct Moment {
        timestamp: u64,
        at: Option<String>,
    }
    Moment { timestamp: *at_ms, at: wire::utc_text(*at_ms) }.serialize(to)
}

fn outcome_or_open<S: Serializer>(
    outcome: &Option<Outcome>,
    to: S,
) -> std::result::Result<S::Ok, S::Error> {
    to.serialize_str(outcome.map_or("open", Outcome::as_str))
}

impl From<ExecutionSummary> for TimelineEntry {
    fn from(row: ExecutionSummary) -> Self {
        let success = row.outcome == Some(Outcome::Ok);
        let why = row.why().map(str::to_owned);
        Self {
            execution_id: row.ordinal,
            id: row.id,
            sequence: row.sequence,
            timestamp: row.at_ms,
            session: row.session,
            tool_name: row.tool,
            success,
            outcome: row.outcome,
            told: row.told,
            affected_path: row.target,
            error_summary: why.filter(|_| !success),
        }
    }
}

impl TimelineEntry {
    fn of(entry: &GroundingEntry, session: SessionId) -> Self {
        Self {
            execution_id: entry.ordinal,
            id: entry.id(),
            sequence: entry.moment.sequence,
            timestamp: entry.moment.at_ms,
            session: Some(session),
            tool_name: entry.tool.clone(),
            success: entry.outcome == Outcome::Ok,
            outcome: Some(entry.outcome),
            told: entry.told,
            affected_path: entry.target.clone(),
            error_summary: entry.error.clone(),
        }
    }

    /// `#142`, or `@4711` where it has no ordinal.
    pub fn name(&self) -> String {
        named(self.execution_id, self.sequence)
    }

    /// Whether how it ended is redacted.
    pub fn is_redacted(&self) -> bool {
        self.outcome == Some(Outcome::Interrupted) && is_redacted(self.error_summary.as_deref())
    }

    /// Spec 001's word for how it ended.
    pub fn status(&self) -> &'static str {
        match self.outcome {
            Some(Outcome::Ok) => "SUCCESS",
            // Whoever called it was told that it went well.
            Some(Outcome::Failed) if self.told == Some(Outcome::Ok) => "FAILED, behind a pipe",
            Some(Outcome::Failed) => "FAILED",
            Some(Outcome::Refused) => "REFUSED",
            Some(Outcome::Interrupted) if self.is_redacted() => "REDACTED",
            Some(Outcome::Interrupted) => "INTERRUPTED",
            None => "RUNNING",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimelineScope {
    /// One session's: the default everywhere (ruling 10).
    Session(SessionId),
    Project,
}

impl TimelineScope {
    pub fn session(self) -> Option<SessionId> {
        match self {
            Self::Session(id) => Some(id),
            Self::Project => None,
        }
    }

    /// Its number in the index; `None` for a session that nothing is known of.
    fn number(self, stores: &Stores) -> Result<Option<i64>> {
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

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct TimelinePosition {
    /// Of whom; `None`: of the whole project.
    #[serde(skip)]
    pub session: Option<SessionId>,
    #[serde(skip)]
    pub through_sequence: u64,
    /// Steps begun; where none was, mutations.
    pub current_step: u64,
    pub total_executions: u64,
    pub last_execution_id: Option<u64>,
    pub last_success: Option<u64>,
    pub last_failure: Option<u64>,
    pub last_execution: Option<TimelineEntry>,
    /// When the timeline was last read, Unix milliseconds; `None`: never.
    #[serde(rename = "last_query", serialize_with = "wire::utc_or_null")]
    pub last_query_ms: Option<u64>,
}

#[derive(Debug, Serialize)]
pub struct PositionAt<'p> {
    #[serde(flatten)]
    position: &'p TimelinePosition,
    time_since_last_query_ms: Option<u64>,
}

impl TimelinePosition {
    pub fn at(&self, now_ms: u64) -> PositionAt<'_> {
        let time_since_last_query_ms = self.time_since_last_query_ms(now_ms);
        PositionAt { position: self, time_since_last_query_ms }
    }
}

/// A failure that no later success of the same tool on the same target has resolved (ruling 10).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FailureRecord {
    #[serde(flatten)]
    pub execution: TimelineEntry,
    /// How often it failed since it last succeeded.
    pub failures: u64,
    /// When the first of these was, Unix milliseconds.
    #[serde(rename = "since", serialize_with = "wire::utc")]
    pub since_ms: u64,
}

/// The same tool on the same target, failing again and again with the same diagnostic.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FailureLoop {
    #[serde(flatten)]
    pub execution: TimelineEntry,
    /// How many in a row, with this diagnostic.
    pub failures: u64,
    /// Ordinals, the oldest first; of many, the newest few.
    pub executions: Vec<u64>,
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

impl TimelineBlock {
    /// The timeline of one session out of its fold, as of the last event that was folded: what a
    /// model is given without a store.
    pub fn of(grounding: &Grounding) -> Self {
        let session = grounding.session();
        let shown = |it: &GroundingEntry| TimelineEntry::of(it, session);
        let last = grounding.recent.iter().next_back();
        let position = TimelinePosition {
            session: Some(session),
            through_sequence: grounding.through().0,
            total_executions: grounding.executions,
            last_execution_id: last.and_then(|it| it.ordinal),
            last_success: grounding.last_ok,
            last_failure: grounding.last_failed,
            current_step: grounding.current_step(),
            last_execution: last.map(shown),
            last_query_ms: grounding.last_read.map(|read| read.at_ms),
        };
        let record = |it: &PendingFailure| FailureRecord {
            execution: shown(&it.last),
            failures: it.failures,
            since_ms: it.since_ms,
        };
        let in_loop = |it: &PendingFailure| FailureLoop {
            execution: shown(&it.last),
            failures: it.same,
            executions: newest(&it.executions, it.same),
        };
        let loops = grounding.pending.iter().rev().filter(|it| it.is_loop()).take(LOOPS_MAX);
        Self {
            position,
            recent: grounding.recent.iter().map(shown).collect(),
            pending: grounding.pending.iter().rev().map(record).collect(),
            loops: loops.map(in_loop).collect(),
        }
    }
}

fn newest(ordinals: &[Option<u64>], count: u64) -> Vec<u64> {
    let count = usize::try_from(count).unwrap_or(usize::MAX);
    ordinals[ordinals.len().saturating_sub(count)..].iter().flatten().copied().collect()
}
