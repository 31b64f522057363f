//! The steps of an audit replay, and what it says at its end.

use serde::Serialize;

use super::Finding;
use crate::event::{Recorded, WithContents};

/// One step.
#[derive(Serialize)]
pub struct Step<'a> {
    /// Which journal it is of, where several were asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub journal: Option<&'a str>,
    /// Its number among the steps shown, from 1.
    pub step: u64,
    /// `event`, `unknown` (a kind that this build does not know), `redacted`, `undecodable` or
    /// `lost`.
    pub what: &'static str,
    /// The event's place; of lost ones the first, where that is known.
    pub sequence: Option<u64>,
    /// Of lost events the last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_sequence: Option<u64>,
    /// Of an event that cannot be shown: its kind, by name where this build knows it, and number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind_number: Option<u16>,
    /// Why it cannot be shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub event: Option<WithContents<'a, Recorded>>,
    /// Of an event that closes an execution: its start's place, and what it was about.
    pub started_sequence: Option<u64>,
    pub target: Option<String>,
    pub added: Added,
    /// The stores as they stand after the step.
    pub stores: Stores,
}

/// What a step added to the stores.
#[derive(Debug, Serialize)]
pub struct Added {
    /// The session's first event.
    pub session: bool,
    /// The execution whose row it made or closed.
    pub execution: Option<String>,
    /// The row of `execution_log.db` that it made, and its artifacts.
    pub row: Option<u64>,
    pub artifacts: Vec<&'static str>,
    /// What it is in `codegraph.db`, as far as the journal alone tells.
    pub graph: Option<Graph>,
    /// It repeats what was recorded before: no row.
    pub repeated: bool,
    /// Its tool is not in the contract's list in force: no row.
    pub undeclared: bool,
    pub lost_start: bool,
    /// Paths and symbols not met before.
    pub files: u64,
    pub symbols: u64,
    /// It is a failure that waits for a success.
    pub pending: bool,
    /// The executions whose failure it resolved.
    pub resolved: Vec<String>,
}

/// An execution in the graph.
#[derive(Debug, Serialize)]
pub struct Graph {
    /// The entity's name: `tool:uuid`.
    pub entity: String,
    pub edges: Vec<Edge>,
}

/// An edge from an execution.
#[derive(Debug, Serialize)]
pub struct Edge {
    /// `EXECUTED_ON`, `AFFECTED`, `REFERENCED` or `PRODUCED`.
    pub edge: &'static str,
    /// The operation, the change, what was asked, or `diagnostic`.
    pub word: &'static str,
    /// A path, a symbol, or a diagnostic's name.
    pub to: String,
}

/// The stores as they stand at a step. A corrected execution counts by its correction alone.
#[derive(Debug, Serialize)]
pub struct Stores {
    pub events: u64,
    pub sessions: u64,
    pub prompts: u64,
    pub calls: u64,
    pub ok: u64,
    pub failed: u64,
    pub refused: u64,
    pub interrupted: u64,
    pub open: u64,
    pub corrected: u64,
    /// Rows of `execution_log.db`, and their artifacts.
    pub rows: u64,
    pub artifacts: u64,
    /// Distinct diagnostics, and edges, of `codegraph.db`.
    pub diagnostics: u64,
    pub edges: u64,
    pub files: u64,
    pub symbols: u64,
    /// Failures without a later success of the same tool on the same target in their session.
    pub pending: u64,
    pub flaws: u64,
    pub tools: u64,
}

/// What a replay says at its end.
#[derive(Debug, Serialize)]
pub struct End {
    /// Always `end`.
    pub what: &'static str,
    pub path: String,
    pub journal: String,
    pub steps: u64,
    /// Whether all that `verify` holds the journal to holds, over the part that was walked.
    pub verified: bool,
    /// Something of it that was durable once is lost or changed.
    pub damaged: bool,
    pub findings: Vec<Finding>,
    /// Findings about other parts of the journal.
    pub findings_elsewhere: u64,
    /// What the disk did not give.
    pub unreadable: Vec<String>,
    pub not_shown: NotShown,
}

/// The records that could not be shown: pairs of first and last sequence. `contents`: events that
/// were shown without contents that lie elsewhere, the first 1000 of `contents_count`.
#[derive(Debug, Serialize)]
pub struct NotShown {
    pub lost: Vec<(u64, u64)>,
    pub undecodable: Vec<(u64, u64)>,
    pub redacted: Vec<(u64, u64)>,
    pub unknown: Vec<(u64, u64)>,
    pub contents: Vec<Absent>,
    pub contents_count: u64,
}

/// An event whose contents could not be brought, and why.
#[derive(Debug, Serialize)]
pub struct Absent {
    pub sequence: u64,
    pub problem: String,
}
