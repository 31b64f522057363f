//! Archival memory: texts with tags.

use super::seconds::{ms, tags};
use crate::execution::query::QueryError;
use crate::memory::store::{MemoryView, StoredRecord, json_texts};

/// An archived text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArchivalRecord {
    pub id: u64,
    /// The branch it is of.
    pub branch: String,
    pub text: String,
    pub tags: Vec<String>,
    /// Unix milliseconds.
    pub at_ms: u64,
}

impl From<StoredRecord> for ArchivalRecord {
    fn from(row: StoredRecord) -> Self {
        Self {
            id: row.id,
            branch: row.branch,
            text: row.text,
            tags: tags(&row.tags),
            at_ms: ms(row.created_at),
        }
    }
}

/// A record, whichever branch it is of.
pub fn record(view: &MemoryView<'_>, id: u64) -> Result<Option<ArchivalRecord>, QueryError> {
    Ok(view.record(id)?.map(ArchivalRecord::from))
}

/// The record of a branch's own that says the very same.
pub fn same_record(
    view: &MemoryView<'_>,
    branch: &str,
    text: &str,
    tags: &[String],
) -> Result<Option<u64>, QueryError> {
    Ok(view.same_record(branch, text, &json_texts(tags))?)
}
