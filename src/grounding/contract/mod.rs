//! Spec 001's own code under its own names: an agent's steps, done only once the timeline was read.
//!
//! ```
//! use annals::execution_engine::{
//!     ExecutionError, Step, current_timestamp_ms, invoke_tool_with_grounding,
//! };
//! use annals::execution_tools::ExecutionDb;
//!
//! # let dir = tempfile::tempdir()?;
//! # let path = dir.path();
//! let exec_db = ExecutionDb::initialize(path)?;
//! let arguments = serde_json::json!({"path": "notes.md", "content": "read first\n"});
//! let step = Step::new("file_create", &arguments)?;
//!
//! // Nobody read the timeline before.
//! let refused = invoke_tool_with_grounding(&step, &exec_db, None);
//! assert!(matches!(refused, Err(ExecutionError::GroundingRequired { .. })));
//!
//! let last_query_time = Some(current_timestamp_ms());
//! let made = invoke_tool_with_grounding(&step, &exec_db, last_query_time)?;
//! assert!(made.success);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`invoke_tool_grounded`] takes the last read from the session's record instead, where
//! `memory_query` puts it: a program need not keep count.

pub(crate) mod timeline;

use serde_json::Value;

use crate::event::{Change, ExecutionId, GateRule};
use crate::execution::contract as execution_tools;
use crate::execution::contract::{ChangedFile, ExecutionDb};
use crate::execution::query::Identity;
use crate::grounding::tools::{Given, Invocation, ToolLayer};
use crate::journal::RecordError;
use crate::parse::check::diagnostic::Diagnostic;

pub use crate::event::tool::is_mutation as is_mutation_tool;
pub use crate::grounding::gate::{Claim, Refusal};
pub use crate::grounding::timeline::{TimelineBlock, TimelineEntry, TimelinePosition};
pub use crate::grounding::tools::{GateNotice, Step, TOOLS, ToolError, ToolSpec};
pub use crate::journal::clock::now_ms as current_timestamp_ms;

/// Puts the timeline's position before a prompt, as of now (spec 001, "Prompt Engineering").
pub fn inject_timeline_context(prompt: &str, position: &TimelinePosition) -> String {
    position.before(prompt, current_timestamp_ms())
}

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
    ended(layer(exec_db)?.invoke_refused(step, Refusal::no_grounding(&step.tool))?, exec_db)
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

fn layer(exec_db: &ExecutionDb) -> Result<ToolLayer<'_>, ExecutionError> {
    Ok(ToolLayer::new(exec_db.project(), exec_db.session_id())?)
}

fn ended(invocation: Invocation, exec_db: &ExecutionDb) -> Result<ToolInvocation, ExecutionError> {
    let Invocation { tool, execution, at_ms, duration_ms, result, gate, log } = invocation;
    if log.is_ok() {
        // The record stands whatever happens to the stores; the next call heals them.
        drop(exec_db.introduce());
        drop(exec_db.catch_up());
    }
    let given = match result {
        Ok(given) => given,
        Err(ToolError::Grounding(refusal)) => return Err(refusal.into()),
        Err(ToolError::Unknown { name }) => {
            return Err(ExecutionError::ToolNotFound { tool: name });
        }
        Err(source) if source.is_refusal() => return Err(ExecutionError::NotRun { tool, source }),
        Err(error) => Given::from(&error),
    };
    let changed = |file: Change| ChangedFile { path: file.path, created: file.created };
    Ok(ToolInvocation {
        tool,
        execution_id: execution,
        id: ordinal(exec_db, execution),
        timestamp: at_ms,
        duration_ms,
        success: given.failed.is_none(),
        exit_code: given.exit_code,
        stdout: Some(given.text).filter(|text| !text.is_empty()),
        stderr: given.stderr.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()),
        error_message: given.failed,
        diagnostics: given.diagnostics,
        changed_files: given.changed.into_iter().map(changed).collect(),
        structured_data: given.data,
        gate,
        unrecorded: log.err(),
    })
}

/// Its ordinal; `None` where a store lags.
fn ordinal(exec_db: &ExecutionDb, execution: ExecutionId) -> Option<u64> {
    let index = exec_db.root().join(".annals/index.db");
    // What lags is told by `annals status`.
    Identity::open(&index).ok()?.execution_by_id(execution).ok()??.ordinal // lags
}

/// Why a step was not done, or a claim not accepted. What ran and failed is no error: its
/// [`ToolInvocation`] says so.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
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
    #[error("Tool not found: {tool:?}")]
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

/// What became of a step that was done, with the execution it is recorded as.
#[derive(Debug)]
pub struct ToolInvocation {
    pub tool: String,
    pub execution_id: ExecutionId,
    /// Its ordinal, the `142` of `#142`; `None` where it could not be recorded, or a store lags.
    pub id: Option<u64>,
    /// When it ended, Unix milliseconds.
    pub timestamp: u64,
    pub duration_ms: u64,
    /// It did what was asked.
    pub success: bool,
    pub exit_code: Option<i32>,
    /// What it gives a model.
    pub stdout: Option<String>,
    pub stderr: Option<String>,
    pub error_message: Option<String>,
    pub diagnostics: Vec<Diagnostic>,
    pub changed_files: Vec<ChangedFile>,
    /// What it gives a program; null where the text is all there is.
    pub structured_data: Value,
    /// What the gate said against it, where the project's gate lets such steps pass.
    pub gate: Option<GateNotice>,
    /// Why it is not recorded. The result stands.
    pub unrecorded: Option<RecordError>,
}
