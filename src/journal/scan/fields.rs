//! The texts of an event, field by field, as its JSON has them.

use serde_json::Value;

use crate::event::base64_bytes;
use crate::redact::{RedactFinding, Redactor};

/// The texts of an event's body, given as JSON with its contents.
pub fn texts(body: Value) -> Vec<(String, FieldText)> {
    let Value::Object(fields) = body else { return Vec::new() };
    let mut texts = Vec::new();
    if let (Some(Value::String(key)), Some(value @ Value::String(_))) =
        (fields.get("key"), fields.get("value"))
    {
        // What a value is, its key may say.
        texts.push(("value".to_owned(), FieldText::Named(key.clone(), value.clone())));
    }
    for (name, value) in fields {
        if !texts.iter().any(|(taken, _)| *taken == name) {
            field(name, value, &mut texts);
        }
    }
    texts
}

impl FieldText {
    /// What is looked over, and how much stands in it before the field's own text.
    pub fn bytes(&self) -> (Vec<u8>, usize) {
        match self {
            Self::Plain(bytes) => (bytes.clone(), 0),
            Self::Json(value) => (value.to_string().into_bytes(), 0),
            Self::Named(key, value) => {
                let lead = format!("{{{}:", Value::String(key.clone()));
                (format!("{lead}{value}}}").into_bytes(), lead.len() + 1)
            }
        }
    }

    pub fn is_json(&self) -> bool {
        !matches!(self, Self::Plain(_))
    }

    /// The secrets of what [`Self::bytes`] gave.
    pub fn find<'r>(&self, redactor: &'r Redactor, bytes: &[u8]) -> Vec<RedactFinding<'r>> {
        match self.is_json() {
            true => redactor.find_json(bytes),
            false => redactor.find(bytes),
        }
    }
}

/// A field of an event, to be looked over.
pub enum FieldText {
    Plain(Vec<u8>),
    Json(Value),
    /// A value, and the key that it stands under.
    Named(String, Value),
}

/// The texts of a field: a content's bytes as they are, all else as JSON.
fn field(name: String, value: Value, into: &mut Vec<(String, FieldText)>) {
    match value {
        Value::String(text) => into.push((name, FieldText::Plain(text.into_bytes()))),
        Value::Object(mut content) if content.contains_key("encoding") => {
            let encoded = content.get("encoding").and_then(Value::as_str) == Some("base64");
            for (part, name) in [("data", name.clone()), ("tail", format!("{name} (its end)"))] {
                if let Some(Value::String(text)) = content.remove(part) {
                    // What we encoded ourselves decodes; else it is looked at as it stands.
                    let bytes = if encoded { base64_bytes(&text) } else { None };
                    into.push((name, FieldText::Plain(bytes.unwrap_or_else(|| text.into_bytes()))));
                }
            }
        }
        Value::Object(fields) if fields.values().any(holds_content) => {
            for (inner, value) in fields {
                field(format!("{name}.{inner}"), value, into);
            }
        }
        Value::Array(items) if items.iter().any(holds_content) => {
            for (at, value) in items.into_iter().enumerate() {
                field(format!("{name}[{at}]"), value, into);
            }
        }
        value @ (Value::Object(_) | Value::Array(_)) => into.push((name, FieldText::Json(value))),
        Value::Null | Value::Bool(_) | Value::Number(_) => (),
    }
}

fn holds_content(value: &Value) -> bool {
    match value {
        Value::Object(fields) => {
            fields.contains_key("encoding") || fields.values().any(holds_content)
        }
        Value::Array(items) => items.iter().any(holds_content),
        _ => false,
    }
}
