//! What a `<memory_update>` asks for (spec 003, "LLM Memory Update Keys").

mod archival;
mod core;
mod operation;
mod recall;
#[cfg(test)]
mod tests;

use serde_json::Value;

use super::ReplyError;
use super::field::Field;
use super::limits::{
    NAME_BYTES_MAX, SEARCH_RESULTS_MAX as K_MAX, UNKNOWN_TOLD_MAX, UPDATE_BYTES_MAX,
};
use crate::event::Json;

pub use archival::{ArchivalChange, ArchivalSearch, ArchivalWrite};
pub use core::CoreWrite;
pub use operation::Operation;
pub use recall::{RecallEvict, RecallSearch, RecallWrite};

/// What a `<memory_update>` asks for. The fields stand in the order in which they are applied.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Updates {
    /// By key; each key once.
    pub core: Vec<CoreWrite>,
    /// Each key once, in the order given.
    pub core_get: Vec<String>,
    pub core_delete: Vec<String>,
    pub archival: Vec<ArchivalWrite>,
    pub archival_update: Vec<ArchivalChange>,
    pub archival_search: Option<ArchivalSearch>,
    pub recall: Vec<RecallWrite>,
    pub recall_search: Option<RecallSearch>,
    pub recall_evict: Option<RecallEvict>,
    pub recall_summarize: bool,
    pub consolidate: bool,
    /// Keys that mean nothing here: the first of them, in order of their names. Nothing is done
    /// about them.
    pub unknown: Vec<String>,
}

impl Updates {
    /// Reads the text of a `<memory_update>`; an empty one asks for nothing.
    ///
    /// A key that is there twice counts as it is last, as in every common parser.
    ///
    /// # Errors
    /// Where it is no JSON object, a value is of the wrong type, or it is too large or too deep.
    pub fn parse(text: &str) -> Result<Self, ReplyError> {
        let text = text.trim();
        if text.is_empty() {
            return Ok(Self::default());
        }
        if text.len() > UPDATE_BYTES_MAX {
            let (what, bytes) = ("<memory_update> block", text.len());
            return Err(ReplyError::TooLarge { what, bytes, bytes_max: UPDATE_BYTES_MAX });
        }
        let malformed = |why: String| ReplyError::MalformedMemoryUpdate { why };
        // What is canonical is not too deep, and has no half of a character in it.
        let canonical =
            Json::canonical("memory_update", text).map_err(|why| malformed(why.to_string()))?;
        let value = serde_json::from_str(&canonical.0).map_err(|why| malformed(why.to_string()))?;
        Self::of(&value)
    }

    /// Reads a JSON value, as a caller of the library or of a pipe gives it.
    ///
    /// # Errors
    /// As [`Self::parse`].
    pub fn of(value: &Value) -> Result<Self, ReplyError> {
        let Some(object) = value.as_object() else {
            let why = format!("it is {}", Field::new("memory_update", value).is());
            return Err(ReplyError::MalformedMemoryUpdate { why });
        };
        let mut updates = Self::default();
        let mut seen: Vec<(Operation, &str)> = Vec::new();
        for (name, value) in object {
            let Some(operation) = Operation::parse(name) else {
                if updates.unknown.len() < UNKNOWN_TOLD_MAX {
                    updates
                        .unknown
                        .push(name[..name.floor_char_boundary(NAME_BYTES_MAX)].to_owned());
                }
                continue;
            };
            if let Some((_, first)) = seen.iter().find(|(one, _)| *one == operation) {
                let (first, second) = ((*first).to_owned(), name.clone());
                return Err(ReplyError::TwoNames { first, second });
            }
            seen.push((operation, name));
            // Nothing is asked for.
            if !value.is_null() {
                updates.read(operation, &Field::new(name.as_str(), value))?;
            }
        }
        Ok(updates)
    }

    fn read(&mut self, operation: Operation, field: &Field<'_>) -> Result<(), ReplyError> {
        match operation {
            Operation::CoreSet => {
                let object = field.object("an object of keys and values")?;
                field.bounded(object.len(), "keys")?;
                for (key, value) in object {
                    let name = Value::String(key.clone());
                    Field::new(field.at.clone(), &name).name()?;
                    let value = Field::new(format!("{}.{key}", field.at), value);
                    self.core.push(CoreWrite::read(key, &value)?);
                }
            }
            Operation::CoreGet => self.core_get = field.names()?,
            Operation::CoreDelete => self.core_delete = field.names()?,
            Operation::ArchivalWrite => self.archival = list(field, ArchivalWrite::read)?,
            Operation::ArchivalUpdate => self.archival_update = list(field, ArchivalChange::read)?,
            Operation::ArchivalSearch => self.archival_search = Some(ArchivalSearch::read(field)?),
            Operation::RecallAppend => self.recall = list(field, RecallWrite::read)?,
            Operation::RecallSearch => self.recall_search = Some(RecallSearch::read(field)?),
            Operation::RecallEvict => self.recall_evict = Some(RecallEvict::read(field)?),
            Operation::RecallSummarize => self.recall_summarize = truth(field)?,
            Operation::Consolidate => self.consolidate = truth(field)?,
        }
        Ok(())
    }

    /// What it asks for, in order of application.
    pub fn asked(&self) -> Vec<Operation> {
        Operation::ALL.into_iter().filter(|operation| self.asks(*operation)).collect()
    }

    /// Whether it asks for this.
    pub fn asks(&self, operation: Operation) -> bool {
        match operation {
            Operation::CoreSet => !self.core.is_empty(),
            Operation::CoreGet => !self.core_get.is_empty(),
            Operation::CoreDelete => !self.core_delete.is_empty(),
            Operation::ArchivalWrite => !self.archival.is_empty(),
            Operation::ArchivalUpdate => !self.archival_update.is_empty(),
            Operation::ArchivalSearch => self.archival_search.is_some(),
            Operation::RecallAppend => !self.recall.is_empty(),
            Operation::RecallSearch => self.recall_search.is_some(),
            Operation::RecallEvict => self.recall_evict.is_some(),
            Operation::RecallSummarize => self.recall_summarize,
            Operation::Consolidate => self.consolidate,
        }
    }

    /// Whether it asks for nothing.
    pub fn is_empty(&self) -> bool {
        self.asked().is_empty()
    }

    /// Whether it reads: then the model is asked again, with what was found.
    pub fn has_reads(&self) -> bool {
        self.asked().into_iter().any(Operation::is_read)
    }

    /// Whether it reads and changes nothing.
    pub fn is_read_only(&self) -> bool {
        let asked = self.asked();
        !asked.is_empty() && asked.into_iter().all(Operation::is_read)
    }
}

fn list<T>(
    field: &Field<'_>,
    read: impl Fn(&Field<'_>) -> Result<T, ReplyError>,
) -> Result<Vec<T>, ReplyError> {
    field.elements()?.iter().map(read).collect()
}

/// `true`, or an object of parameters; the reference takes both.
fn truth(field: &Field<'_>) -> Result<bool, ReplyError> {
    match field.value {
        Value::Bool(truth) => Ok(*truth),
        Value::Object(_) => Ok(true),
        _ => Err(field.wrong("true or false")),
    }
}
