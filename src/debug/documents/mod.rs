//! Documents as somebody hands them over: JSON or YAML; one, several one after the other, a list, or the
//! contract's own file with its `examples`. Nothing of it is trusted.

mod bounded;
mod yaml;

#[cfg(test)]
mod tests;

use serde::de::DeserializeSeed;
use serde_json::{Deserializer, Value};

use super::DebugError;
use super::export::FORMAT as EXPORT_FORMAT;
use super::limits::{IMPORT_BYTES_MAX, IMPORT_LEN_MAX};
use crate::debug::schema::{DebugSchema, SchemaFault};
use bounded::Bounded;

/// The documents of a file, in their order, whatever they hold. `what` is what it is called.
pub fn read_documents(what: &str, bytes: &[u8]) -> Result<Vec<Value>, DebugError> {
    let refused = |why: String| DebugError::Unreadable { what: what.to_owned(), why };
    if bytes.len() as u64 > IMPORT_BYTES_MAX {
        let why = format!("it has {} bytes; {IMPORT_BYTES_MAX} at most", bytes.len());
        return Err(refused(why));
    }
    let Ok(text) = std::str::from_utf8(bytes) else {
        return Err(refused("it is no UTF-8".to_owned()));
    };
    let text = text.trim_start_matches('\u{feff}');
    let read = match json(text) {
        Ok(read) => read,
        Err(json) => yaml::documents(text).map_err(|yaml| {
            // What begins as JSON, and is not called otherwise, is told of as JSON.
            let is_json = text.trim_start().starts_with(['{', '[']) && !is_called_yaml(what);
            refused(match is_json {
                true => format!("it is no JSON: {json}"),
                false => format!("it is no YAML: {yaml}"),
            })
        })?,
    };
    let documents = read.into_iter().flat_map(each).map(out_of_export);
    let documents: Vec<Value> = documents.collect();
    match documents.len() {
        0 => Err(refused("it has no document".to_owned())),
        many if many > IMPORT_LEN_MAX => {
            Err(refused(format!("it has {many} documents; {IMPORT_LEN_MAX} at most")))
        }
        _ => Ok(documents),
    }
}

fn is_called_yaml(what: &str) -> bool {
    let what = what.to_ascii_lowercase();
    what.ends_with(".yaml") || what.ends_with(".yml")
}

/// One value of JSON, no member of it there twice.
pub(super) fn one_json(text: &str) -> Result<Value, String> {
    let mut from = Deserializer::from_str(text);
    let read = Bounded::default().seed().deserialize(&mut from);
    let value = read.map_err(|error| error.to_string())?;
    from.end().map(|()| value).map_err(|error| error.to_string())
}

fn json(text: &str) -> Result<Vec<Value>, String> {
    let mut from = Deserializer::from_str(text);
    let (mut found, bounded) = (Vec::new(), Bounded::default());
    loop {
        // Blank to the end: there is nothing more.
        if from.end().is_ok() {
            return Ok(found);
        }
        found.push(bounded.seed().deserialize(&mut from).map_err(|it| it.to_string())?);
    }
}

/// The document of what `annals debug export` wrote; anything else as it is.
fn out_of_export(value: Value) -> Value {
    match value {
        Value::Object(mut members)
            if members.get("format").is_some_and(|it| it == EXPORT_FORMAT)
                && members.get("document").is_some_and(Value::is_object) =>
        {
            members.remove("document").unwrap_or_default()
        }
        other => other,
    }
}

/// The documents of a list, or of the contract's file; else the one that it is.
fn each(value: Value) -> Vec<Value> {
    match value {
        Value::Array(items) => items,
        Value::Object(mut members) if !members.contains_key("session_id") => {
            match members.remove("examples") {
                Some(Value::Array(items)) => items,
                _ => vec![Value::Object(members)],
            }
        }
        Value::Null => Vec::new(),
        other => vec![other],
    }
}

/// A document that was checked against the schema.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocumentChecked {
    /// Its place in its file, from 1.
    pub document: usize,
    /// What it calls itself, where that is a text.
    pub session_id: Option<String>,
    /// Empty where it is as the schema has it.
    pub faults: Vec<SchemaFault>,
    /// Members that the schema does not name, as JSON pointers.
    pub unnamed: Vec<String>,
    /// What the schema takes and import refuses: attempts of one number, integers that are too large.
    pub unkept: Vec<SchemaFault>,
}

impl DocumentChecked {
    pub(crate) fn of(schema: &DebugSchema, at: usize, value: &Value) -> Self {
        let session_id = value.get("session_id").and_then(Value::as_str).map(str::to_owned);
        let (faults, unnamed) = (schema.faults(value), schema.unnamed(value));
        let unkept = if faults.is_empty() { schema.unkept(value) } else { Vec::new() };
        Self { document: at + 1, session_id, faults, unnamed, unkept }
    }

    /// Whether it is as the schema has it.
    pub fn is_valid(&self) -> bool {
        self.faults.is_empty()
    }
}

/// Checks the documents of a file; `strict`: formats too. `what` is what the file is called.
pub fn validate(
    what: &str,
    bytes: &[u8],
    strict: bool,
) -> Result<Vec<DocumentChecked>, DebugError> {
    let schema = DebugSchema::new(strict)?;
    let documents = read_documents(what, bytes)?;
    let checked = documents.iter().enumerate();
    Ok(checked.map(|(at, value)| DocumentChecked::of(&schema, at, value)).collect())
}
