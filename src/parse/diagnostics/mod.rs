//! Compiler diagnostics out of what a compiler printed: spec 000's `diagnostics` artifact.
//!
//! Two doors: cargo's and rustc's JSON messages, and the text they print for people. Where both
//! are found the JSON is believed. Output is untrusted: every step is bounded, nothing recurses.

mod compiler;
#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};

use crate::event::target::CallDigest;
use crate::event::{Closing, Json};
use crate::parse::content;
use compiler::{json_messages, plain_text};

pub(crate) use compiler::without_colours;

pub const DIAGNOSTICS_LEN_MAX: usize = 2_000;
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

pub fn parse(stdout: &[u8], stderr: &[u8]) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for bytes in [stdout, stderr] {
        json_messages(bytes, &mut found);
    }
    if found.is_empty() {
        for bytes in [stderr, stdout] {
            plain_text(bytes, &mut found);
        }
    }
    found
}

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

/// Tools whose output is a compiler's, or may be. What others print is text that somebody wrote.
const PRINTERS: [&str; 3] = ["lsp_check", "splice_patch", "bash_exec"];

/// Of each output, the bytes that are read: half of them from its beginning, half from its end.
const OUTPUT_BYTES_MAX: usize = 1 << 20;

/// Without one of these a text holds no diagnostic that is kept.
const SIGNS: [&str; 4] = ["--> ", "compiler-message", "error[", "\"spans\":"];

/// An execution's diagnostics: the recorded ones; where none were recorded, those that a compiler
/// printed and that have a code or a place.
pub(crate) fn of_closing(tool: &str, closing: &Closing) -> Vec<Diagnostic> {
    if let Some(json) = &closing.diagnostics {
        return recorded(&json.0);
    }
    if !PRINTERS.contains(&tool) {
        return Vec::new();
    }
    let printed = |content: &Option<_>| {
        content.as_ref().and_then(|content| content::text(content, OUTPUT_BYTES_MAX)).map(|text| {
            let promising = SIGNS.iter().any(|sign| text.contains(sign));
            if promising { text.into_owned() } else { String::new() }
        })
    };
    let stdout = printed(&closing.stdout).unwrap_or_default();
    let stderr = printed(&closing.stderr).unwrap_or_default();
    if stdout.is_empty() && stderr.is_empty() {
        return Vec::new();
    }
    let mut found = parse(stdout.as_bytes(), stderr.as_bytes());
    found.retain(|one| one.code.is_some() || one.file_name.is_some());
    for one in &mut found {
        let texts = [Some(&mut one.message), one.file_name.as_mut(), one.code.as_mut()];
        for text in texts.into_iter().flatten().filter(|text| text.contains('\0')) {
            *text = text.replace('\0', "\u{fffd}");
        }
    }
    found
}

/// Of a code, a level and a file's name, the bytes that are kept.
const NAME_BYTES_MAX: usize = 400;

#[derive(Deserialize)]
struct Told {
    #[serde(default)]
    level: Option<String>,
    #[serde(default)]
    code: Option<String>,
    #[serde(default)]
    message: Option<String>,
    #[serde(default)]
    file_name: Option<String>,
    #[serde(default)]
    line_start: Option<u32>,
}

/// An object, or something else that has no place here.
#[derive(Deserialize)]
#[serde(untagged)]
enum Item {
    Told(Told),
    Other(serde::de::IgnoredAny),
}

/// The distinct diagnostics of a recorded array; what is not of their shape is passed over, and
/// the artifact keeps it as it came.
pub(crate) fn recorded(json: &str) -> Vec<Diagnostic> {
    let items: Vec<Item> = serde_json::from_str(json).unwrap_or_default();
    let mut found: Vec<Diagnostic> = Vec::new();
    for item in items {
        let Item::Told(told) = item else { continue };
        if found.len() >= DIAGNOSTICS_LEN_MAX {
            break;
        }
        let name = |text: Option<String>| text.map(|text| kept(&text, NAME_BYTES_MAX));
        found.push(Diagnostic {
            level: name(told.level).unwrap_or_else(|| "diagnostic".to_owned()),
            message: kept(&told.message.unwrap_or_default(), MESSAGE_BYTES_MAX),
            file_name: name(told.file_name),
            line_start: told.line_start,
            code: name(told.code).filter(|code| !code.is_empty()),
        });
    }
    found
}

/// The beginning of a text, without the NUL at which SQLite's own functions stop.
fn kept(text: &str, bytes_max: usize) -> String {
    cut(text, bytes_max).replace('\0', "\u{fffd}")
}

const LINE_BYTES_MAX: usize = 400;

/// `error[E0425] src/lib.rs:3: cannot find value`: of the first error, else of the first.
pub(crate) fn first(found: &[Diagnostic]) -> Option<String> {
    let first = found.iter().find(|one| one.level == "error").or(found.first())?;
    Some(cut(&first.line(), LINE_BYTES_MAX).to_owned())
}

/// What two failures say that say the same: the text without the lines and columns in it, which move
/// with every edit. Not the message's own numbers.
pub(crate) fn said(text: Option<&str>) -> CallDigest {
    let text = text.unwrap_or_default();
    let mut hash = blake3::Hasher::new();
    let mut pieces = text.split(':');
    hash.update(pieces.next().unwrap_or_default().as_bytes());
    for piece in pieces {
        let behind = piece.trim_start_matches(|c: char| c.is_ascii_digit());
        hash.update(b":").update(behind.as_bytes());
    }
    let mut short = [0; 16];
    short.copy_from_slice(&hash.finalize().as_bytes()[..16]);
    CallDigest(short)
}

pub(crate) fn cut(text: &str, bytes_max: usize) -> &str {
    &text[..text.floor_char_boundary(bytes_max)]
}
