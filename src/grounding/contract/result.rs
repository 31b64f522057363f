//! What became of a step that was done.

use serde_json::Value;

use crate::event::{Change, ExecutionId};
use crate::execution::contract::ChangedFile;
use crate::grounding::tools::{GateNotice, Given, Invocation};
use crate::journal::RecordError;
use crate::parse::diagnostics::Diagnostic;

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

impl ToolInvocation {
    /// The result of a step that ran: what it gave, or why it gave nothing.
    pub(super) fn of(
        invocation: Invocation,
        given: Result<Given, String>,
        id: Option<u64>,
    ) -> Self {
        let Invocation { tool, execution, at_ms, duration_ms, gate, log, .. } = invocation;
        let (given, failed) = match given {
            Ok(given) => (given.clone(), given.failed),
            Err(why) => (Given::default(), Some(why)),
        };
        let text = |text: String| Some(text).filter(|text| !text.is_empty());
        let changed = |file: Change| ChangedFile { path: file.path, created: file.created };
        Self {
            tool,
            execution_id: execution,
            id,
            timestamp: at_ms,
            duration_ms,
            success: failed.is_none(),
            exit_code: given.exit_code,
            stdout: text(given.text),
            stderr: given.stderr.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()),
            error_message: failed,
            diagnostics: given.diagnostics,
            changed_files: given.changed.into_iter().map(changed).collect(),
            structured_data: given.data,
            gate,
            unrecorded: log.err(),
        }
    }
}
