//! Why a node could not be run, or what became of it could not be recorded.

use std::io;
use std::path::PathBuf;

use crate::command::memory::MemoryError;
use crate::command::phases::StoryError;
use crate::command::phases::prompt::PromptError;
use crate::command::reply::ReplyError;
use crate::command::tool_layer::PlaceError;
use crate::command::{ProjectError, RecordError};
use crate::journal::JournalError;

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
    #[error(
        "node {node:?} is of run {run:?}: nodes are branches of one memory, so give the new one another \
         name"
    )]
    OtherRun { node: String, run: String },
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
