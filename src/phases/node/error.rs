//! Why a node could not be run, or what became of it could not be recorded.

use std::io;
use std::path::PathBuf;

use crate::grounding::tools::PlaceError;
use crate::journal::{JournalError, ProjectError, RecordError};
use crate::memory::MemoryError;
use crate::parse::reply::ReplyError;
use crate::phases::prompt::PromptError;
use crate::phases::{ModelFailure, StoryError};

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
    #[error(
        "--parent {parent:?} is no node of run {run:?} and no branch of memory: `annals memory branches` \
         shows those there are"
    )]
    UnknownParent { parent: String, run: String },
    #[error("--task {task} needs --parent, a node whose program it goes on with")]
    NoParent { task: &'static str },
    #[error("node {parent:?} of run {run:?} has no program to go on with: `annals phases list`")]
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
