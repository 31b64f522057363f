//! What a `<memory_update>` asks for (spec 003, "LLM Memory Update Keys").

mod entries;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::ops::Not;

use serde::{Serialize, Serializer};
use serde_json::Value;

use super::field::Field;
use super::limits::{
    KEY_TOLD_BYTES_MAX, NAME_BYTES_MAX, SEARCH_RESULTS_MAX as K_MAX, UNKNOWN_TOLD_MAX,
    UPDATE_BYTES_MAX,
};
use super::{ReplyError, Result};
use crate::event::Json;
use crate::parse::seconds::is_seconds;

pub use entries::{
    ArchivalChange, ArchivalWrite, CoreWrite, MemorySearch, RecallEvict, RecallWrite,
};

/// What a `<memory_update>` asks for. The fields stand in the order in which they are applied. As JSON
/// it is what `apply_llm_memory_updates` takes, without what is not asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Updates {
    /// By key; each key once.
    #[serde(skip_serializing_if = "Vec::is_empty", serialize_with = "by_key")]
    pub core: Vec<CoreWrite>,
    /// Each key once, in the order given.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub core_get: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub core_delete: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub archival: Vec<ArchivalWrite>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub archival_update: Vec<ArchivalChange>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub archival_search: Option<MemorySearch>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub recall: Vec<RecallWrite>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recall_search: Option<MemorySearch>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recall_evict: Option<RecallEvict>,
    #[serde(skip_serializing_if = "Not::not")]
    pub recall_summarize: bool,
    #[serde(skip_serializing_if = "Not::not")]
    pub consolidate: bool,
    /// Keys that mean nothing here: the beginnings of the first of them, in order of their names.
    #[serde(skip)]
    pub unknown: Vec<String>,
}

fn by_key<S: Serializer>(core: &[CoreWrite], to: S) -> std::result::Result<S::Ok, S::Error> {
    core.iter().map(|write| (&write.key, write)).collect::<BTreeMap<_, _>>().serialize(to)
}

impl Updates {
    /// Reads the text of a `<memory_update>`; an empty one asks for nothing.
    ///
    /// A key that is there twice counts as it is last, as in every common parser.
    pub fn parse(text: &str) -> Result<Self> {
        Self::parse_of("<memory_update> block", text)
    }

    /// As [`Self::parse`]; an error says what it was.
    pub(super) fn parse_of(what: &'static str, text: &str) -> Result<Self> {
        let text = text.trim();
        if text.is_empty() {
            return Ok(Self::default());
        }
        if text.len() > UPDATE_BYTES_MAX {
            let bytes = text.len();
            return Err(ReplyError::TooLarge { what, bytes, bytes_max: UPDATE_BYTES_MAX });
        }
        let malformed = |why: String| ReplyError::MalformedMemoryUpdate { what, why };
        // What is canonical is not too deep, and has no half of a character in it.
        let canonical =
            Json::canonical("memory_update", text).map_err(|why| malformed(why.to_string()))?;
        let value = serde_json::from_str(&canonical.0).map_err(|why| malformed(why.to_string()))?;
        Self::of_value(what, &value)
    }

    /// Reads a JSON value, as a caller of the library or of a pipe gives it.
    pub fn of(value: &Value) -> Result<Self> {
        Self::of_value("<memory_update> block", value)
    }

    fn of_value(what: &'static str, value: &Value) -> Result<Self> {
        let Some(object) = value.as_object() else {
            let why = format!("it is {}", Field::new("memory_update", value).is());
            return Err(ReplyError::MalformedMemoryUpdate { what, why });
        };
        let mut updates = Self::default();
        let mut seen: Vec<(Operation, &str)> = Vec::new();
        for (name, value) in object {
            let Some(operation) = Operation::parse(name) else {
                if updates.unknown.len() < UNKNOWN_TOLD_MAX {
                    updates.unknown.push(beginning(name));
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
        if !updates.unknown.is_empty() && updates.is_empty() {
            let (keys, known) = (updates.unknown, known());
            return Err(ReplyError::UnknownKeys { keys, known });
        }
        Ok(updates)
    }

    /// What of it means nothing, and is not done or not as it was meant: where, and why. The rest is
    /// done.
    pub fn left_out(&self) -> Vec<(String, String)> {
        let unknown = self.unknown.iter().map(|key| {
            let why = format!("means nothing in a <memory_update>, whose keys are {}", known());
            (key.clone(), why)
        });
        let endless = self.core.iter().filter_map(|write| {
            let ttl = write.ttl.as_deref().filter(|ttl| !is_seconds(ttl))?;
            let why = format!("{ttl:?} is no number of seconds: the value is kept for ever");
            Some((format!("core.{}.ttl", beginning(&write.key)), why))
        });
        unknown.chain(endless).collect()
    }

    fn read(&mut self, operation: Operation, field: &Field<'_>) -> Result<()> {
        match operation {
            Operation::CoreSet => {
                let object = field.object("an object of keys and values")?;
                field.bounded(object.len(), "keys")?;
                for (key, value) in object {
                    check_key(field, key)?;
                    let value = Field::new(format!("{}.{}", field.at, beginning(key)), value);
                    self.core.push(CoreWrite::read(key, &value)?);
                }
            }
            Operation::CoreGet => self.core_get = field.names()?,
            Operation::CoreDelete => self.core_delete = field.names()?,
            Operation::ArchivalWrite => self.archival = list(field, ArchivalWrite::read)?,
            Operation::ArchivalUpdate => self.archival_update = list(field, ArchivalChange::read)?,
            Operation::ArchivalSearch => {
                self.archival_search = Some(MemorySearch::of_archival(field)?)
            }
            Operation::RecallAppend => self.recall = list(field, RecallWrite::read)?,
            Operation::RecallSearch => self.recall_search = Some(MemorySearch::of_recall(field)?),
            Operation::RecallEvict => self.recall_evict = Some(RecallEvict::read(field)?),
            Operation::RecallSummarize => self.recall_summarize = truth(field)?,
            Operation::Consolidate => self.consolidate = truth(field)?,
        }
        Ok(())
    }

    /// What it asks for, in order of application.
    pub fn asked(&self) -> Vec<Operation> {
        Operation::TABLE.into_iter().map(|(it, ..)| it).filter(|it| self.asks(*it)).collect()
    }

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

    pub fn is_empty(&self) -> bool {
        self.asked().is_empty()
    }

    pub fn has_reads(&self) -> bool {
        self.asked().into_iter().any(Operation::is_read)
    }

    pub fn is_read_only(&self) -> bool {
        let asked = self.asked();
        !asked.is_empty() && asked.into_iter().all(Operation::is_read)
    }
}

/// A key is told by its beginning.
fn beginning(key: &str) -> String {
    key[..key.floor_char_boundary(KEY_TOLD_BYTES_MAX)].to_owned()
}

fn check_key(field: &Field<'_>, key: &str) -> Result<()> {
    match key.len() {
        0 => Err(field.invalid("has an empty key")),
        1..=NAME_BYTES_MAX if key.contains('\0') => {
            Err(field.invalid("has a key with a NUL in it: leave it out"))
        }
        1..=NAME_BYTES_MAX => Ok(()),
        bytes => {
            let (begins, bytes_max) = (beginning(key), NAME_BYTES_MAX);
            Err(ReplyError::LongKey { begins, bytes, bytes_max })
        }
    }
}

/// The keys that mean something.
fn known() -> String {
    Operation::TABLE.map(|(_, key, _)| key).join(", ")
}

fn list<T>(field: &Field<'_>, read: impl Fn(&Field<'_>) -> Result<T>) -> Result<Vec<T>> {
    field.elements()?.iter().map(read).collect()
}

/// `true`, or an object of parameters; the reference takes both.
fn truth(field: &Field<'_>) -> Result<bool> {
    match field.value {
        Value::Bool(truth) => Ok(*truth),
        Value::Object(_) => Ok(true),
        _ => Err(field.wrong("true or false")),
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    CoreSet,
    CoreGet,
    CoreDelete,
    ArchivalWrite,
    ArchivalUpdate,
    ArchivalSearch,
    RecallAppend,
    RecallSearch,
    RecallEvict,
    RecallSummarize,
    Consolidate,
}

impl Operation {
    /// In the order in which they are applied: each with the key of spec 003's table, and the name of the
    /// function that does it, which a model may write as well.
    const TABLE: [(Self, &str, Option<&str>); 11] = [
        (Self::CoreSet, "core", Some("mem_core_set")),
        (Self::CoreGet, "core_get", Some("mem_core_get")),
        (Self::CoreDelete, "core_delete", Some("mem_core_del")),
        (Self::ArchivalWrite, "archival", Some("mem_archival_write")),
        (Self::ArchivalUpdate, "archival_update", Some("mem_archival_update")),
        (Self::ArchivalSearch, "archival_search", Some("mem_archival_search")),
        (Self::RecallAppend, "recall", Some("mem_recall_append")),
        (Self::RecallSearch, "recall_search", Some("mem_recall_search")),
        (Self::RecallEvict, "recall_evict", Some("mem_recall_evict")),
        (Self::RecallSummarize, "recall_summarize", None),
        (Self::Consolidate, "consolidate", None),
    ];

    pub fn key(self) -> &'static str {
        Self::TABLE[self as usize].1
    }

    /// Whether its results are told to the model.
    pub fn is_read(self) -> bool {
        matches!(self, Self::CoreGet | Self::ArchivalSearch | Self::RecallSearch)
    }

    fn parse(name: &str) -> Option<Self> {
        let mut table = Self::TABLE.into_iter();
        table.find(|(_, key, alias)| *key == name || *alias == Some(name)).map(|(one, ..)| one)
    }
}

impl Serialize for Operation {
    fn serialize<S: Serializer>(&self, to: S) -> std::result::Result<S::Ok, S::Error> {
        to.serialize_str(self.key())
    }
}
