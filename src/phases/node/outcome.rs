//! What came of a node.

use std::path::PathBuf;

use crate::event::{NodePlace, PhaseName};

/// What came of a node.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeOutcome {
    pub place: NodePlace,
    pub parent: Option<String>,
    pub task: &'static str,
    pub stage: String,
    pub workspace: PathBuf,
    /// How often a model was asked.
    pub queries: u64,
    pub phases: Vec<PhaseEnded>,
    pub is_buggy: bool,
    /// The number it reached, as it was printed.
    pub metric: Option<String>,
    /// How long its run took.
    pub exec_time_ms: u64,
    pub error: Option<String>,
    /// What was asked for and could not be done, and what else a person wants to know; a line each.
    pub notes: Vec<String>,
}

/// How a phase ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PhaseEnded {
    pub phase: PhaseName,
    pub duration_ms: u64,
    pub executions: u64,
    pub error: Option<String>,
}
