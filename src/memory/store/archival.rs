//! Rows of archival memory, and of its full-text index.

use rusqlite::{OptionalExtension, params};

use super::Memory;
use crate::store::StoreError;

/// A text as it is archived.
#[derive(Clone, Copy, Debug)]
pub struct ArchivalRow<'a> {
    pub id: i64,
    pub branch: &'a str,
    pub text: &'a str,
    /// A JSON array.
    pub tags: &'a str,
    /// Seconds.
    pub created_at: f64,
}

impl Memory {
    /// Appends a record, whose number must be free.
    pub fn insert_archival(&mut self, row: &ArchivalRow<'_>) -> Result<(), StoreError> {
        let doing = "inserting a record";
        let insert = "INSERT INTO archival (id, branch_id, text, tags, created_at) \
                      VALUES (?1, ?2, ?3, ?4, ?5)";
        let values = params![row.id, row.branch, row.text, row.tags, row.created_at];
        self.change(insert, values, doing)?;
        // A load indexes all of them at its end.
        if !self.is_load() {
            let index = "INSERT INTO archival_fts (rowid, text, tags, branch_id) \
                         VALUES (?1, ?2, ?3, ?4)";
            self.change(index, params![row.id, row.text, row.tags, row.branch], doing)?;
        }
        Ok(())
    }

    /// The branch that a record is of.
    pub fn branch_of_archival(&self, id: i64) -> Result<Option<String>, StoreError> {
        let find = "SELECT branch_id FROM archival WHERE id = ?1";
        self.conn
            .prepare_cached(find)
            .and_then(|mut find| find.query_row([id], |row| row.get(0)).optional())
            .map_err(|source| self.failed("looking a record up", source))
    }

    /// Changes a record; what is `None` stays as it is.
    pub fn update_archival(
        &mut self,
        id: i64,
        text: Option<&str>,
        tags: Option<&str>,
    ) -> Result<(), StoreError> {
        let doing = "changing a record";
        let update = "UPDATE archival SET text = coalesce(?2, text), tags = coalesce(?3, tags) \
                      WHERE id = ?1";
        self.change(update, params![id, text, tags], doing)?;
        if !self.is_load() {
            let index = "UPDATE archival_fts SET text = coalesce(?2, text), \
                         tags = coalesce(?3, tags) WHERE rowid = ?1";
            self.change(index, params![id, text, tags], doing)?;
        }
        Ok(())
    }
}
