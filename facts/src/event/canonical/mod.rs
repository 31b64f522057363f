//! Canonical JSON (RFC 8785), with integers beyond 2^53 kept as they were written.
//!
//! RFC 8785 makes every number an IEEE double, which would change `12345678901234567890` and so
//! the ids that tools pass about. Numbers that a double holds are written as the RFC says; integers
//! beyond ±2^53 and numbers beyond a double's range keep their own text. Of two members with one
//! name the last wins, as in every common parser. An escaped lone surrogate, which RFC 8785 forbids
//! but agents produce by cutting texts, becomes U+FFFD.

mod parser;

#[cfg(test)]
mod tests;

use parser::Parser;

use std::fmt::Write as _;

use bincode::{Decode, Encode};
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

use super::EventError;
use super::limits::JSON_BYTES_MAX;

/// What a rewriting pass is shown of a string value or member name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place<'a> {
    /// A member's name.
    Name,
    /// A string value: the name of the nearest member that holds it, through arrays.
    Value { name: Option<&'a str> },
}

/// Changes a member name or a string value in place.
pub type Rewrite<'a> = dyn FnMut(Place<'_>, &mut String) + 'a;

/// JSON text. Canonical (RFC 8785) once the recorder has seen it; until then as it came.
#[derive(Clone, Debug, Default, PartialEq, Eq, Encode, Decode)]
pub struct Json(pub String);

/// A JSON value; where it is none, or would break a line of JSONL, its text. Integers beyond 2^53 stay as
/// they are.
impl Serialize for Json {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match serde_json::from_str::<&RawValue>(&self.0) {
            Ok(value) if !value.get().contains('\n') => value.serialize(to),
            _ => self.0.serialize(to),
        }
    }
}

impl Json {
    /// The canonical form of a JSON text. `field` names it in errors.
    pub fn canonical(field: &'static str, text: &str) -> Result<Self, EventError> {
        rewrite(field, text, &mut |_, _| ()).map(Self)
    }

    /// Whether the text is an object; meant for canonical text.
    pub fn is_object(&self) -> bool {
        self.0.starts_with('{')
    }
}

/// The canonical form of a JSON text, each name and string value changed by `change` first.
///
/// Errors: not JSON (with line and column), deeper than [`super::limits::JSON_DEPTH_MAX`], or
/// larger than [`JSON_BYTES_MAX`] before or after.
pub fn rewrite(
    field: &'static str,
    text: &str,
    change: &mut Rewrite<'_>,
) -> Result<String, EventError> {
    bounded(field, text.len())?;
    let out = Parser::new(field, text, change).document()?;
    bounded(field, out.len())?;
    Ok(out)
}

fn bounded(field: &'static str, bytes: usize) -> Result<(), EventError> {
    match bytes > JSON_BYTES_MAX {
        true => Err(EventError::JsonTooLarge { field, bytes, bytes_max: JSON_BYTES_MAX }),
        false => Ok(()),
    }
}

// JSON strings: read with every escape, written with the fewest (RFC 8785, section 3.2.2.2).

/// Reads the string at the beginning of `source` (at its quote); gives it and its length there.
/// On failure: what is wrong and how many bytes on.
fn read_text(source: &str) -> Result<(String, usize), (&'static str, usize)> {
    let bytes = source.as_bytes();
    let mut value = String::new();
    let mut at = 1;
    let mut plain_from = 1;
    loop {
        match bytes.get(at) {
            None => return Err(("the text ends inside a string", at)),
            Some(b'"') => {
                value.push_str(&source[plain_from..at]);
                return Ok((value, at + 1));
            }
            Some(b'\\') => {
                value.push_str(&source[plain_from..at]);
                let (character, used) = escape(&bytes[at..]).map_err(|reason| (reason, at))?;
                value.push(character);
                at += used;
                plain_from = at;
            }
            Some(0..=0x1f) => return Err(("a control character inside a string", at)),
            Some(_) => at += 1,
        }
    }
}

fn escape(bytes: &[u8]) -> Result<(char, usize), &'static str> {
    let character = match bytes.get(1) {
        Some(b'"') => '"',
        Some(b'\\') => '\\',
        Some(b'/') => '/',
        Some(b'b') => '\u{8}',
        Some(b'f') => '\u{c}',
        Some(b'n') => '\n',
        Some(b'r') => '\r',
        Some(b't') => '\t',
        Some(b'u') => return unicode(bytes),
        _ => return Err("an unknown escape"),
    };
    Ok((character, 2))
}

fn unicode(bytes: &[u8]) -> Result<(char, usize), &'static str> {
    const LENGTH: usize = "\\u0000".len();
    let first = unit(bytes).ok_or("a malformed \\u escape")?;
    if let 0xd800..=0xdbff = first
        && let Some(second @ 0xdc00..=0xdfff) = unit(&bytes[LENGTH..])
    {
        let point = 0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00);
        return Ok((char::from_u32(point).unwrap_or(char::REPLACEMENT_CHARACTER), 2 * LENGTH));
    }
    // `None` for a lone surrogate only.
    Ok((char::from_u32(first).unwrap_or(char::REPLACEMENT_CHARACTER), LENGTH))
}

fn unit(bytes: &[u8]) -> Option<u32> {
    let digits = bytes.strip_prefix(b"\\u")?.get(..4)?;
    digits.iter().try_fold(0, |value, &digit| Some(value * 16 + char::from(digit).to_digit(16)?))
}

/// Writes a string in quotes.
pub fn write_text(value: &str, out: &mut String) {
    out.push('"');
    let mut plain_from = 0;
    for (at, byte) in value.bytes().enumerate() {
        let escaped = match byte {
            b'"' => "\\\"",
            b'\\' => "\\\\",
            0x08 => "\\b",
            0x09 => "\\t",
            0x0a => "\\n",
            0x0c => "\\f",
            0x0d => "\\r",
            0..=0x1f => "",
            _ => continue,
        };
        out.push_str(&value[plain_from..at]);
        plain_from = at + 1;
        match escaped.is_empty() {
            // Writing to a String cannot fail.
            true => drop(write!(out, "\\u{byte:04x}")),
            false => out.push_str(escaped),
        }
    }
    out.push_str(&value[plain_from..]);
    out.push('"');
}
