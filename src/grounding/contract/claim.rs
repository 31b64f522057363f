//! Claims of success.

use super::ToolInvocation;
use crate::event::tool::is_mutation as is_mutation_tool;
use crate::event::{ExecutionId, GateRule};
use crate::execution::contract as execution_tools;
use crate::execution::contract::ExecutionDb;
use crate::execution::query::Identity;
use crate::grounding::gate::{Claim, Refusal};
use crate::grounding::tools::{Invocation, Step, ToolError, ToolLayer};
use crate::journal::clock::now_ms as current_timestamp_ms;

/// Declares success, in words. Accepted where a check passed after the session's last failure and
/// its last change, and every execution that the words cite exists; what became of it is recorded.
///
/// # Errors
/// [`ExecutionError::UnverifiedSuccess`], [`ExecutionError::UnknownExecution`]; or the journal cannot
/// be read or written.
pub fn declare_success(exec_db: &ExecutionDb, text: &str) -> Result<Claim, ExecutionError> {
    let claim = layer(exec_db)?.claim(text)?;
    match claim.refusal {
        Some(refusal) => Err(refusal.into()),
        None => Ok(claim),
    }
}

/// How long a read of the timeline holds, milliseconds, inclusive (spec 001, ruling 6).
pub const GROUNDING_WINDOW_MS: u64 = 10_000;

/// Does a step if the timeline was read not longer ago than ten seconds before it, or it changes no
/// file. `last_query_time`: when it was last read, Unix milliseconds; `None`: never.
///
/// The step is recorded, and so is a refusal. The project's setting `gate` decides what a refusal
/// does; without one the step is not done.
///
/// # Errors
/// Where it was not done. What ran and failed is a result.
pub fn invoke_tool_with_grounding(
    step: &Step,
    exec_db: &ExecutionDb,
    last_query_time: Option<u64>,
) -> Result<ToolInvocation, ExecutionError> {
    let now = current_timestamp_ms();
    let is_stale = |read: u64| now.saturating_sub(read) > GROUNDING_WINDOW_MS;
    if !is_mutation_tool(&step.tool) || !last_query_time.is_none_or(is_stale) {
        return invoke_tool(step, exec_db);
    }
    let refusal = Refusal {
        rule: GateRule::NoGrounding,
        tool: step.tool.clone(),
        target: None,
        reason: Refusal::NO_GROUNDING.to_owned(),
        required_query: Refusal::TIMELINE_QUERY.to_owned(),
    };
    ended(layer(exec_db)?.invoke_refused(step, refusal)?, exec_db)
}

/// Does a step if the session's record says that the timeline was read in time, by the project's
/// own policy.
///
/// # Errors
/// As [`invoke_tool_with_grounding`].
pub fn invoke_tool_grounded(
    step: &Step,
    exec_db: &ExecutionDb,
) -> Result<ToolInvocation, ExecutionError> {
    ended(layer(exec_db)?.invoke(step), exec_db)
}

/// Does a step whatever was read before it, and records it.
///
/// # Errors
/// Where it was not done: there is no such tool, or what was asked for is not allowed.
pub fn invoke_tool(step: &Step, exec_db: &ExecutionDb) -> Result<ToolInvocation, ExecutionError> {
    ended(layer(exec_db)?.run(step, None), exec_db)
}

/// The tools of the database's project, for its session.
pub(super) fn layer(exec_db: &ExecutionDb) -> Result<ToolLayer<'_>, ExecutionError> {
    Ok(ToolLayer::new(exec_db.project(), exec_db.session_id())?)
}

/// Catches the stores up, and gives what became of the step.
fn ended(
    mut invocation: Invocation,
    exec_db: &ExecutionDb,
) -> Result<ToolInvocation, ExecutionError> {
    if invocation.log.is_ok() {
        // The record stands whatever happens to the stores; the next call heals them.
        drop(exec_db.introduce());
        drop(exec_db.catch_up());
    }
    let tool = invocation.tool.clone();
    match std::mem::replace(&mut invocation.result, Err(ToolError::NoProject)) {
        Err(ToolError::Grounding(refusal)) => Err(refusal.into()),
        Err(ToolError::Unknown { name }) => Err(ExecutionError::ToolNotFound { tool: name }),
        Err(source) if source.is_refusal() => Err(ExecutionError::NotRun { tool, source }),
        given => {
            let id = ordinal(exec_db, invocation.execution);
            let given = given.map_err(|error| error.to_string());
            Ok(ToolInvocation::of(invocation, given, id))
        }
    }
}

/// Its ordinal; `None` where a store lags.
fn ordinal(exec_db: &ExecutionDb, execution: ExecutionId) -> Option<u64> {
    let index = exec_db.root().join(".annals/index.db");
    // What lags is told by `annals status`.
    Identity::open(&index).ok()?.execution_by_id(execution).ok()??.ordinal // lags
}

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
