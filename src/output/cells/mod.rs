//! Cells of rows, written as CSV or JSON: what `sql` and `export` print.

use std::borrow::Cow;

use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::value::RawValue;

use crate::event::wire::hex_text;
use crate::store::sql::Value;

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
            Self::Blob(bytes) => Cow::Owned(hex_text(bytes)),
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

#[derive(Debug)]
pub struct JsonRow<'a> {
    pub names: &'a [String],
    pub cells: &'a [Cell<'a>],
}

impl Serialize for JsonRow<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.cells.len()))?;
        for (name, cell) in self.names.iter().zip(self.cells) {
            map.serialize_key(name)?;
            match cell {
                Cell::Null => map.serialize_value(&())?,
                Cell::Bool(value) => map.serialize_value(value)?,
                Cell::Integer(number) => map.serialize_value(number)?,
                // JSON has no infinity: as its text.
                Cell::Real(number) if !number.is_finite() => map.serialize_value(&cell.text())?,
                Cell::Real(number) => map.serialize_value(number)?,
                Cell::Text(text) => map.serialize_value(text)?,
                Cell::Blob(bytes) => map.serialize_value(&hex_text(bytes))?,
                Cell::Json(value) => map.serialize_value(value.as_ref())?,
            }
        }
        map.end()
    }
}

/// The names, none twice: a repeated one gets a number.
pub fn distinct(names: &[String]) -> Vec<String> {
    let mut found: Vec<String> = Vec::with_capacity(names.len());
    for name in names {
        let mut own = name.clone();
        let mut number = 2;
        while found.contains(&own) {
            own = format!("{name}_{number}");
            number += 1;
        }
        found.push(own);
    }
    found
}

// CSV (RFC 4180): a comma between, CRLF behind, quoted where it must be.
//
// Cells are data: one that begins with `=`, `+`, `-` or `@` is written as it is, though a
// spreadsheet would take it for a formula.

/// One row, its line's end included.
pub fn csv_line<'a>(cells: impl IntoIterator<Item = &'a Cell<'a>>) -> String {
    let mut line = String::new();
    for (at, cell) in cells.into_iter().enumerate() {
        if at > 0 {
            line.push(',');
        }
        push(&mut line, &cell.text(), matches!(cell, Cell::Null));
    }
    line.push_str("\r\n");
    line
}

fn push(line: &mut String, text: &str, null: bool) {
    // Nothing is null, two quotation marks an empty text.
    let quoted = text.contains([',', '"', '\r', '\n']) || text.is_empty() && !null;
    if !quoted {
        return line.push_str(text);
    }
    line.push('"');
    line.push_str(&text.replace('"', "\"\""));
    line.push('"');
}

#[cfg(test)]
mod tests;
