//! Steps of a session: a turn of the agent, or what a workflow calls one.

use bincode::{Decode, Encode};

/// A step began.
#[derive(Clone, Debug, PartialEq, Encode, Decode)]
pub struct StepBegun {
    pub title: Option<String>,
}

/// A step ended: what happened between its two marks, told from the journal's own events.
#[derive(Clone, Debug, PartialEq, Encode, Decode)]
pub struct StepEnded {
    /// The sequence of its [`StepBegun`]; `None` where it was never marked.
    pub began: Option<u64>,
    pub executions: u64,
    pub failed: u64,
    pub refused: u64,
    pub mutations: u64,
    pub checks_passed: u64,
    /// Files that were changed, in order, each once.
    pub changed: Vec<String>,
    /// What is still to be done: pending failures, in one line each.
    pub follow_up: Vec<String>,
    /// All of it in a few lines.
    pub summary: String,
}
