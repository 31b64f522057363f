//! Executions, as `log` and `show` print them.

use serde::Serialize;
use serde_json::value::RawValue;

/// One execution, as `log` prints it.
#[derive(Clone, Debug, Serialize)]
pub struct Execution {
    /// Its ordinal; `null` where it has not ended yet.
    pub no: Option<u64>,
    pub execution: String,
    /// Its closing event's sequence.
    pub sequence: Option<u64>,
    pub session: Option<String>,
    /// When it ended, UTC.
    pub at: Option<String>,
    pub tool: String,
    /// The agent's own name of the tool, where it differs.
    pub native_tool: Option<String>,
    /// `ok`, `failed`, `refused` or `interrupted`.
    pub outcome: String,
    pub exit_code: Option<i64>,
    pub duration_ms: Option<u64>,
    pub error: Option<String>,
    /// What it worked on, in a few words: a path, a command, a pattern.
    pub what: Option<String>,
    /// The execution whose row this one corrects.
    pub corrects: Option<String>,
}

/// One execution in full, as `show` prints it.
#[derive(Debug, Serialize)]
pub struct ExecutionDetail {
    #[serde(flatten)]
    pub execution: Execution,
    pub agent: Option<String>,
    /// The agent's own id of the call.
    pub call: Option<String>,
    pub cwd: Option<String>,
    pub paths: Vec<String>,
    pub symbols: Vec<String>,
    /// A JSON object.
    pub arguments: Option<Box<RawValue>>,
    pub artifacts: Vec<Artifact>,
}

/// What an execution printed or found.
#[derive(Debug, Serialize)]
pub struct Artifact {
    /// `stdout`, `stderr` or `diagnostics`.
    pub artifact_type: String,
    pub content: Box<RawValue>,
}
