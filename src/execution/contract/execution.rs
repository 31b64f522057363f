//! One execution as spec 000 describes it, with the contract's names.

use crate::event::ExecutionId;
use crate::parse::diagnostics::Diagnostic;

/// One execution, finished (spec 000, "Record tool invocations" and "Record outcomes").
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Execution {
    /// A name of the contract, or a declared one (ruling 4).
    pub tool_name: String,
    /// A JSON object; canonicalised when it is recorded.
    pub arguments: String,
    /// Files affected. Where both lists are empty they are read from the arguments.
    pub target_paths: Vec<String>,
    /// Symbols affected.
    pub target_symbols: Vec<String>,
    /// When it ended, Unix milliseconds.
    pub timestamp: u64,
    /// A UUID of version 4 or 7; `None`: a new one.
    pub execution_id: Option<ExecutionId>,
    pub success: bool,
    pub exit_code: Option<i32>,
    pub stdout: Option<Vec<u8>>,
    pub stderr: Option<Vec<u8>>,
    pub diagnostics: Vec<Diagnostic>,
    pub duration_ms: Option<u64>,
    /// Why it failed.
    pub error_message: Option<String>,
    pub changed_files: Vec<ChangedFile>,
}

/// A file that an execution changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangedFile {
    pub path: String,
    /// It did not exist before.
    pub created: bool,
}
