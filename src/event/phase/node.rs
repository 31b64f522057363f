//! Facts about a node.

use bincode::{Decode, Encode};

use super::NodePlace;
use crate::event::{Content, PromptPlace};

/// A node of a search tree began.
#[derive(Clone, Debug, PartialEq, Encode, Decode)]
pub struct NodeCreated {
    pub place: NodePlace,
    pub parent: Option<String>,
    /// `draft`, `debug`, `improve`, `hyperparam_node`, `ablation_node`.
    pub task: String,
    pub stage: String,
}

/// A model was asked and answered.
#[derive(Clone, Debug, PartialEq, Encode, Decode)]
pub struct ModelQueried {
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
#[derive(Clone, Debug, PartialEq, Encode, Decode)]
pub struct ArtifactsAccepted {
    pub place: NodePlace,
    /// `phase_artifacts` and `constraints`: JSON.
    pub artifacts: Content,
}

/// What came of a node.
#[derive(Clone, Debug, PartialEq, Encode, Decode)]
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
#[derive(Clone, Debug, PartialEq, Encode, Decode)]
pub struct VlmAnalysisCompleted {
    pub place: NodePlace,
    pub plots: u64,
    pub summary: String,
}
