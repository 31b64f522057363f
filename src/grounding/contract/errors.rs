//! Why a step was not done.

use crate::event::GateRule;
use crate::execution::contract as execution_tools;
use crate::grounding::gate::Refusal;
use crate::grounding::tools::ToolError;

/// Why a step was not done, or a claim not accepted. What ran and failed is no error: its
/// [`ToolInvocation`](super::ToolInvocation) says so.
#[derive(Debug, thiserror::Error)]
pub enum ExecutionError {
    /// Nobody read the timeline before a step that changes files.
    #[error("Grounding required: {reason}")]
    GroundingRequired {
        tool: String,
        reason: String,
        /// What to ask first.
        required_query: String,
    },
    /// The project's policy refuses the step.
    #[error("Refused: {reason}")]
    Refused { tool: String, rule: GateRule, reason: String, required_query: String },
    /// Success was claimed, and no check bears it out.
    #[error("{reason}")]
    UnverifiedSuccess { reason: String, required_query: String },
    /// An execution was cited that does not exist.
    #[error("{reason}")]
    UnknownExecution { reason: String },
    #[error("Tool not found: {tool:?}; `annals tool list` lists what there is")]
    ToolNotFound { tool: String },
    /// What was asked for is not allowed, or means nothing.
    #[error("{tool} was not run: {source}")]
    NotRun { tool: String, source: ToolError },
    #[error(transparent)]
    Tool(#[from] ToolError),
    #[error(transparent)]
    Database(#[from] execution_tools::Error),
}

/// What spec 001's list of files calls the error of a model that acts without a query; its code
/// calls it [`ExecutionError::GroundingRequired`].
pub type NoGrounding = ExecutionError;

impl From<Refusal> for ExecutionError {
    fn from(refusal: Refusal) -> Self {
        let Refusal { rule, tool, reason, required_query, .. } = refusal;
        match rule {
            GateRule::NoGrounding => Self::GroundingRequired { tool, reason, required_query },
            GateRule::UnverifiedSuccess => Self::UnverifiedSuccess { reason, required_query },
            GateRule::UnknownExecution => Self::UnknownExecution { reason },
            GateRule::KnownAntiPattern | GateRule::FailureLoop => {
                Self::Refused { tool, rule, reason, required_query }
            }
        }
    }
}
