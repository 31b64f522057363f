//! Goes through a value along the schema.

use serde_json::Value;

/// Tells of each member and item of a value, itself first: its place, a JSON pointer, its schema, `None`
/// where that does not name it, and what it is. No deeper than the schema goes.
pub(super) fn walk(
    root: &Value,
    schema: &Value,
    value: &Value,
    at: &mut String,
    visit: &mut dyn FnMut(&str, Option<&Value>, &Value),
) {
    let schema = match schema.get("$ref").and_then(Value::as_str) {
        Some(to) => to.strip_prefix('#').and_then(|to| root.pointer(to)).unwrap_or(schema),
        None => schema,
    };
    visit(at, Some(schema), value);
    let length = at.len();
    match value {
        Value::Object(members) => {
            let Some(named) = schema.get("properties").and_then(Value::as_object) else { return };
            for (name, member) in members {
                at.push('/');
                at.push_str(&name.replace('~', "~0").replace('/', "~1"));
                match named.get(name) {
                    Some(schema) => walk(root, schema, member, at, visit),
                    None => visit(at, None, member),
                }
                at.truncate(length);
            }
        }
        Value::Array(items) => {
            let Some(schema) = schema.get("items") else { return };
            for (index, item) in items.iter().enumerate() {
                at.push_str(&format!("/{index}"));
                walk(root, schema, item, at, visit);
                at.truncate(length);
            }
        }
        _ => {}
    }
}
