//! The contract's schema of a debug session's document (JSON Schema 2020-12), and what is checked
//! against it.

mod check;

use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};
use serde_json::Value;

use super::DebugError;
use super::error::Result;

#[cfg(test)]
pub(crate) use tests::everything;

/// The schema as JSON: the contract's YAML, word for word, without what is no schema of its own.
pub const SCHEMA: &str = include_str!("debug-memory.schema.json");

pub struct DebugSchema {
    schema: Value,
    strict: bool,
}

impl DebugSchema {
    /// `strict`: its `format`s are asserted too (ruling 15).
    pub fn new(strict: bool) -> Result<Self> {
        Ok(Self { schema: parsed()?, strict })
    }

    pub fn faults(&self, document: &Value) -> Vec<SchemaFault> {
        check::check(&self.schema, document, self.strict)
    }

    /// The members that the schema does not name, as JSON pointers; it does not forbid them.
    pub fn unnamed(&self, document: &Value) -> Vec<String> {
        unnamed(&self.schema, &self.schema, document)
    }

    /// What the schema takes of a document and import refuses, for nobody can keep it.
    pub(super) fn unkept(&self, document: &Value) -> Vec<SchemaFault> {
        check::unkept(&self.schema, document)
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

impl Serialize for DocumentChecked {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut it = to.serialize_struct("DocumentChecked", 6)?;
        it.serialize_field("document", &self.document)?;
        it.serialize_field("session_id", &self.session_id)?;
        it.serialize_field("valid", &self.is_valid())?;
        it.serialize_field("faults", &self.faults)?;
        it.serialize_field("unnamed", &self.unnamed)?;
        it.serialize_field("unkept", &self.unkept)?;
        it.end()
    }
}

impl DocumentChecked {
    pub(crate) fn of(schema: &DebugSchema, at: usize, value: &Value) -> Self {
        let session_id = value.get("session_id").and_then(Value::as_str).map(str::to_owned);
        let (faults, unnamed) = (schema.faults(value), schema.unnamed(value));
        let unkept = if faults.is_empty() { schema.unkept(value) } else { Vec::new() };
        Self { document: at + 1, session_id, faults, unnamed, unkept }
    }

    pub fn is_valid(&self) -> bool {
        self.faults.is_empty()
    }
}

/// Refuses what a caller gives for a field where a list stands for an object, or a member is none of the
/// schema's: it would be taken for something else, or be lost.
pub(super) fn held_to_shape(field: &str, given: &Value) -> Result<()> {
    let root = parsed()?;
    let Some(schema) = shape(&root, field, given) else { return Ok(()) };
    let refused = |why: String| Err(DebugError::Field { field: field.to_owned(), why });
    if let Some(at) = no_object(&root, schema, given) {
        let at = if at.is_empty() { String::new() } else { format!(" at {at}") };
        return refused(format!("must be an object{at}, as the contract's schema has it"));
    }
    match unnamed(&root, schema, given).as_slice() {
        [] => Ok(()),
        names => refused(format!(
            "has what the contract's schema does not name, and would be lost: {}",
            names.join(", ")
        )),
    }
}

fn parsed() -> Result<Value> {
    serde_json::from_str(SCHEMA).map_err(|it| broken(&it.to_string()))
}

fn broken(why: &str) -> DebugError {
    DebugError::Unreadable { what: "the schema".to_owned(), why: why.to_owned() }
}

const CHARS_MAX: usize = 200;

/// What is wrong with a document, and where.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SchemaFault {
    /// A JSON pointer; empty: the document itself.
    pub at: String,
    /// It does not tell the value, which may be anything, and of any size.
    pub why: String,
}

pub(super) fn shortened(text: &str) -> String {
    match text.char_indices().nth(CHARS_MAX) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

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

const UNNAMED_MAX: usize = 20;

pub(super) fn unnamed(root: &Value, schema: &Value, value: &Value) -> Vec<String> {
    let mut found = Vec::new();
    walk(root, schema, value, &mut String::new(), &mut |at, schema, _| {
        if schema.is_none() && found.len() < UNNAMED_MAX {
            found.push(shortened(at));
        }
    });
    found
}

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

#[cfg(test)]
mod tests;
