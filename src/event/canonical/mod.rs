//! Canonical JSON (RFC 8785), with integers beyond 2^53 kept as they were written.
//!
//! RFC 8785 makes every number an IEEE double, which would change `12345678901234567890` and so
//! the ids that tools pass about. Numbers that a double holds are written as the RFC says; integers
//! beyond ±2^53 and numbers beyond a double's range keep their own text. Of two members with one
//! name the last wins, as in every common parser. An escaped lone surrogate, which RFC 8785 forbids
//! but agents produce by cutting texts, becomes U+FFFD.

mod parser;
mod text;

#[cfg(test)]
mod tests;

use parser::Parser;
pub use text::write as write_text;

use super::limits::JSON_BYTES_MAX;
use super::{EventError, Json};

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
