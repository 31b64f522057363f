//! A node as the journal tells it, and as it is listed.

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use crate::event::{ExecutionId, NodePlace, PhaseName, Sequence, wire, words};

/// What the journal has of one node, as it is listed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct NodeStory {
    #[serde(flatten, serialize_with = "place_told")]
    pub place: NodePlace,
    pub parent: Option<String>,
    pub task: String,
    pub stage: String,
    /// Where it began; the last time, where it was begun again.
    #[serde(rename = "sequence")]
    pub created: Sequence,
    #[serde(rename = "at", serialize_with = "wire::utc")]
    pub created_ms: u64,
    pub state: NodeState,
    pub metric: Option<String>,
    /// How long its run took; `None` while it has no result.
    pub exec_time_ms: Option<u64>,
    pub error: Option<String>,
    /// How often a model was asked.
    pub queries: u64,
    /// In the order they ended.
    pub phases: Vec<PhaseEnded>,
    /// The event that has its artifacts.
    #[serde(skip)]
    pub artifacts: Option<Sequence>,
    /// What the plots show.
    #[serde(skip)]
    pub plots: Option<String>,
    /// What was asked for besides and could not be done.
    #[serde(skip)]
    pub notes: Vec<String>,
}

words! {
    /// Where a node stands. Of one without a result the journal says only that it is open; whoever sees
    /// the locks can tell whether it is running or abandoned.
    pub enum NodeState {
        Open = "open",
        Running = "running",
        Abandoned = "abandoned",
        Ok = "ok",
        Buggy = "buggy",
    }
}

impl NodeState {
    pub fn has_result(self) -> bool {
        matches!(self, Self::Ok | Self::Buggy)
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PhaseEnded {
    /// The event that has its log, where that was recorded before.
    #[serde(skip)]
    pub sequence: Option<Sequence>,
    pub phase: PhaseName,
    pub success: bool,
    pub duration_ms: u64,
    /// Its commands, in order; counted where they are listed.
    #[serde(serialize_with = "counted")]
    pub executions: Vec<ExecutionId>,
    pub error: Option<String>,
}

impl PhaseEnded {
    pub fn of(
        phase: PhaseName,
        duration_ms: u64,
        executions: Vec<ExecutionId>,
        error: Option<String>,
    ) -> Self {
        let success = error.is_none();
        Self { sequence: None, phase, success, duration_ms, executions, error }
    }
}

/// A node's place among others, for `#[serde(flatten)]`.
pub fn place_told<S: Serializer>(place: &NodePlace, to: S) -> Result<S::Ok, S::Error> {
    let mut told = to.serialize_map(Some(4))?;
    told.serialize_entry("run", &place.experiment.run)?;
    told.serialize_entry("experiment", &place.experiment.name)?;
    told.serialize_entry("node", &place.node)?;
    told.serialize_entry("branch", &place.branch)?;
    told.end()
}

fn counted<S: Serializer>(executions: &[ExecutionId], to: S) -> Result<S::Ok, S::Error> {
    to.serialize_u64(executions.len() as u64)
}
