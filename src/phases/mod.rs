//! The phases of a node (spec 003): a model is asked what to do, it is done, and what came of it is
//! recorded and remembered.

pub mod artifacts;
mod execute;
pub mod fold;
mod journal;
pub mod limits;
mod model;
mod node;
pub mod prompt;
mod story;
pub mod text;
mod workspace_plan;

pub use crate::phases::fold::log_place;
pub use execute::{CommandRan, CommandsRan, Executor, PhaseLog, run_commands_with_logging, words};
pub use journal::stories;
pub use model::{
    CommandModel, Model, ModelFailure, Question, ScriptError, ScriptModel, ScriptedReply,
};
pub use node::{
    AskFailure, Book, IDEA_TAG, NodeGiven, NodeOutcome, NodeRun, PhaseEnded, PhasesError, Proposal,
    Remembered, component, is_running, metric_of,
};
pub use story::{NodeStory, PhaseTold, ResultTold, Stories, StoryError, UNDONE};
pub use workspace_plan::{Inside, WorkspaceError, Written, apply_workspace_plan};
