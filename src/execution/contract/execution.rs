//! An execution to be recorded, and what a tool says came of it.

use std::fmt::Display;
use std::process::Output;

use crate::event::ExecutionId;
use crate::parse::check::diagnostic::Diagnostic;

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

/// What a tool's result says of its call. The default is a success of which nothing more is known.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolOutcome {
    pub success: bool,
    pub exit_code: Option<i32>,
    pub stdout: Option<Vec<u8>>,
    pub stderr: Option<Vec<u8>>,
    pub diagnostics: Vec<Diagnostic>,
    pub duration_ms: Option<u64>,
    pub error_message: Option<String>,
    pub changed_files: Vec<ChangedFile>,
}

impl Default for ToolOutcome {
    fn default() -> Self {
        Self {
            success: true,
            exit_code: None,
            stdout: None,
            stderr: None,
            diagnostics: Vec::new(),
            duration_ms: None,
            error_message: None,
            changed_files: Vec::new(),
        }
    }
}

impl ToolOutcome {
    /// A failure with its reason.
    pub fn failed(error_message: impl Into<String>) -> Self {
        Self { success: false, error_message: Some(error_message.into()), ..Self::default() }
    }
}

/// A tool's result that can be recorded: implement it for your own tools' results.
pub trait ToolResult {
    /// What it says of its call.
    fn outcome(&self) -> ToolOutcome;
}

impl ToolResult for ToolOutcome {
    fn outcome(&self) -> ToolOutcome {
        self.clone()
    }
}

/// What was read or found is the tool's own affair: only that it was is recorded.
macro_rules! plain_success {
    ($($result:ty),*) => {$(
        impl ToolResult for $result {
            fn outcome(&self) -> ToolOutcome {
                ToolOutcome::default()
            }
        }
    )*};
}

plain_success!((), str, String, [u8], Vec<u8>, Vec<String>, Vec<std::path::PathBuf>);

/// An external tool: its exit code and what it printed.
impl ToolResult for Output {
    fn outcome(&self) -> ToolOutcome {
        let printed = |bytes: &Vec<u8>| Some(bytes.clone()).filter(|bytes| !bytes.is_empty());
        ToolOutcome {
            success: self.status.success(),
            exit_code: self.status.code(),
            stdout: printed(&self.stdout),
            stderr: printed(&self.stderr),
            error_message: (!self.status.success()).then(|| self.status.to_string()),
            ..ToolOutcome::default()
        }
    }
}

/// An error is a failure with the error's message.
impl<T: ToolResult, E: Display> ToolResult for Result<T, E> {
    fn outcome(&self) -> ToolOutcome {
        match self {
            Ok(result) => result.outcome(),
            Err(error) => ToolOutcome::failed(error.to_string()),
        }
    }
}
