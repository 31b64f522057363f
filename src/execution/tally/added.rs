//! What one event added to the stores.

use super::GraphAdded;
use crate::event::{ExecutionId, Sequence};

/// What one event added to the stores.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Added {
    /// The execution whose row it made or closed: of a repeated start or end, the first's.
    pub execution: Option<ExecutionId>,
    /// Of an event that closes an execution: that execution's start, and what it was about, in one
    /// line.
    pub start: Option<Sequence>,
    pub target: Option<String>,
    /// It is the session's first event.
    pub session: bool,
    /// Its row in `execution_log.db`: the execution's ordinal.
    pub row: Option<u64>,
    /// That row's artifacts.
    pub artifacts: Vec<&'static str>,
    /// What it is in `codegraph.db`.
    pub graph: Option<GraphAdded>,
    /// It repeats a start or an end that was there before: the first counts.
    pub repeated: bool,
    /// Its tool is not in the contract's list in force: no row.
    pub undeclared: bool,
    /// The start of what it closes is not in the journal.
    pub lost_start: bool,
    /// Paths and symbols not met before.
    pub files: u64,
    pub symbols: u64,
    /// It is a failure that waits for a success.
    pub pending: bool,
    /// The pending failures that it resolved.
    pub resolved: Vec<ExecutionId>,
}
