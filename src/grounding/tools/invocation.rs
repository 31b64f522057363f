//! What became of a step.

use super::{GateNotice, Given, ToolError};
use crate::event::{ExecutionId, Outcome};
use crate::journal::{RecordError, RecordReport};

/// What became of a step.
#[derive(Debug)]
pub struct Invocation {
    pub tool: String,
    pub execution: ExecutionId,
    /// When it ended, Unix milliseconds.
    pub at_ms: u64,
    pub duration_ms: u64,
    pub result: Result<Given, ToolError>,
    /// What the gate said against it.
    pub gate: Option<GateNotice>,
    /// What happened to the log; never a reason to treat the result otherwise.
    pub log: Result<RecordReport, RecordError>,
}

impl Invocation {
    /// How it ended: as it is recorded.
    pub fn outcome(&self) -> Outcome {
        outcome(&self.result)
    }
}

/// How a tool's call ended.
pub(super) fn outcome(result: &Result<Given, ToolError>) -> Outcome {
    match result {
        Ok(given) if given.failed.is_none() => Outcome::Ok,
        Err(error) if error.is_refusal() => Outcome::Refused,
        Ok(_) | Err(_) => Outcome::Failed,
    }
}
