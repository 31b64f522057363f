//! The members of a document that the schema does not name.

use serde_json::Value;

use super::fault::shortened;

/// So many are told.
const UNNAMED_MAX: usize = 20;

/// The members that the schema does not name, as JSON pointers. No deeper than the schema goes.
pub(super) fn unnamed(schema: &Value, document: &Value) -> Vec<String> {
    let mut found = Vec::new();
    walk(schema, schema, document, &mut String::new(), &mut found);
    found
}

fn walk(root: &Value, schema: &Value, value: &Value, at: &mut String, found: &mut Vec<String>) {
    let schema = match schema.get("$ref").and_then(Value::as_str) {
        Some(to) => to.strip_prefix('#').and_then(|to| root.pointer(to)).unwrap_or(schema),
        None => schema,
    };
    let length = at.len();
    match value {
        Value::Object(members) => {
            let Some(named) = schema.get("properties").and_then(Value::as_object) else { return };
            for (name, member) in members {
                at.push('/');
                at.push_str(&name.replace('~', "~0").replace('/', "~1"));
                match named.get(name) {
                    Some(schema) => walk(root, schema, member, at, found),
                    None if found.len() < UNNAMED_MAX => found.push(shortened(at)),
                    None => {}
                }
                at.truncate(length);
            }
        }
        Value::Array(items) => {
            let Some(schema) = schema.get("items") else { return };
            for (index, item) in items.iter().enumerate() {
                at.push_str(&format!("/{index}"));
                walk(root, schema, item, at, found);
                at.truncate(length);
            }
        }
        _ => {}
    }
}
