//! The entities that are ours: executions, diagnostics, and stubs for what the graph does not know; and the
//! edges that an execution may have. No other edge can be written: each begins at the execution that is
//! written with it, and none of these leads to one.

use serde_json::Value;

use super::FileKey;

/// The kinds of entity that are ours, and only these.
pub const KINDS: [&str; 3] = [EXECUTION, DIAGNOSTIC, STUB];
pub(super) const EXECUTION: &str = "execution";
pub(super) const DIAGNOSTIC: &str = "diagnostic";
pub(super) const STUB: &str = "annals_stub";

/// Hex digits of a diagnostic's identity in its name.
const IDENTITY_DIGITS: usize = 16;

/// An execution's entity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExecutionNode<'a> {
    /// A name that can be declared: plain characters only.
    pub tool: &'a str,
    /// A UUID's text.
    pub execution_id: &'a str,
    pub timestamp_ms: i64,
    pub success: bool,
}

impl ExecutionNode<'_> {
    pub(super) fn name(&self) -> String {
        format!("{}:{}", self.tool, self.execution_id)
    }

    /// Exactly the contract's four keys.
    pub(super) fn data(&self) -> String {
        format!(
            r#"{{"tool":"{}","timestamp":{},"success":{},"execution_id":"{}"}}"#,
            self.tool, self.timestamp_ms, self.success, self.execution_id
        )
    }
}

/// A diagnostic's entity: one for each distinct content (ruling 9).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiagnosticNode {
    /// blake3 of all the rest.
    pub identity: [u8; 32],
    pub code: Option<String>,
    pub level: String,
    /// As the compiler named it.
    pub file_name: Option<String>,
    pub line_start: Option<u32>,
    pub message: String,
}

impl DiagnosticNode {
    /// `diagnostic:E0425:0123456789abcdef`
    pub fn name(&self) -> String {
        let word = self.code.as_deref().unwrap_or(&self.level);
        let identity = blake3::Hash::from_bytes(self.identity).to_hex();
        format!("{DIAGNOSTIC}:{word}:{}", &identity[..IDENTITY_DIGITS])
    }

    pub(super) fn data(&self, first_execution: &str) -> String {
        let line = self.line_start.map_or("null".to_owned(), |line| line.to_string());
        format!(
            r#"{{"code":{},"level":{},"file_name":{},"line_start":{line},"message":{},"execution_id":"{first_execution}"}}"#,
            json_text(self.code.as_deref()),
            json_text(Some(&self.level)),
            json_text(self.file_name.as_deref()),
            json_text(Some(&self.message)),
        )
    }
}

/// What a stub stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum StubOf {
    File,
    Symbol,
}

impl StubOf {
    pub fn data(self, first_execution: &str) -> String {
        let what = match self {
            Self::File => "file",
            Self::Symbol => "symbol",
        };
        format!(r#"{{"stub":"{what}","execution_id":"{first_execution}"}}"#)
    }
}

/// What a tool did on a file (EXECUTED_ON).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    Read,
    Write,
    Create,
    Edit,
    Patch,
    Plan,
    Check,
}

/// What a tool asked about a symbol (REFERENCED).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QueryType {
    SymbolsInFile,
    ReferencesToSymbolName,
    ReferencesFromFileToSymbol,
    TargetSymbol,
}

/// What became of a file (AFFECTED).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeType {
    Created,
    Patched,
}

/// How bad a diagnostic is (PRODUCED).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    Error,
    Warning,
}

/// An edge from an execution to what it was about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Link<'a> {
    ExecutedOn { file: FileKey, operation: Operation },
    Affected { file: FileKey, change: ChangeType },
    Referenced { symbol: &'a str, query: QueryType },
    Produced { diagnostic: DiagnosticNode },
}

/// The four types that edges of ours have.
pub const EDGE_TYPES: [&str; 4] = ["EXECUTED_ON", "AFFECTED", "REFERENCED", "PRODUCED"];

impl Link<'_> {
    /// `edge_type`.
    pub fn edge_type(&self) -> &'static str {
        match self {
            Self::ExecutedOn { .. } => EDGE_TYPES[0],
            Self::Affected { .. } => EDGE_TYPES[1],
            Self::Referenced { .. } => EDGE_TYPES[2],
            Self::Produced { .. } => EDGE_TYPES[3],
        }
    }

    /// `data`, a JSON object. The id is a UUID's text.
    pub(super) fn data(&self, execution_id: &str) -> String {
        let (key, word) = match self {
            Self::ExecutedOn { operation, .. } => ("operation", operation.as_str()),
            Self::Affected { change, .. } => ("change_type", change.as_str()),
            Self::Referenced { query, .. } => ("query_type", query.as_str()),
            Self::Produced { diagnostic } => {
                let severity = Severity::of(&diagnostic.level).as_str();
                let code = json_text(diagnostic.code.as_deref());
                return format!(
                    r#"{{"severity":"{severity}","code":{code},"execution_id":"{execution_id}"}}"#
                );
            }
        };
        format!(r#"{{"{key}":"{word}","execution_id":"{execution_id}"}}"#)
    }
}

/// A text as JSON, `null` where there is none.
pub(super) fn json_text(text: Option<&str>) -> String {
    Value::from(text).to_string()
}

impl Operation {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Create => "create",
            Self::Edit => "edit",
            Self::Patch => "patch",
            Self::Plan => "plan",
            Self::Check => "check",
        }
    }
}

impl QueryType {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::SymbolsInFile => "symbols_in_file",
            Self::ReferencesToSymbolName => "references_to_symbol_name",
            Self::ReferencesFromFileToSymbol => "references_from_file_to_symbol",
            Self::TargetSymbol => "target_symbol",
        }
    }
}

impl ChangeType {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Created => "created",
            Self::Patched => "patched",
        }
    }
}

impl Severity {
    /// A compiler's level is the one or the other (`error: internal compiler error` is an error).
    pub fn of(level: &str) -> Self {
        if level.starts_with("error") || level == "fatal" { Self::Error } else { Self::Warning }
    }

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
        }
    }
}
