//! Cells of rows, written as CSV or JSON: what `sql` and `export` print.

mod csv;
mod json;

use std::borrow::Cow;

use serde_json::value::RawValue;

use crate::store::sql::Value;

pub use csv::csv_line;
pub use json::{JsonRow, distinct};

/// A cell.
#[derive(Clone, Debug)]
pub enum Cell<'a> {
    Null,
    Bool(bool),
    Integer(i64),
    Real(f64),
    Text(Cow<'a, str>),
    /// Lower case hex.
    Blob(&'a [u8]),
    Json(Cow<'a, RawValue>),
}

impl<'a> From<Value<'a>> for Cell<'a> {
    fn from(value: Value<'a>) -> Self {
        match value {
            Value::Null => Self::Null,
            Value::Integer(number) => Self::Integer(number),
            Value::Real(number) => Self::Real(number),
            Value::Text(text) => Self::Text(String::from_utf8_lossy(text)),
            Value::Blob(bytes) => Self::Blob(bytes),
        }
    }
}

impl Cell<'_> {
    /// Its text, as CSV and tables have it; nothing for null.
    pub fn text(&self) -> Cow<'_, str> {
        match self {
            Self::Null => Cow::Borrowed(""),
            Self::Bool(value) => Cow::Borrowed(if *value { "true" } else { "false" }),
            Self::Integer(number) => Cow::Owned(number.to_string()),
            Self::Real(number) => Cow::Owned(real(*number)),
            Self::Text(text) => Cow::Borrowed(text),
            Self::Blob(bytes) => Cow::Owned(hex(bytes)),
            Self::Json(value) => Cow::Borrowed(value.get()),
        }
    }
}

/// As SQLite prints it: a whole number keeps its `.0`.
fn real(number: f64) -> String {
    if number.is_infinite() {
        return if number > 0.0 { "Inf".to_owned() } else { "-Inf".to_owned() };
    }
    format!("{number:?}")
}

/// Lower case hex.
pub fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let mut out = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        out.push(char::from(DIGITS[usize::from(byte >> 4)]));
        out.push(char::from(DIGITS[usize::from(byte & 0xf)]));
    }
    out
}

#[cfg(test)]
mod tests;
