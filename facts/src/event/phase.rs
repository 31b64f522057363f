//! Facts about the phases of a node (spec 003): what a model was asked, what was run, what came out.

use bincode::{Decode, Encode};
use serde::Serialize;

use crate::event::{Body, Content, ExecutionId, Experiment, PromptPlace, words};

/// A node of a search tree began.
#[derive(Clone, Debug, PartialEq, Encode, Decode, Serialize)]
pub struct NodeCreated {
    pub place: NodePlace,
    pub parent: Option<String>,
    /// `draft`, `debug`, `improve`, `hyperparam_node`, `ablation_node`.
    pub task: String,
    pub stage: String,
}

/// A model was asked and answered.
#[derive(Clone, Debug, PartialEq, Encode, Decode, Serialize)]
pub struct ModelQueried {
    #[serde(rename = "place")]
    pub node: NodePlace,
    pub prompt: PromptPlace,
    /// The prompt's sections: JSON, in order.
    pub sections: Content,
    /// What it answered, or printed before it failed.
    pub reply: Content,
    /// What is wrong with the reply, or with the model.
    pub error: Option<String>,
    pub duration_ms: u64,
}

/// What a model proposed to do was read and found sound.
#[derive(Clone, Debug, PartialEq, Encode, Decode, Serialize)]
pub struct ArtifactsAccepted {
    pub place: NodePlace,
    /// `phase_artifacts` and `constraints`: JSON.
    pub artifacts: Content,
}

/// What came of a node.
#[derive(Clone, Debug, PartialEq, Encode, Decode, Serialize)]
pub struct NodeResultRecorded {
    pub place: NodePlace,
    pub is_buggy: bool,
    /// The decimal number that it reached, as it was printed.
    pub metric: Option<String>,
    pub exec_time_ms: u64,
    /// What went wrong.
    pub error: Option<String>,
}

/// Plots were looked at by a model.
#[derive(Clone, Debug, PartialEq, Encode, Decode, Serialize)]
pub struct VlmAnalysisCompleted {
    pub place: NodePlace,
    pub plots: u64,
    pub summary: String,
}

// What every fact about the phases has.

impl Body {
    /// The node it is about; `None` where it is no fact about the phases of one.
    pub fn node_place(&self) -> Option<&NodePlace> {
        match self {
            Self::NodeCreated(fact) => Some(&fact.place),
            Self::ModelQueried(fact) => Some(&fact.node),
            Self::ArtifactsAccepted(fact) => Some(&fact.place),
            Self::PhaseCompleted(fact) => Some(&fact.place),
            Self::PhaseFailed(fact) => Some(&fact.place),
            Self::NodeResultRecorded(fact) => Some(&fact.place),
            Self::VlmAnalysisCompleted(fact) => Some(&fact.place),
            _ => None,
        }
    }

    /// The phase that ended with it.
    pub fn phase(&self) -> Option<PhaseName> {
        match self {
            Self::PhaseCompleted(fact) => Some(fact.phase),
            Self::PhaseFailed(fact) => Some(fact.phase),
            _ => None,
        }
    }
}

/// A phase did what it was to do.
#[derive(Clone, Debug, PartialEq, Encode, Decode, Serialize)]
pub struct PhaseCompleted {
    pub place: NodePlace,
    pub phase: PhaseName,
    /// Its log: each command, what it printed, how it ended; of coding the files written.
    pub log: Content,
    pub executions: Vec<ExecutionId>,
    pub duration_ms: u64,
}

/// A phase failed; what is left of the node is not run.
#[derive(Clone, Debug, PartialEq, Encode, Decode, Serialize)]
pub struct PhaseFailed {
    pub place: NodePlace,
    pub phase: PhaseName,
    pub log: Content,
    pub executions: Vec<ExecutionId>,
    pub duration_ms: u64,
    pub error: String,
}

words! {
    /// A phase of a node. Append-only: the position of a variant is its byte.
    #[derive(Encode, Decode)]
    pub enum PhaseName {
        Download = "download",
        Coding = "coding",
        Compile = "compile",
        Run = "run",
    }
}

/// `experiments/<run>/logs/<index>-<name>/phase_logs/node_<node>/`, and the branch it writes to.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode, Serialize)]
pub struct NodePlace {
    pub experiment: Experiment,
    pub node: String,
    pub branch: String,
}
