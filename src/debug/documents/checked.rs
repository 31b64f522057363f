//! A document that was checked against the schema.

use serde_json::Value;

use super::read_documents;
use crate::debug::DebugError;
use crate::debug::schema::{DebugSchema, SchemaFault};

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

impl DocumentChecked {
    pub(crate) fn of(schema: &DebugSchema, at: usize, value: &Value) -> Self {
        let session_id = value.get("session_id").and_then(Value::as_str).map(str::to_owned);
        let (faults, unnamed) = (schema.faults(value), schema.unnamed(value));
        let unkept = if faults.is_empty() { schema.unkept(value) } else { Vec::new() };
        Self { document: at + 1, session_id, faults, unnamed, unkept }
    }

    /// Whether it is as the schema has it.
    pub fn is_valid(&self) -> bool {
        self.faults.is_empty()
    }
}

/// Checks the documents of a file; `strict`: formats too. `what` is what the file is called.
///
/// # Errors
/// Where the file cannot be read as documents at all.
pub fn validate(
    what: &str,
    bytes: &[u8],
    strict: bool,
) -> Result<Vec<DocumentChecked>, DebugError> {
    let schema = DebugSchema::new(strict)?;
    let documents = read_documents(what, bytes)?;
    let checked = documents.iter().enumerate();
    Ok(checked.map(|(at, value)| DocumentChecked::of(&schema, at, value)).collect())
}
