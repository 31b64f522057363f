//! Documents as somebody hands them over: JSON or YAML; one, several one after the other, a list, or the
//! contract's own file with its `examples`. Nothing of it is trusted.

mod bounded;
mod checked;
mod yaml;

#[cfg(test)]
mod tests;

pub use checked::{DocumentChecked, validate};

use serde::de::DeserializeSeed;
use serde_json::{Deserializer, Value};

use super::DebugError;
use super::export::FORMAT as EXPORT_FORMAT;
use super::limits::{IMPORT_BYTES_MAX, IMPORT_LEN_MAX};
use bounded::Bounded;

/// The documents of a file, in their order, whatever they hold. `what` is what it is called.
///
/// # Errors
/// Where it is too large, is neither JSON nor YAML, or has no or too many documents.
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
///
/// # Errors
/// Where it is none, or more than is taken.
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
