//! The phases of a node (spec 003): a model is asked what to do, it is done, and what came of it is
//! recorded and remembered.

pub mod artifacts;
mod execute;
pub mod fold;
mod journal;
pub mod limits;
pub(crate) mod model;
mod node;
pub mod prompt;
mod story;
pub mod text;
mod workspace_plan;

pub use execute::{CommandsRan, Executor, PhaseLog, run_commands_with_logging, words};
pub use journal::stories;
pub use model::{CommandModel, Model, ModelFailure, ScriptError, ScriptModel};
pub use node::{
    AskFailure, IDEA_TAG, NodeGiven, NodeOutcome, NodeRun, PhaseEnded, PhasesError, Proposal,
    is_running,
};
pub use story::{NodeStory, PhaseTold, Stories, StoryError, UNDONE};
pub use workspace_plan::{Inside, apply_workspace_plan};
