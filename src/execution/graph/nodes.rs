//! The entities that are ours: executions, diagnostics, and stubs for what the graph does not know; and the
//! edges that an execution may have. No other edge can be written: each begins at the execution that is
//! written with it, and none of these leads to one.

use serde_json::Value;

use super::FileKey;
use crate::event::words;

/// The kinds of entity that are ours, and only these.
pub const KINDS: [&str; 3] = [EXECUTION, DIAGNOSTIC, STUB];
pub(super) const EXECUTION: &str = "execution";
pub(super) const DIAGNOSTIC: &str = "diagnostic";
pub(super) const STUB: &str = "annals_stub";

/// Hex digits of a diagnostic's identity in its name.
const IDENTITY_DIGITS: usize = 16;

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

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StubOf {
    File,
    Symbol,
}

impl StubOf {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::File => "file",
            Self::Symbol => "symbol",
        }
    }

    pub fn data(self, first_execution: &str) -> String {
        let what = self.as_str();
        format!(r#"{{"stub":"{what}","execution_id":"{first_execution}"}}"#)
    }
}

words! {
    /// What a tool did on a file (EXECUTED_ON).
    pub enum Operation {
        Read = "read",
        Write = "write",
        Create = "create",
        Edit = "edit",
        Patch = "patch",
        Plan = "plan",
        Check = "check",
    }
}

words! {
    /// What a tool asked about a symbol (REFERENCED).
    pub enum QueryType {
        SymbolsInFile = "symbols_in_file",
        ReferencesToSymbolName = "references_to_symbol_name",
        ReferencesFromFileToSymbol = "references_from_file_to_symbol",
        TargetSymbol = "target_symbol",
    }
}

words! {
    /// What became of a file (AFFECTED).
    pub enum ChangeType {
        Created = "created",
        Patched = "patched",
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Link<'a> {
    ExecutedOn { file: FileKey, operation: Operation },
    Affected { file: FileKey, change: ChangeType },
    Referenced { symbol: &'a str, query: QueryType },
    Produced { diagnostic: DiagnosticNode },
}

words! {
    /// The four sorts of edge that an execution has (spec 000 §2).
    pub enum EdgeType {
        /// execution → file: `operation` says what was done.
        ExecutedOn = "EXECUTED_ON",
        /// execution → file: `change_type` says how it was changed.
        Affected = "AFFECTED",
        /// execution → symbol: `query_type` says what was asked of it.
        Referenced = "REFERENCED",
        /// execution → diagnostic: `code` says which.
        Produced = "PRODUCED",
    }
}

impl Link<'_> {
    pub fn edge_type(&self) -> &'static str {
        match self {
            Self::ExecutedOn { .. } => EdgeType::ExecutedOn.as_str(),
            Self::Affected { .. } => EdgeType::Affected.as_str(),
            Self::Referenced { .. } => EdgeType::Referenced.as_str(),
            Self::Produced { .. } => EdgeType::Produced.as_str(),
        }
    }

    /// `data`, a JSON object. The id is a UUID's text.
    pub(super) fn data(&self, execution_id: &str) -> String {
        let (key, word) = match self {
            Self::ExecutedOn { operation, .. } => ("operation", operation.as_str()),
            Self::Affected { change, .. } => ("change_type", change.as_str()),
            Self::Referenced { query, .. } => ("query_type", query.as_str()),
            Self::Produced { diagnostic } => {
                let severity = severity(&diagnostic.level);
                let code = json_text(diagnostic.code.as_deref());
                return format!(
                    r#"{{"severity":"{severity}","code":{code},"execution_id":"{execution_id}"}}"#
                );
            }
        };
        format!(r#"{{"{key}":"{word}","execution_id":"{execution_id}"}}"#)
    }
}

pub(super) fn json_text(text: Option<&str>) -> String {
    Value::from(text).to_string()
}

/// How bad a diagnostic is: a compiler's level is the one or the other (`error: internal compiler error` is an
/// error).
fn severity(level: &str) -> &'static str {
    if level.starts_with("error") || level == "fatal" { "error" } else { "warning" }
}
