//! Nodes and their phases, as `phases` prints them.

use serde::Serialize;
use serde_json::Value;

/// One node of a search tree.
#[derive(Clone, Debug, Serialize)]
pub struct Node {
    /// Which of several journals it is in; `null` where one was asked.
    pub journal: Option<String>,
    pub run: String,
    pub experiment: String,
    pub node: String,
    /// Its branch of memory.
    pub branch: String,
    pub parent: Option<String>,
    /// `draft`, `debug`, `improve`, `hyperparam_node`, `ablation_node`.
    pub task: String,
    pub stage: String,
    /// The event it began with, and when, UTC.
    pub sequence: u64,
    pub at: Option<String>,
    /// `running` or `abandoned` (`open` where neither can be told), `ok` or `buggy`.
    pub state: &'static str,
    pub metric: Option<String>,
    pub exec_time_ms: Option<u64>,
    pub error: Option<String>,
    /// How often a model was asked.
    pub queries: u64,
    pub phases: Vec<NodePhase>,
}

/// How a phase of a node ended.
#[derive(Clone, Debug, Serialize)]
pub struct NodePhase {
    /// `download`, `coding`, `compile`, `run`.
    pub phase: &'static str,
    pub success: bool,
    pub duration_ms: u64,
    pub executions: u64,
    pub error: Option<String>,
}

/// One node, with what it left.
#[derive(Clone, Debug, Serialize)]
pub struct NodeDetail {
    #[serde(flatten)]
    pub node: Node,
    /// What its plots show.
    pub plots: Option<String>,
    /// `{"constraints", "phase_artifacts"}`; `null` where it has none.
    pub artifacts: Option<Value>,
    /// Each phase's log, in the order of `phases`.
    pub logs: Vec<String>,
    /// The references of each phase's commands, for `annals show`.
    pub commands: Vec<Vec<String>>,
    /// What was asked for besides and could not be done.
    pub notes: Vec<String>,
}

/// What came of running a node.
#[derive(Clone, Debug, Serialize)]
pub struct NodeRan {
    pub run: String,
    pub experiment: String,
    pub node: String,
    pub branch: String,
    pub parent: Option<String>,
    pub task: &'static str,
    pub stage: String,
    pub workspace: String,
    pub is_buggy: bool,
    pub metric: Option<String>,
    pub exec_time_ms: u64,
    pub error: Option<String>,
    pub queries: u64,
    pub phases: Vec<NodePhase>,
    /// What a person is told on standard error.
    pub notes: Vec<String>,
}

/// A text of the prompts.
#[derive(Clone, Debug, Serialize)]
pub struct PromptText {
    pub path: &'static str,
    /// Whether a file of the user's stands in for the built-in text.
    pub changed: bool,
    pub text: String,
}
