//! Diagnostics as somebody recorded them: spec 000's objects, or nearly.

use serde::Deserialize;

use super::{DIAGNOSTICS_LEN_MAX, Diagnostic, MESSAGE_BYTES_MAX};
use crate::parse::diagnostic::cut;

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
pub(crate) fn parse(json: &str) -> Vec<Diagnostic> {
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
