//! What became of a tool's call, as `tool NAME` prints it.

use serde::Serialize;
use serde_json::Value;

use crate::event::GateMode;
use crate::grounding::tools::{GateNotice, Invocation};
use crate::journal::clock;
use crate::output::time;
use crate::parse::diagnostics::Diagnostic;

/// Of the timeline, this much is given with a refusal.
const BLOCK_CHARS_MAX: usize = 4_000;

/// What became of a tool's call.
#[derive(Debug, Serialize)]
pub struct ToolCalled {
    pub tool: String,
    pub execution: String,
    /// Its number in `annals log`; `null` where it could not be recorded.
    pub no: Option<u64>,
    /// When it ended, UTC.
    pub at: Option<String>,
    /// The same in Unix milliseconds.
    pub timestamp: u64,
    pub duration_ms: u64,
    /// `ok`, `failed` or `refused`.
    pub outcome: &'static str,
    pub success: bool,
    /// Of the program that the tool ran.
    pub exit_code: Option<i32>,
    /// For a model.
    pub text: String,
    /// What is said beside it: that there is more, and how to get it.
    pub note: Option<String>,
    pub error: Option<String>,
    /// The same as the text, for a program; its members depend on the tool.
    pub data: Value,
    pub diagnostics: Vec<Diagnostic>,
    pub changed: Vec<ToolChange>,
    /// What the gate said against it.
    pub gate: Option<ToolGate>,
}

/// A file that the tool changed.
#[derive(Debug, Serialize)]
pub struct ToolChange {
    pub path: String,
    pub created: bool,
}

/// What the gate said against a call.
#[derive(Debug, Serialize)]
pub struct ToolGate {
    /// `observe`, `advise` or `enforce`; under `enforce` the call did not run.
    pub mode: &'static str,
    pub rule: &'static str,
    pub reason: String,
    pub required_query: String,
    /// The timeline that the agent should have read; `null` where the gate only observes.
    pub timeline: Option<String>,
}

impl ToolCalled {
    pub fn of(invocation: &Invocation, no: Option<u64>) -> Self {
        let outcome = invocation.outcome();
        let mut called = Self {
            tool: invocation.tool.clone(),
            execution: invocation.execution.to_string(),
            no,
            at: time::utc(invocation.at_ms),
            timestamp: invocation.at_ms,
            duration_ms: invocation.duration_ms,
            outcome: outcome.as_str(),
            success: outcome == crate::event::Outcome::Ok,
            exit_code: None,
            text: String::new(),
            note: None,
            error: None,
            data: Value::Null,
            diagnostics: Vec::new(),
            changed: Vec::new(),
            gate: invocation.gate.as_ref().map(ToolGate::of),
        };
        match &invocation.result {
            Err(error) => called.error = Some(error.to_string()),
            Ok(given) => {
                called.exit_code = given.exit_code;
                called.text = given.text.clone();
                called.note = given.note.clone();
                called.error = given.failed.clone();
                called.data = given.data.clone();
                called.diagnostics = given.diagnostics.clone();
                let change = |it: &crate::event::Change| ToolChange {
                    path: it.path.clone(),
                    created: it.created,
                };
                called.changed = given.changed.iter().map(change).collect();
            }
        }
        called
    }
}

impl ToolGate {
    fn of(notice: &GateNotice) -> Self {
        let given = notice.mode != GateMode::Observe;
        let now_ms = clock::now_ms();
        Self {
            mode: notice.mode.as_str(),
            rule: notice.refusal.rule.as_str(),
            reason: notice.refusal.reason.clone(),
            required_query: notice.refusal.required_query.clone(),
            timeline: given.then(|| notice.block.text(now_ms, BLOCK_CHARS_MAX, None)),
        }
    }
}
