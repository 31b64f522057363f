//! The phases of a node (spec 003): a model is asked what to do, it is done, and what came of it is
//! recorded and remembered.

pub mod artifacts;
pub mod contract;
mod execute;
pub mod fold;
pub mod limits;
pub(crate) mod model;
mod node;
pub mod prompt;
mod story;
mod workspace_plan;

pub use execute::{CommandsRan, Executor, PhaseLog, run_commands_with_logging, words};
pub use model::{CommandModel, Model, ScriptModel};
pub use node::{AskFailure, IDEA_TAG, NodeGiven, NodeOutcome, NodeRun, PhasesError, is_running};
pub use story::{NodeState, NodeStory, PhaseEnded, Stories, UNDONE};
pub use workspace_plan::{Inside, apply_workspace_plan};
