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
        // What begins as JSON is told of as JSON.
        Err(why) if text.trim_start().starts_with(['{', '[']) => match yaml::documents(text) {
            Ok(read) => read,
            Err(_) => return Err(refused(format!("it is no JSON: {why}"))),
        },
        Err(_) => yaml::documents(text).map_err(|why| refused(format!("it is no YAML: {why}")))?,
    };
    let documents: Vec<Value> = read.into_iter().flat_map(each).collect();
    match documents.len() {
        0 => Err(refused("it has no document".to_owned())),
        many if many > IMPORT_LEN_MAX => {
            Err(refused(format!("it has {many} documents; {IMPORT_LEN_MAX} at most")))
        }
        _ => Ok(documents),
    }
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
