//! The parts of the schema that a caller gives by themselves.

use serde_json::Value;

use super::walk::walk;

/// Fields, and where the schema has their shapes.
const SHAPES: [(&str, &str); 9] = [
    ("execution", "/$defs/Execution"),
    ("environment", "/$defs/Execution/properties/environment"),
    ("test_results", "/$defs/Execution/properties/test_results"),
    ("failures", "/$defs/Execution/properties/failures"),
    ("analysis", "/$defs/Analysis"),
    ("fix_applied", "/$defs/Fix"),
    ("learnings", "/$defs/Learnings"),
    ("recurring_failures", "/$defs/Learnings/properties/recurring_failures"),
    ("code_quality_issues", "/$defs/Learnings/properties/code_quality_issues"),
];

/// The shape of what is given for a field: of a list's, where one item is given, the item's.
pub(super) fn shape<'s>(root: &'s Value, field: &str, given: &Value) -> Option<&'s Value> {
    let (_, at) = SHAPES.iter().find(|(name, _)| *name == field)?;
    let schema = root.pointer(at)?;
    match given.is_array() {
        true => Some(schema),
        false => Some(schema.get("items").unwrap_or(schema)),
    }
}

/// The first place where something else stands than the object that the schema wants there.
pub(super) fn no_object(root: &Value, schema: &Value, given: &Value) -> Option<String> {
    let mut found = None;
    walk(root, schema, given, &mut String::new(), &mut |at, schema, value| {
        let wants = schema.and_then(|it| it.get("type")).is_some_and(|it| it == "object");
        // What is null is as good as left out.
        if wants && !value.is_object() && !value.is_null() && found.is_none() {
            found = Some(at.to_owned());
        }
    });
    found
}
