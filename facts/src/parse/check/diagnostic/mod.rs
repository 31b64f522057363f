//! Diagnostics of compilers and linters, and spec 000's `diagnostics` artifact of them.

#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};

use super::telling::{and_more, without_more};
use crate::event::Json;
use crate::event::target::CallDigest;

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

/// A diagnostic with what the contract has no field for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The table or format that it was read by.
    pub tool: String,
    /// From 1.
    pub column: Option<u32>,
    /// Lines behind it that explain it.
    pub related: Vec<String>,
    pub diagnostic: Diagnostic,
}

impl Finding {
    /// Adds it, unless it is there already or there are enough.
    pub fn add_to(mut self, found: &mut Vec<Self>) {
        if found.len() >= DIAGNOSTICS_LEN_MAX {
            return;
        }
        let bytes = self.diagnostic.message.floor_char_boundary(MESSAGE_BYTES_MAX);
        self.diagnostic.message.truncate(bytes);
        // Only a short way back: repeats come one after the other (a crate's lib and its tests), and
        // the search must not grow with the square of what was printed.
        let is_same =
            |known: &Self| known.diagnostic == self.diagnostic && known.column == self.column;
        if !found.iter().rev().take(200).any(is_same) {
            found.push(self);
        }
    }
}

/// The contract's word for a tool's: `error`, `warning` or `note`.
pub fn level(word: &str) -> &'static str {
    match word.to_ascii_lowercase().as_str() {
        "warning" | "warn" | "w" | "c" | "!" | "\u{26a0}" | "convention" | "1" => "warning",
        "note" | "info" | "hint" | "style" | "i" | "r" | "\u{2139}" | "refactor"
        | "information" | "none" => "note",
        "help" => "help",
        _ => "error",
    }
}

pub fn to_json(diagnostics: &[Diagnostic]) -> Result<Option<Json>, serde_json::Error> {
    if diagnostics.is_empty() {
        return Ok(None);
    }
    serde_json::to_string(diagnostics).map(|text| Some(Json(text)))
}

// What makes two diagnostics the same one (ruling 9).

impl Diagnostic {
    /// Its code; where it has none, its level: what it is asked for by.
    pub fn label(&self) -> &str {
        self.code.as_deref().unwrap_or(&self.level)
    }

    /// Whether another one of the same level is told of the same line.
    pub fn is_of_place(&self, other: &Self) -> bool {
        self.file_name.is_some()
            && (&self.file_name, self.line_start, &self.level)
                == (&other.file_name, other.line_start, &other.level)
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

/// Of a code, a level and a file's name, the bytes that are kept.
pub const NAME_BYTES_MAX: usize = 400;

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
pub fn recorded(json: &str) -> Vec<Diagnostic> {
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

/// `error[E0425] src/lib.rs:3: cannot find value`: of the first error, else of the first.
pub fn first(found: &[Diagnostic]) -> Option<String> {
    let first = found.iter().find(|one| one.level == "error").or(found.first())?;
    let others = found.iter().filter(|one| one.level == first.level).count() - 1;
    Some(and_more(&first.line(), others as u64))
}

/// What two failures say that say the same: the first of what each says, without the lines and columns in it,
/// which move with every edit. Not the message's own numbers.
pub fn said(text: Option<&str>) -> CallDigest {
    let text = without_more(text.unwrap_or_default());
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

pub fn cut(text: &str, bytes_max: usize) -> &str {
    &text[..text.floor_char_boundary(bytes_max)]
}
