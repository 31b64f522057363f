//! Questions about executions, sessions and anomalies. Nothing here writes.

pub(crate) mod around;
pub mod check_runs;
pub(crate) mod checks;
pub(crate) mod code_graph;
pub(crate) mod commits;
mod cost;
pub mod diff;
pub(crate) mod error;
pub(crate) mod execution;
pub(crate) mod executions;
pub mod export;
pub mod exported;
pub(crate) mod identity;
mod known;
pub(crate) mod log;
pub(crate) mod mentions;
pub(crate) mod met;
pub(crate) mod narrowed;
mod next_check;
pub(crate) mod patterns;
pub(crate) mod recurring;
pub(crate) mod resolutions;
pub(crate) mod stats;
mod stores;
pub(crate) mod trace;
mod trees;
mod trials;

use std::fmt;
use std::str::FromStr;

use crate::store::Ask;

pub use around::Around;
pub use checks::{CheckState, RUNS_MAX};
pub use code_graph::{
    ChainStep, CodeGraph, CodeReference, CodeSymbol, EdgeType, ExecutionChain, FileTouch,
    GraphDiagnostic, KIND_EXECUTION, Link,
};
pub use commits::Commit;
pub use cost::Cost;
pub use error::QueryError;
pub(crate) use execution::ended;
pub use execution::{ExecutionDetail, ExecutionSummary, PathRole, Reference};
pub use executions::ExecutionQuery;
pub use identity::{Identity, IndexedRow, KnownExecution, KnownSession};
pub use log::LogFilter;
pub use mentions::Mentions;
pub use met::{Met, below};
pub use patterns::{Action, Pattern, PatternQuery};
pub use resolutions::{Candidate, Resolution, ResolutionQuery};
pub use stats::{Often, Slow, StatsBy, Totals};
pub use stores::{Counts, SessionFilter, SessionSummary, StoredAnomaly, Stores};
pub use trace::{Trace, TraceStep};
pub use trees::Trees;
pub use trials::Trials;

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

/// Conditions in SQL with the values for their marks: no value ever becomes part of the SQL.
#[derive(Clone, Debug, Default)]
pub(crate) struct Asked {
    pub sql: String,
    pub values: Vec<Ask>,
}

impl Asked {
    /// Adds a piece of SQL; `?1` in it stands for the first of the values, `?2` for the second.
    pub fn push(&mut self, sql: &str, values: impl IntoIterator<Item = Ask>) {
        let before = self.values.len();
        self.values.extend(values);
        let mut pieces = sql.split('?');
        self.sql.push_str(pieces.next().unwrap_or_default());
        for piece in pieces {
            let digits = piece.find(|c: char| !c.is_ascii_digit()).unwrap_or(piece.len());
            let (own, rest) = piece.split_at(digits);
            self.sql.push('?');
            match own.parse::<usize>() {
                Ok(own) => self.sql.push_str(&(before + own).to_string()),
                Err(_) => self.sql.push_str(own),
            }
            self.sql.push_str(rest);
        }
    }

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

pub(crate) fn text(value: &str) -> Ask {
    Ask::Text(value.to_owned())
}

/// A part of an answer.
///
/// An answer is read in bounded steps: a page may have fewer items than were asked for, even none,
/// where much had to be looked through to find them. Only `next: None` says that there are no more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page<T> {
    pub items: Vec<T>,
    /// What to give `page` for the items that follow; `None` where there are none.
    pub next: Option<After>,
}

/// Items of a page where nobody said how many.
pub const PAGE_ITEMS: usize = 20;
pub const PAGE_ITEMS_MAX: usize = 1_000;

/// Which page is asked for: so many items, after the place where the last one ended.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Paging {
    pub limit: usize,
    pub after: Option<After>,
}

impl Paging {
    pub fn of(limit: usize, after: Option<After>) -> Self {
        Self { limit: limit.clamp(1, PAGE_ITEMS_MAX), after }
    }
}

impl Default for Paging {
    fn default() -> Self {
        Self::of(PAGE_ITEMS, None)
    }
}

impl<T> Page<T> {
    pub(crate) fn empty() -> Self {
        Self { items: Vec::new(), next: None }
    }
}

#[cfg(test)]
mod tests;
