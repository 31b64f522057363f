//! Calls, from the items that make them.

use serde_json::value::RawValue;

use super::payload::Payload;
use super::{arguments, call_id};
use crate::agents::import::item::Call;
use crate::agents::import::loose::{Loose, Text, parsed};
use crate::agents::import::surrogates::readable;

/// A call of a tool by its own name, with a JSON object.
pub fn call(session: Option<&str>, id: String, native_tool: String, arguments: String) -> Call {
    let aim = arguments::aim(&native_tool, &arguments);
    Call {
        scope: call_id::scope(session, &id),
        id,
        native_tool,
        tool: aim.tool,
        arguments,
        paths: aim.paths,
        changes: aim.changes,
        cwd: aim.cwd,
        task: None,
    }
}

/// The name of a tool with that of the server it is of, where one is.
pub fn full_name(payload: &Payload<'_>) -> Option<String> {
    let name = payload.name.to_text()?;
    let Some(namespace) = payload.namespace.to_text() else { return Some(name) };
    if name.starts_with(&namespace) {
        return Some(name);
    }
    let between = match namespace.ends_with('_') || name.starts_with('_') {
        true => "",
        false if namespace.starts_with("mcp__") => "__",
        false => ".",
    };
    Some(format!("{namespace}{between}{name}"))
}

/// Arguments as a JSON object. What is none, for a model may write anything into the string that
/// should hold one, is kept as the text it is.
pub fn object(raw: Option<&RawValue>) -> String {
    let Some(raw) = raw else { return "{}".to_owned() };
    let json = readable(raw.get());
    let inner = match json.starts_with('"') {
        true => parsed::<Text<'_>>(json.as_bytes()).and_then(|text| text.0).unwrap_or_default(),
        false => json.as_ref().into(),
    };
    let text = inner.trim();
    if text.is_empty() || text == "null" {
        return "{}".to_owned();
    }
    let mended = readable(text);
    let object = mended.starts_with('{') && parsed::<Loose<Anything>>(mended.as_bytes()).is_some();
    match object {
        true => mended.into_owned(),
        false => wrapped("arguments", &inner),
    }
}

/// A JSON object with one text in it.
pub fn wrapped(key: &str, text: &str) -> String {
    serde_json::json!({ key: text }).to_string()
}

/// An object whose fields are of no interest.
#[derive(Debug, serde::Deserialize)]
struct Anything {}
