//! What the journal has of one node.

use crate::event::{ExecutionId, NodePlace, PhaseName, Sequence};

/// What the journal has of one node.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeStory {
    pub place: NodePlace,
    pub parent: Option<String>,
    pub task: String,
    pub stage: String,
    /// Where it began; the last time, where it was begun again.
    pub created: Sequence,
    /// Unix milliseconds.
    pub created_ms: u64,
    /// How often a model was asked.
    pub queries: u64,
    /// The event that has its artifacts.
    pub artifacts: Option<Sequence>,
    /// In the order they ended.
    pub phases: Vec<PhaseTold>,
    pub result: Option<ResultTold>,
    /// What the plots show.
    pub plots: Option<String>,
    /// What was asked for besides and could not be done.
    pub notes: Vec<String>,
}

/// How a phase ended.
#[derive(Clone, Debug, PartialEq)]
pub struct PhaseTold {
    /// The event that has its log.
    pub sequence: Sequence,
    pub phase: PhaseName,
    pub duration_ms: u64,
    /// Its commands, in order.
    pub executions: Vec<ExecutionId>,
    pub error: Option<String>,
}

/// What came of a node.
#[derive(Clone, Debug, PartialEq)]
pub struct ResultTold {
    pub sequence: Sequence,
    pub is_buggy: bool,
    pub metric: Option<String>,
    pub exec_time_ms: u64,
    pub error: Option<String>,
}
