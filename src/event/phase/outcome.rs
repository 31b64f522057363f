//! How a phase of a node ended.

use bincode::{Decode, Encode};

use super::{NodePlace, PhaseName};
use crate::event::{Content, ExecutionId};

/// A phase did what it was to do.
#[derive(Clone, Debug, PartialEq, Encode, Decode)]
pub struct PhaseCompleted {
    pub place: NodePlace,
    pub phase: PhaseName,
    /// Its log: each command, what it printed, how it ended; of coding the files written.
    pub log: Content,
    pub executions: Vec<ExecutionId>,
    pub duration_ms: u64,
}

/// A phase failed; what is left of the node is not run.
#[derive(Clone, Debug, PartialEq, Encode, Decode)]
pub struct PhaseFailed {
    pub place: NodePlace,
    pub phase: PhaseName,
    pub log: Content,
    pub executions: Vec<ExecutionId>,
    pub duration_ms: u64,
    pub error: String,
}
