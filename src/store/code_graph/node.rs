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
    pub code: Option<String>,
    pub level: String,
    /// As the compiler named it.
    pub file_name: Option<String>,
    pub line_start: Option<u64>,
    pub message: String,
}

impl DiagnosticNode {
    /// `diagnostic:E0425:0123456789abcdef`
    pub fn name(&self) -> String {
        let word = self.code.as_deref().unwrap_or(&self.level);
        format!("{DIAGNOSTIC}:{word}:{}", &self.identity()[..IDENTITY_DIGITS])
    }

    fn identity(&self) -> String {
        let mut hasher = blake3::Hasher::new_derive_key("annals diagnostic v1");
        let mut field = |told: bool, bytes: &[u8]| {
            hasher.update(&[u8::from(told)]);
            hasher.update(&(bytes.len() as u64).to_le_bytes());
            hasher.update(bytes);
        };
        let text = |field: &Option<String>| field.clone().unwrap_or_default().into_bytes();
        field(self.code.is_some(), &text(&self.code));
        field(true, self.level.as_bytes());
        field(self.file_name.is_some(), &text(&self.file_name));
        field(self.line_start.is_some(), &self.line_start.unwrap_or(0).to_le_bytes());
        field(true, self.message.as_bytes());
        hasher.finalize().to_hex().to_string()
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
