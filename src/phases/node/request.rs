//! Which node is to be run, and how.

use std::path::PathBuf;

use crate::event::{Experiment, SessionId};
use crate::phases::prompt::Task;

/// Which node is to be run, and how.
#[derive(Clone, Debug)]
pub struct NodeGiven {
    pub experiment: Experiment,
    /// Its name, and that of its branch of memory.
    pub node: String,
    pub task: Task,
    /// The stage of the search; `None`: the task's own.
    pub stage: Option<String>,
    /// A node that was run before, or a branch of memory.
    pub parent: Option<String>,
    /// The research idea; empty: the nearest that the branch inherits.
    pub idea: String,
    /// The parameter to study, or the part to take away.
    pub variation: String,
    /// What was planned before the first node.
    pub phase0_plan: Option<String>,
    /// `None`: a folder of its own below `.annals/workspaces/`.
    pub workspace: Option<PathBuf>,
    /// The user's home, which is no workspace.
    pub home: Option<PathBuf>,
    /// What the workspace is called where commands run; without an executor another name for it in a
    /// plan, beside its folder's own.
    pub mount: String,
    /// A program and its arguments that run what follows them somewhere else; empty: here.
    pub executor: Vec<String>,
    pub proposal: Proposal,
    /// Whether a model reviews the run, and whether it sums the node up.
    pub review: bool,
    pub summarize: bool,
    /// Plots that a model looks at: paths from the workspace's root.
    pub plots: Vec<String>,
    pub session: Option<SessionId>,
}

/// Where a plan comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proposal {
    /// The model is asked.
    Asked,
    /// A reply that is there already.
    Given(String),
}
