//! Does an agent's steps.

use super::{ExecutionError, ToolInvocation};
use crate::event::tool::is_mutation as is_mutation_tool;
use crate::event::{ExecutionId, GateRule};
use crate::execution::contract::ExecutionDb;
use crate::execution::query::Identity;
use crate::grounding::gate::Refusal;
use crate::grounding::tools::{Invocation, Step, ToolError, ToolLayer};
use crate::journal::clock::now_ms as current_timestamp_ms;

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
