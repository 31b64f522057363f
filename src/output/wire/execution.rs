//! Executions, as `log` and `show` print them.

use serde::Serialize;
use serde_json::value::RawValue;

/// One execution, as `log` prints it.
#[derive(Clone, Debug, Serialize)]
pub struct Execution {
    /// Which of several journals it is in; `null` where one was asked.
    pub journal: Option<String>,
    /// Its number in `annals log`; `null` while it is open, or where its tool is undeclared.
    pub no: Option<u64>,
    pub execution: String,
    /// Its closing event's sequence, its start's while it is open.
    pub sequence: u64,
    pub session: Option<String>,
    pub agent: Option<String>,
    /// The subagent that called, where it was not the session's main agent.
    pub actor: Option<String>,
    /// When it ended, UTC.
    pub at: Option<String>,
    pub tool: String,
    /// The agent's own name of the tool, where it differs.
    pub native_tool: Option<String>,
    /// `ok`, `failed`, `refused`, `interrupted` or `open`.
    pub outcome: String,
    pub exit_code: Option<i32>,
    pub duration_ms: Option<u64>,
    /// What it worked on, in a few words: a path, a command, a pattern.
    pub target: Option<String>,
    pub error: Option<String>,
    /// The first diagnostic in one line.
    pub diagnostic: Option<String>,
    pub cwd: Option<String>,
    pub branch: Option<String>,
    /// The execution whose row this one corrects.
    pub corrects: Option<String>,
    pub corrected_by: Option<String>,
}

/// One execution in full, as `show` prints it.
#[derive(Debug, Serialize)]
pub struct ExecutionDetail {
    #[serde(flatten)]
    pub execution: Execution,
    /// Its start's sequence; `null` where that was lost.
    pub started_sequence: Option<u64>,
    /// When it began, UTC.
    pub started: Option<String>,
    /// What the clock read when it began and when it ended (`at`), where that was not believed.
    pub raw_started: Option<String>,
    pub raw_at: Option<String>,
    /// The execution that this one ran inside.
    pub parent: Option<String>,
    /// The row's whole `error_message`.
    pub error_message: Option<String>,
    pub paths: Vec<Touched>,
    /// A JSON object.
    pub arguments: Option<Box<RawValue>>,
    pub artifacts: Vec<Artifact>,
}

/// A path, and what the execution had to do with it.
#[derive(Clone, Debug, Serialize)]
pub struct Touched {
    pub path: String,
    /// `named`, `changed` or `created`.
    pub role: String,
}

/// What an execution printed or found.
#[derive(Debug, Serialize)]
pub struct Artifact {
    /// `stdout`, `stderr` or `diagnostics`.
    pub artifact_type: String,
    /// Spec 000's content: `{"text": …}`, or an array of diagnostics.
    pub content: Box<RawValue>,
}
