//! The contract's schema of a debug session's document (JSON Schema 2020-12), and what is checked
//! against it.

mod check;
mod fault;
mod shape;
mod unnamed;
mod unsupported;
mod walk;

#[cfg(test)]
mod tests;

#[cfg(test)]
pub(crate) use tests::everything;

pub use fault::SchemaFault;

use serde_json::Value;

use super::DebugError;

/// The schema as JSON: the contract's YAML, word for word, without what is no schema of its own.
pub const SCHEMA: &str = include_str!("debug-memory.schema.json");

/// The contract's schema, ready to check documents.
pub struct DebugSchema {
    schema: Value,
    strict: bool,
}

impl DebugSchema {
    /// `strict`: its `format`s are asserted too (ruling 15).
    pub fn new(strict: bool) -> Result<Self, DebugError> {
        Ok(Self { schema: parsed()?, strict })
    }

    /// What is wrong with a document: at most twenty faults.
    pub fn faults(&self, document: &Value) -> Vec<SchemaFault> {
        check::check(&self.schema, document, self.strict)
    }

    /// The members that the schema does not name, as JSON pointers; it does not forbid them.
    pub fn unnamed(&self, document: &Value) -> Vec<String> {
        unnamed::unnamed(&self.schema, &self.schema, document)
    }

    /// What the schema takes of a document and import refuses, for nobody can keep it.
    pub(super) fn unkept(&self, document: &Value) -> Vec<SchemaFault> {
        unsupported::unkept(&self.schema, document)
    }
}

/// Refuses what a caller gives for a field where a list stands for an object, or a member is none of the
/// schema's: it would be taken for something else, or be lost.
pub(super) fn held_to_shape(field: &str, given: &Value) -> Result<(), DebugError> {
    let root = parsed()?;
    let Some(schema) = shape::shape(&root, field, given) else { return Ok(()) };
    let refused = |why: String| Err(DebugError::Field { field: field.to_owned(), why });
    if let Some(at) = shape::no_object(&root, schema, given) {
        let at = if at.is_empty() { String::new() } else { format!(" at {at}") };
        return refused(format!("must be an object{at}, as the contract's schema has it"));
    }
    match unnamed::unnamed(&root, schema, given).as_slice() {
        [] => Ok(()),
        names => refused(format!(
            "has what the contract's schema does not name, and would be lost: {}",
            names.join(", ")
        )),
    }
}

fn parsed() -> Result<Value, DebugError> {
    serde_json::from_str(SCHEMA).map_err(|it| broken(&it.to_string()))
}

fn broken(why: &str) -> DebugError {
    DebugError::Unreadable { what: "the schema".to_owned(), why: why.to_owned() }
}
