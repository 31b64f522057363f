//! Rows of somebody else's memory, whatever types they have.

use std::collections::BTreeMap;

use rusqlite::Row;
use rusqlite::types::ValueRef;
use serde::de::DeserializeOwned;

use super::{BYTES_MAX, ForeignError, ForeignMemory, ROWS_MAX, Result};
use crate::memory::store::{ArchivalRecord, Branch, RecallEvent, RecallSummary};

const STEP: usize = 1_000;
/// The latest time there is: the end of the year 9999.
const SECONDS_MAX: f64 = 253_402_300_799.0;

#[derive(Clone, Debug, PartialEq)]
pub struct ForeignCore {
    pub branch: String,
    pub key: String,
    pub value: Option<String>,
    pub importance: Option<i64>,
    pub ttl: Option<String>,
    pub at_ms: u64,
}

/// An event that a branch no longer sees.
#[derive(Clone, Debug, PartialEq)]
pub struct ForeignExclusion {
    pub branch: String,
    pub event: u64,
    pub at_ms: u64,
}

impl ForeignMemory {
    pub fn branches(&self) -> Result<Vec<Branch>> {
        self.all("branches", "id, parent_id, node_uid, created_at", |row| {
            let (branch, parent, node) = (row.name(1)?, row.text(2)?, row.text(3)?);
            Ok(Branch { branch, parent, node, created_ms: row.ms(4) })
        })
    }

    pub fn core(&self) -> Result<Vec<ForeignCore>> {
        let columns = "branch_id, key, importance, ttl";
        let meta = self.all("core_meta", columns, |row| {
            Ok(((row.name(1)?, row.name(2)?), (row.integer(3), row.text(4)?)))
        })?;
        let mut meta: BTreeMap<_, _> = meta.into_iter().collect();
        self.all("core_kv", "branch_id, key, value, updated_at", |row| {
            let of = (row.name(1)?, row.name(2)?);
            let (importance, ttl) = meta.remove(&of).unwrap_or_default();
            let (branch, key) = of;
            Ok(ForeignCore { branch, key, value: row.text(3)?, importance, ttl, at_ms: row.ms(4) })
        })
    }

    pub fn events(&self) -> Result<Vec<RecallEvent>> {
        let columns = match self.has_hints {
            true => "branch_id, kind, text, tags, created_at, task_hint, memory_size",
            false => "branch_id, kind, text, tags, created_at, NULL, NULL",
        };
        self.all("events", columns, |row| {
            Ok(RecallEvent {
                id: row.number()?,
                branch: row.name(1)?,
                kind: row.text(2)?.unwrap_or_default(),
                text: row.text(3)?.unwrap_or_default(),
                tags: row.list(4)?,
                at_ms: row.ms(5),
                task_hint: row.text(6)?,
                memory_size: row.integer(7).and_then(|size| u64::try_from(size).ok()),
            })
        })
    }

    pub fn records(&self) -> Result<Vec<ArchivalRecord>> {
        self.all("archival", "branch_id, text, tags, created_at", |row| {
            Ok(ArchivalRecord {
                id: row.number()?,
                branch: row.name(1)?,
                text: row.text(2)?.unwrap_or_default(),
                tags: row.list(3)?,
                at_ms: row.ms(4),
            })
        })
    }

    /// What its branches no longer see.
    pub fn exclusions(&self) -> Result<Vec<ForeignExclusion>> {
        if !self.has_inherited {
            return Ok(Vec::new());
        }
        let (table, columns) =
            ("inherited_exclusions", "branch_id, excluded_event_id, excluded_at");
        self.all(table, columns, |row| {
            let event = row.integer(2).and_then(|event| u64::try_from(event).ok());
            let event = event.ok_or("its event is no number")?;
            Ok(ForeignExclusion { branch: row.name(1)?, event, at_ms: row.ms(3) })
        })
    }

    /// What its branches made of inherited events.
    pub fn summaries(&self) -> Result<Vec<RecallSummary>> {
        if !self.has_inherited {
            return Ok(Vec::new());
        }
        let columns = "branch_id, kind, summary_text, summarized_event_ids, created_at";
        self.all("inherited_summaries", columns, |row| {
            Ok(RecallSummary {
                id: row.number()?,
                branch: row.name(1)?,
                kind: row.text(2)?.unwrap_or_default(),
                text: row.text(3)?.unwrap_or_default(),
                events: row.list(4)?,
                at_ms: row.ms(5),
            })
        })
    }

    /// Every row of a table in order of its number, some at a time: a tree that leads back to itself
    /// ends where the numbers no longer rise.
    fn all<T>(
        &self,
        table: &'static str,
        columns: &str,
        mut read: impl FnMut(&Cells<'_, '_>) -> Result<T, String>,
    ) -> Result<Vec<T>> {
        let sql = format!(
            "SELECT rowid, {columns} FROM {table} NOT INDEXED WHERE rowid > ?1 ORDER BY rowid LIMIT {STEP}"
        );
        let failed = |source| self.unreadable("reading its rows", source);
        let mut statement = self.conn.prepare(&sql).map_err(failed)?;
        let mut found: Vec<T> = Vec::new();
        let mut last = i64::MIN;
        loop {
            let mut rows = statement.query([last]).map_err(failed)?;
            let mut count = 0;
            while let Some(row) = rows.next().map_err(failed)? {
                let id = row.get(0).map_err(failed)?;
                let refuse =
                    |why| ForeignError::Row { path: self.path.clone(), table, row: id, why };
                if id <= last && last != i64::MIN {
                    return Err(refuse("its number comes twice".to_owned()));
                }
                let cells = Cells { row };
                let bytes = self.bytes.get() + cells.bytes();
                if found.len() == ROWS_MAX || bytes > BYTES_MAX {
                    return Err(ForeignError::TooMany { path: self.path.clone(), table });
                }
                self.bytes.set(bytes);
                found.push(read(&cells).map_err(refuse)?);
                last = id;
                count += 1;
            }
            if count < STEP {
                return Ok(found);
            }
        }
    }
}

struct Cells<'r, 's> {
    row: &'r Row<'s>,
}

impl Cells<'_, '_> {
    fn value(&self, at: usize) -> ValueRef<'_> {
        // The statement has that column.
        self.row.get_ref(at).unwrap_or(ValueRef::Null)
    }

    /// Of its texts.
    fn bytes(&self) -> u64 {
        let texts = (0..self.row.as_ref().column_count()).map(|at| match self.value(at) {
            ValueRef::Text(text) => text.len() as u64,
            _ => 8,
        });
        texts.sum()
    }

    /// The row's number, as one that we could give.
    fn number(&self) -> Result<u64, String> {
        let number = self.integer(0).and_then(|number| u64::try_from(number).ok());
        number.filter(|number| *number > 0).ok_or_else(|| "its number is not above 0".to_owned())
    }

    fn text(&self, at: usize) -> Result<Option<String>, String> {
        match self.value(at) {
            ValueRef::Null => Ok(None),
            ValueRef::Integer(value) => Ok(Some(value.to_string())),
            ValueRef::Real(value) => Ok(Some(value.to_string())),
            ValueRef::Text(text) => Ok(Some(String::from_utf8_lossy(text).into_owned())),
            ValueRef::Blob(_) => Err(format!("its column {at} is no text")),
        }
    }

    /// A JSON array; what is none is empty.
    fn list<T: DeserializeOwned>(&self, at: usize) -> Result<Vec<T>, String> {
        let json = self.text(at)?.unwrap_or_default();
        Ok(serde_json::from_str(&json).unwrap_or_default())
    }

    /// A text that must be there.
    fn name(&self, at: usize) -> Result<String, String> {
        let name = self.text(at)?.filter(|name| !name.is_empty());
        name.ok_or_else(|| format!("its column {at} is empty"))
    }

    fn integer(&self, at: usize) -> Option<i64> {
        match self.value(at) {
            ValueRef::Integer(value) => Some(value),
            ValueRef::Text(text) => std::str::from_utf8(text).ok()?.trim().parse().ok(),
            _ => None,
        }
    }

    /// Seconds as milliseconds; what is no time is the beginning of all.
    fn ms(&self, at: usize) -> u64 {
        let seconds = match self.value(at) {
            ValueRef::Integer(value) => value as f64,
            ValueRef::Real(value) => value,
            _ => 0.0,
        };
        let seconds = if seconds.is_finite() { seconds.clamp(0.0, SECONDS_MAX) } else { 0.0 };
        (seconds * 1_000.0).round() as u64
    }
}
