//! Causal chains, as `trace` prints them.

use serde::Serialize;

use super::Execution;

/// The chain of a file or a symbol.
#[derive(Debug, Serialize)]
pub struct Trace {
    /// `file` or `symbol`.
    pub kind: String,
    /// What was asked about.
    pub name: String,
    /// The diagnostic before which the chain ends.
    pub before: Option<Diagnostic>,
    /// The oldest first.
    pub steps: Vec<TraceStep>,
    /// What to give `--after` for the older steps; `null` where there are none, or several
    /// journals were asked.
    pub next: Option<String>,
}

/// One execution of a chain.
#[derive(Debug, Serialize)]
pub struct TraceStep {
    #[serde(flatten)]
    pub execution: Execution,
    /// Its edges in the graph.
    pub links: Vec<Link>,
    /// It has more edges than are listed.
    pub links_more: bool,
    /// Diagnostics that the check before it on the same target showed and that it no longer did.
    pub cleared: Vec<String>,
}

/// An edge of an execution.
#[derive(Debug, Serialize)]
pub struct Link {
    /// `EXECUTED_ON`, `AFFECTED`, `REFERENCED` or `PRODUCED`.
    pub edge: String,
    /// The edge's operation, change_type, query_type or severity.
    pub word: Option<String>,
    /// `File`, `Symbol`, `diagnostic` or `annals_stub`.
    pub kind: String,
    pub name: String,
    /// What was produced, where a diagnostic was.
    pub diagnostic: Option<Diagnostic>,
}

/// A diagnostic of the graph.
#[derive(Debug, Serialize)]
pub struct Diagnostic {
    /// What `--before` takes: `diagnostic:E0425:0123456789abcdef`.
    pub name: String,
    pub code: Option<String>,
    pub level: String,
    pub file_name: Option<String>,
    pub line_start: Option<u64>,
    pub message: String,
    /// The execution that produced it first.
    pub first_execution: Option<String>,
}

/// Everything around an execution.
#[derive(Debug, Serialize)]
pub struct Around {
    pub execution: Execution,
    pub prompt: Option<Prompt>,
    /// The execution that it ran inside.
    pub parent: Option<Execution>,
    /// What ran inside it, the first 20.
    pub children: Vec<Execution>,
    pub children_more: bool,
    pub corrects: Option<Execution>,
    pub corrected_by: Option<Execution>,
    /// Just before it in its session, in order of time.
    pub before: Vec<Execution>,
    /// Just after it in its session, in order of time.
    pub after: Vec<Execution>,
    pub files: Vec<FileNeighbours>,
    pub files_more: bool,
    pub links: Vec<Link>,
}

/// The prompt that an execution served: its session's last before it began.
#[derive(Debug, Serialize)]
pub struct Prompt {
    pub sequence: u64,
    /// UTC.
    pub at: Option<String>,
    /// Its beginning.
    pub text: String,
}

/// What came before and after an execution on one of its files.
#[derive(Debug, Serialize)]
pub struct FileNeighbours {
    pub path: String,
    /// `named`, `changed` or `created`.
    pub role: String,
    pub before: Vec<Execution>,
    pub after: Vec<Execution>,
}
