//! Questions about executions, sessions and anomalies. Nothing here writes.

pub(crate) mod action;
pub(crate) mod anomalies;
pub(crate) mod around;
pub(crate) mod code_graph;
pub(crate) mod counted;
pub(crate) mod counts;
pub(crate) mod error;
pub(crate) mod executions;
pub mod export;
pub(crate) mod file_outcome;
pub(crate) mod filter;
pub(crate) mod identity;
pub(crate) mod log_filter;
pub(crate) mod mentions;
pub(crate) mod names;
pub(crate) mod patterns;
pub(crate) mod recurring;
pub(crate) mod reference;
pub(crate) mod resolutions;
pub(crate) mod sessions;
pub(crate) mod show;
pub(crate) mod stores;
pub(crate) mod summary;
pub(crate) mod trace;

use std::fmt;
use std::str::FromStr;

use crate::event::{ExecutionId, Outcome, SessionId, Source};
use crate::store::Ask;
use summary::{COLUMNS, read};

pub use action::Action;
pub use anomalies::StoredAnomaly;
pub use around::Around;
pub use code_graph::{
    ChainStep, CodeGraph, CodeReference, CodeSymbol, DiagnosticId, EdgeType, ExecutionChain,
    FileTouch, GraphDiagnostic, KIND_EXECUTION, Link,
};
pub use counted::IndexedRow;
pub use counts::Counts;
pub use error::QueryError;
pub use executions::ExecutionQuery;
pub use file_outcome::FileOutcome;
pub use identity::Identity;
pub use log_filter::LogFilter;
pub use mentions::Mentions;
pub use patterns::{Pattern, PatternQuery};
pub use recurring::Recurring;
pub use reference::Reference;
pub use resolutions::{Candidate, Resolution, ResolutionQuery};
pub use sessions::{SessionFilter, SessionSummary};
pub use show::{ExecutionDetail, PathRole};
pub use stores::Stores;
pub use summary::ExecutionSummary;
pub use trace::{Trace, TraceQuery, TraceStep};

/// Where a page ended. As text `1766534400000:4711`; what it means is the query's own affair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct After {
    /// The item's time, Unix milliseconds.
    pub at_ms: u64,
    /// Its sequence, which tells items of one millisecond apart.
    pub sequence: u64,
}

impl After {
    /// What SQL compares with `(at_ms, at_seq)`.
    pub(crate) fn values(self) -> [Ask; 2] {
        [number(self.at_ms), number(self.sequence)]
    }
}

/// A number as SQLite holds it.
pub(crate) fn number(value: u64) -> Ask {
    Ask::Number(i64::try_from(value).unwrap_or(i64::MAX))
}

impl fmt::Display for After {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.at_ms, self.sequence)
    }
}

impl FromStr for After {
    type Err = QueryError;

    fn from_str(text: &str) -> Result<Self, QueryError> {
        let read = || {
            let (at_ms, sequence) = text.split_once(':')?;
            Some(Self { at_ms: at_ms.parse().ok()?, sequence: sequence.parse().ok()? })
        };
        read().ok_or_else(|| QueryError::NoCursor { text: text.to_owned() })
    }
}

/// A part of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogPage {
    /// The oldest first.
    pub executions: Vec<ExecutionSummary>,
    /// Whether there are older ones.
    pub more: bool,
}

const FROM: &str = "FROM executions e LEFT JOIN sessions s ON s.number = e.session";

impl Stores {
    /// The newest executions that a filter lets through, the oldest of them first.
    pub fn log(&self, filter: &LogFilter) -> Result<LogPage, QueryError> {
        let (conditions, mut values) = filter.conditions();
        let limit = values.len() + 1;
        let sql = format!(
            "SELECT {COLUMNS} {FROM} WHERE {conditions} ORDER BY e.at_ms DESC, e.at_seq DESC \
             LIMIT ?{limit} OFFSET ?{}",
            limit + 1
        );
        let number = |count: usize| Ask::Number(i64::try_from(count).unwrap_or(i64::MAX));
        values.extend([number(filter.last.saturating_add(1)), number(filter.skip)]);
        let mut executions = self.index.answer(&sql, &values, |row| Ok(read!(row)))?;
        let more = executions.len() > filter.last;
        executions.truncate(filter.last);
        executions.reverse();
        Ok(LogPage { executions, more })
    }

    /// How many executions a filter lets through, `last` and `skip` aside.
    pub fn log_count(&self, filter: &LogFilter) -> Result<u64, QueryError> {
        let (conditions, values) = filter.conditions();
        let sql = format!("SELECT count(*) {FROM} WHERE {conditions}");
        Ok(self.index.answer(&sql, &values, |row| row.get(0))?.pop().unwrap_or(0))
    }
}

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

/// Conditions in SQL with the values for their marks: no value ever becomes part of the SQL.
#[derive(Clone, Debug, Default)]
pub(crate) struct Asked {
    pub sql: String,
    pub values: Vec<Ask>,
}

impl Asked {
    /// Adds a piece of SQL; each `?#` in it stands for the next of the values.
    pub fn push(&mut self, sql: &str, values: impl IntoIterator<Item = Ask>) {
        let mut values = values.into_iter();
        let mut pieces = sql.split("?#");
        self.sql.push_str(pieces.next().unwrap_or_default());
        for piece in pieces {
            self.values.extend(values.next());
            self.sql.push_str(&format!("?{}{piece}", self.values.len()));
        }
    }

    /// Adds a condition.
    pub fn and(&mut self, sql: &str, values: impl IntoIterator<Item = Ask>) {
        self.sql.push_str(" AND ");
        self.push(sql, values);
    }
}

/// A list of numbers for `IN (…)`.
pub(crate) fn list(numbers: &[i64]) -> String {
    let texts: Vec<String> = numbers.iter().map(i64::to_string).collect();
    texts.join(",")
}

/// A text to ask with.
pub(crate) fn text(value: &str) -> Ask {
    Ask::Text(value.to_owned())
}

/// A stored execution id. The stores hold whatever sixteen bytes the journal does.
pub(crate) fn execution(text: &str) -> ExecutionId {
    ExecutionId(session(text).0)
}

/// A stored session id; zeros where the file was changed by hand.
pub(crate) fn session(text: &str) -> SessionId {
    SessionId::parse(text).unwrap_or(SessionId([0; 16]))
}

pub(crate) fn outcome(text: &str) -> Option<Outcome> {
    [Outcome::Ok, Outcome::Failed, Outcome::Refused, Outcome::Interrupted]
        .into_iter()
        .find(|outcome| outcome.as_str() == text)
}

pub(crate) fn source(text: &str) -> Source {
    match text {
        "hook" => Source::Hook,
        "import" => Source::Import,
        "annals" => Source::Annals,
        _ => Source::Live,
    }
}

/// A part of an answer.
///
/// An answer is read in bounded steps: a page may have fewer items than were asked for, even none,
/// where much had to be looked through to find them. Only `next: None` says that there are no more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page<T> {
    /// In the query's order.
    pub items: Vec<T>,
    /// What to give `page` for the items that follow; `None` where there are none.
    pub next: Option<After>,
}

/// Items of a page where nobody said how many.
pub const PAGE_ITEMS: usize = 20;
/// Items of a page at most.
pub const PAGE_ITEMS_MAX: usize = 1_000;

impl<T> Page<T> {
    /// Nothing, and nothing that follows.
    pub(crate) fn empty() -> Self {
        Self { items: Vec::new(), next: None }
    }
}

#[cfg(test)]
mod tests;
