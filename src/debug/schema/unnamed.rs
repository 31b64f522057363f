//! The members of a document that the schema does not name.

use serde_json::Value;

use super::fault::shortened;
use super::walk::walk;

/// So many are told.
const UNNAMED_MAX: usize = 20;

/// The members that the schema does not name, as JSON pointers.
pub(super) fn unnamed(root: &Value, schema: &Value, value: &Value) -> Vec<String> {
    let mut found = Vec::new();
    walk(root, schema, value, &mut String::new(), &mut |at, schema, _| {
        if schema.is_none() && found.len() < UNNAMED_MAX {
            found.push(shortened(at));
        }
    });
    found
}
