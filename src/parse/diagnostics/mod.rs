//! Compiler diagnostics out of what a compiler printed: spec 000's `diagnostics` artifact.
//!
//! Two doors: cargo's and rustc's JSON messages, and the text they print for people. Where both
//! are found the JSON is believed. Output is untrusted: every step is bounded, nothing recurses.

mod json_messages;
mod of_closing;
mod plain_text;
mod recorded;
#[cfg(test)]
mod tests;

use serde::Serialize;

use crate::event::Json;

pub(crate) use of_closing::of_closing;
pub(crate) use plain_text::without_colours;
pub(crate) use recorded::parse as recorded;

/// Diagnostics of one execution that are kept, the first ones.
pub const DIAGNOSTICS_LEN_MAX: usize = 2_000;
/// A message's bytes that are kept.
pub const MESSAGE_BYTES_MAX: usize = 1_024;

/// One diagnostic, in spec 000's fields and no others.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Diagnostic {
    /// `error`, `warning`, `note` or `help`.
    pub level: String,
    pub message: String,
    /// As the compiler printed it; `None` where it points nowhere.
    pub file_name: Option<String>,
    /// From 1.
    pub line_start: Option<u32>,
    /// `E0425`, `unused_variables`; `None` where it has none.
    pub code: Option<String>,
}

/// Every distinct diagnostic in a compiler's two outputs, in the order they were printed.
pub fn parse(stdout: &[u8], stderr: &[u8]) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for bytes in [stdout, stderr] {
        json_messages::parse(bytes, &mut found);
    }
    if found.is_empty() {
        for bytes in [stderr, stdout] {
            plain_text::parse(bytes, &mut found);
        }
    }
    found
}

/// The diagnostics as a JSON array; `None` where there are none.
pub fn to_json(diagnostics: &[Diagnostic]) -> Result<Option<Json>, serde_json::Error> {
    if diagnostics.is_empty() {
        return Ok(None);
    }
    serde_json::to_string(diagnostics).map(|text| Some(Json(text)))
}

/// Adds one, unless it is there already or there are enough.
fn push(found: &mut Vec<Diagnostic>, mut diagnostic: Diagnostic) {
    if found.len() >= DIAGNOSTICS_LEN_MAX {
        return;
    }
    let bytes = diagnostic.message.floor_char_boundary(MESSAGE_BYTES_MAX);
    diagnostic.message.truncate(bytes);
    // Only a short way back: repeats come one after the other (a crate's lib and its tests), and
    // the search must not grow with the square of what was printed.
    if !found.iter().rev().take(200).any(|known| *known == diagnostic) {
        found.push(diagnostic);
    }
}

/// The compiler's own summary lines, which are no diagnostics of the code.
fn is_summary(message: &str) -> bool {
    message.starts_with("aborting due to")
        || message.starts_with("could not compile ")
        || message.starts_with("build failed")
        || message.ends_with(" emitted")
        || message.starts_with('`') && message.contains(" generated ")
        || message.starts_with("Some errors have detailed explanations")
        || message.starts_with("For more information about this error")
}

// What makes two diagnostics the same one (ruling 9).

impl Diagnostic {
    /// Its code; where it has none, its level: what it is asked for by.
    pub fn label(&self) -> &str {
        self.code.as_deref().unwrap_or(&self.level)
    }

    /// blake3 of (code or null, level, file, line, message), each with its length before it.
    pub fn identity(&self) -> [u8; 32] {
        let mut hash = blake3::Hasher::new();
        let line = self.line_start.map(|line| line.to_string());
        let fields = [
            self.code.as_deref(),
            Some(self.level.as_str()),
            self.file_name.as_deref(),
            line.as_deref(),
            Some(self.message.as_str()),
        ];
        for field in fields {
            let length = field.map_or(u64::MAX, |text| text.len() as u64);
            hash.update(&length.to_le_bytes()).update(field.unwrap_or_default().as_bytes());
        }
        *hash.finalize().as_bytes()
    }

    /// `error[E0425] src/lib.rs:3: cannot find value`.
    pub fn line(&self) -> String {
        let mut line = self.level.clone();
        if let Some(code) = &self.code {
            line.push_str(&format!("[{code}]"));
        }
        if let Some(file) = &self.file_name {
            line.push_str(&format!(" {file}"));
            if let Some(at) = self.line_start {
                line.push_str(&format!(":{at}"));
            }
        }
        if !self.message.is_empty() {
            line.push_str(&format!(": {}", self.message));
        }
        line
    }
}
