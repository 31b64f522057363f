//! Rows of `archival`, and what the full-text index finds in them.

use rusqlite::{Row, params};

use super::super::MemoryView;
use crate::store::StoreError;

/// An archived text.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredRecord {
    pub id: u64,
    pub branch: String,
    pub text: String,
    /// A JSON array of strings.
    pub tags: String,
    /// Unix seconds.
    pub created_at: f64,
}

fn record(row: &Row<'_>) -> rusqlite::Result<StoredRecord> {
    let (id, branch, text) = (row.get(0)?, row.get(1)?, row.get(2)?);
    Ok(StoredRecord { id, branch, text, tags: row.get(3)?, created_at: row.get(4)? })
}

impl MemoryView<'_> {
    /// A record's row.
    pub fn record(&self, id: u64) -> Result<Option<StoredRecord>, StoreError> {
        let sql = "SELECT id, branch_id, text, tags, created_at FROM archival WHERE id = ?1";
        self.row(sql, [id], record)
    }

    /// A record's row, where its text and its tags (JSON) are as they must be.
    pub fn record_if(
        &self,
        id: u64,
        is_met: impl FnOnce(&str, &str) -> bool,
    ) -> Result<Option<StoredRecord>, StoreError> {
        let sql = "SELECT id, branch_id, text, tags, created_at FROM archival WHERE id = ?1";
        let found = self.row(sql, [id], |row| {
            let met = is_met(row.get_ref(2)?.as_str()?, row.get_ref(3)?.as_str()?);
            if met { record(row).map(Some) } else { Ok(None) }
        })?;
        Ok(found.flatten())
    }

    /// Whether any branch has a record of [`Listed::Wide`](super::Listed::Wide).
    pub fn has_wide(&self) -> Result<bool, StoreError> {
        // From the first name on: a look at the index's first entry.
        let sql = "SELECT 1 FROM archival INDEXED BY idx_archival_wide WHERE branch_id >= '' \
                   AND (length(CAST(text AS BLOB)) <> length(text) OR instr(tags, '\\') > 0) LIMIT 1";
        Ok(self.row(sql, [], |_| Ok(()))?.is_some())
    }

    /// The branch that a record is of, and when it was written (Unix seconds).
    pub fn owner_of_record(&self, id: u64) -> Result<Option<(String, f64)>, StoreError> {
        let sql = "SELECT branch_id, created_at FROM archival WHERE id = ?1";
        self.row(sql, [id], |row| Ok((row.get(0)?, row.get(1)?)))
    }

    /// The record of a branch that says the very same.
    pub fn same_record(
        &self,
        branch: &str,
        text: &str,
        tags: &str,
    ) -> Result<Option<u64>, StoreError> {
        let sql = "SELECT id FROM archival INDEXED BY idx_archival_same WHERE branch_id = ?1 \
                   AND length(text) = length(?2) AND substr(text, 1, 32) = substr(?2, 1, 32) \
                   AND substr(text, -32) = substr(?2, -32) AND text = ?2 AND tags = ?3 \
                   ORDER BY id LIMIT 1";
        self.row(sql, [branch, text, tags], |row| row.get(0))
    }

    /// How many characters a branch's own records have.
    pub fn archived_chars(&self, branch: &str) -> Result<u64, StoreError> {
        let sql = "SELECT coalesce(sum(length(text)), 0) FROM archival \
                   INDEXED BY idx_archival_same WHERE branch_id = ?1";
        Ok(self.row(sql, [branch], |row| row.get(0))?.unwrap_or(0))
    }

    /// Records that the full-text index finds, of all branches, by number, those above `above`. Upwards:
    /// it is written that way, and reads it twice as fast.
    ///
    /// `query` is FTS5's language: what a person typed never goes in as it is.
    pub fn postings(&self, query: &str, above: i64, limit: u64) -> Result<Vec<u64>, StoreError> {
        let sql = "SELECT rowid FROM archival_fts WHERE archival_fts MATCH ?1 AND rowid > ?2 \
                   ORDER BY rowid LIMIT ?3";
        self.rows(sql, params![query, above, limit], |row| row.get(0))
    }
}
