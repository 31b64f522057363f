//! One node of a search tree, from its branch of memory to its result (spec 003, "Phase 1-4 Execution
//! Flow"): branch, prompt, memory, model, phases, result.

mod ask;
mod book;
mod end;
mod ground;
mod run;
mod start;
mod steps;

use std::io;
use std::path::PathBuf;

use serde::Serialize;
use serde_json::Value;

use super::model::ModelFailure;
use super::prompt::{PromptError, Task};
use super::story::{PhaseEnded, StoryError, place_told};
use crate::event::{Experiment, NodePlace, SessionId, wire};
use crate::fault::{Class, Fault, Listing, Remedy, Sorted};
use crate::grounding::tools::PlaceError;
use crate::journal::fault;
use crate::journal::{JournalError, ProjectError, RecordError};
use crate::memory::MemoryError;
use crate::parse::reply::ReplyError;

pub use ask::AskFailure;
pub use book::Remembered;
pub use run::NodeRun;
pub use start::{IDEA_TAG, is_running};

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
    /// A reply that is there already; `None`: the model is asked.
    pub proposal: Option<String>,
    /// Whether a model reviews the run, and whether it sums the node up.
    pub review: bool,
    pub summarize: bool,
    /// Plots that a model looks at: paths from the workspace's root.
    pub plots: Vec<String>,
    pub session: Option<SessionId>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct NodeOutcome {
    #[serde(flatten, serialize_with = "place_told")]
    pub place: NodePlace,
    pub parent: Option<String>,
    pub task: &'static str,
    pub stage: String,
    #[serde(serialize_with = "wire::path")]
    pub workspace: PathBuf,
    pub is_buggy: bool,
    /// The number it reached, as it was printed.
    pub metric: Option<String>,
    pub exec_time_ms: u64,
    pub error: Option<String>,
    /// How often a model was asked.
    pub queries: u64,
    pub phases: Vec<PhaseEnded>,
    /// What was asked for and could not be done, and what else a person wants to know; a line each.
    pub notes: Vec<String>,
}

/// Why a node could not be run, or what became of it could not be recorded. A node that failed is no
/// error: that is its result.
#[derive(Debug, thiserror::Error)]
pub enum PhasesError {
    #[error("{name:?} cannot be the {what}: give 1 to 256 bytes without control characters")]
    Name { what: &'static str, name: String },
    #[error("the artifacts cannot be used: {0}")]
    Artifacts(#[source] ReplyError),
    #[error("there is nothing to run: give --artifacts, --model or --script")]
    NoModel,
    #[error(
        "there is nobody to ask for --review, --summarize or --plot: give --model, --script or \
         --replay-from, or leave them out"
    )]
    NobodyToAsk,
    #[error("--parent {parent:?} is no node of run {run:?} and no branch of memory")]
    UnknownParent { parent: String, run: String },
    #[error("--task {task} needs --parent, a node whose program it goes on with")]
    NoParent { task: &'static str },
    #[error("node {parent:?} of run {run:?} has no program to go on with")]
    NoProgram { parent: String, run: String },
    #[error("node {node:?} of run {run:?} has its result already: give the new one another name")]
    Done { node: String, run: String },
    #[error("node {node:?} of run {run:?} is being run by another process: wait for it to end")]
    Running { node: String, run: String },
    #[error("another node is being begun, and it took too long to wait for: try again")]
    Beginning,
    #[error("the lock of a node could not be taken in {}", path.display())]
    Lock { path: PathBuf, source: io::Error },
    #[error(
        "node {node:?} can have no branch of memory: {branch:?} is that of another node: give the new \
         one another name"
    )]
    BranchTaken { node: String, branch: String },
    #[error(
        "node {node:?} of run {run:?} was interrupted: it has no result and can be run again by the \
         same command"
    )]
    Interrupted { node: String, run: String },
    #[error(
        "{failure}; node {node:?} stays open, with no result: mend the model and run the node again"
    )]
    Unanswered { node: String, failure: ModelFailure },
    #[error(
        "the executor cannot be started: {why}; node {node:?} stays open, with no result: install it \
         or give another --executor, and run the node again"
    )]
    NoExecutor { node: String, why: String },
    #[error(
        "the workspace {} {why}: files of a plan would change what is not theirs; give another folder, \
         or none",
        path.display()
    )]
    Unsafe { path: PathBuf, why: &'static str },
    #[error("the workspace {} could not be made", path.display())]
    Workspace { path: PathBuf, source: io::Error },
    #[error(transparent)]
    Place(#[from] PlaceError),
    #[error(transparent)]
    Prompt(#[from] PromptError),
    #[error(transparent)]
    Memory(#[from] MemoryError),
    #[error(transparent)]
    Record(#[from] RecordError),
    #[error(transparent)]
    Project(#[from] ProjectError),
    #[error(transparent)]
    Story(#[from] StoryError),
    #[error(transparent)]
    Journal(#[from] JournalError),
}

impl Fault for PhasesError {
    fn sorted(&self) -> Sorted {
        match self {
            Self::NoModel | Self::NobodyToAsk => Class::Refused.with(Remedy::ShowRunOptions),
            Self::UnknownParent { .. }
            | Self::NoProgram { .. }
            | Self::Done { .. }
            | Self::BranchTaken { .. } => Class::Refused.with(Remedy::List(Listing::Nodes)),
            Self::Name { .. }
            | Self::Artifacts(_)
            | Self::NoParent { .. }
            | Self::Unsafe { .. }
            | Self::NoExecutor { .. } => Class::Refused.alone(),
            Self::Running { .. } => Class::Locked.with(Remedy::List(Listing::Nodes)),
            Self::Beginning => Class::Locked.alone(),
            Self::Interrupted { .. } => Class::Interrupted.alone(),
            Self::Unanswered { failure, .. } if failure.of_script => Class::Refused.alone(),
            Self::Unanswered { .. } => Class::Io.alone(),
            Self::Lock { source, .. } => fault::of_io(source),
            Self::Place(error) if error.is_refusal() => Class::Refused.alone(),
            Self::Prompt(error) => error.sorted(),
            Self::Memory(error) => error.sorted(),
            Self::Project(error) => error.sorted(),
            Self::Record(error) => error.sorted(),
            error => fault::of_causes(error),
        }
    }
}

/// What a node's steps give.
pub type Result<T, E = PhasesError> = std::result::Result<T, E>;

/// The last line that says `metric: NUMBER`, or is a JSON object with a number under `metric`: the
/// number as it stands there.
pub fn metric_of(printed: &str) -> Option<String> {
    printed.lines().rev().find_map(|line| of_line(line.trim()))
}

fn of_line(line: &str) -> Option<String> {
    if line.starts_with('{') {
        // A line in braces that is no JSON says nothing.
        let value: Value = serde_json::from_str(line).ok()?;
        return value.get("metric").filter(|metric| metric.is_number()).map(Value::to_string);
    }
    let (name, rest) = line.split_at_checked("metric".len())?;
    let rest = rest.trim_start();
    let number = rest.strip_prefix(':').or_else(|| rest.strip_prefix('='))?.trim();
    let is_one = name.eq_ignore_ascii_case("metric") && number.len() <= 64;
    // `inf` and `nan` are numbers to the parser and no result to anybody.
    let finite = number.parse::<f64>().is_ok_and(f64::is_finite);
    (is_one && finite).then(|| number.to_owned())
}

#[cfg(test)]
mod tests;
