//! The entities that are ours: executions, diagnostics, and stubs for what the graph does not know.

use super::edge::json_text;

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
