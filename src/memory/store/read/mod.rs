//! What `memory.db` holds, read row by row along its indexes; what a branch sees of it is asked in
//! `query/memory`.

mod core;
mod position;

use rusqlite::{Row, params};

use super::MemoryView;
use crate::store::StoreError;

pub use core::StoredCore;

pub use position::{Listed, Place};

#[cfg(test)]
thread_local! {
    /// What was asked on this thread, for the test that looks at the plans.
    static ASKED: std::cell::RefCell<std::collections::BTreeSet<String>> = Default::default();
}

#[cfg(test)]
pub(super) fn asked(sql: &str) {
    ASKED.with(|asked| asked.borrow_mut().insert(sql.to_owned()));
}

#[cfg(test)]
impl super::MemoryView<'_> {
    /// What was asked on this thread so far, each with the lines of its plan.
    pub fn plans(&self) -> rusqlite::Result<Vec<(String, Vec<String>)>> {
        let asked = ASKED.with(|asked| asked.borrow().clone());
        asked.into_iter().map(|sql| Ok((sql.clone(), self.plan(&sql)?))).collect()
    }
}

/// An event.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredEvent {
    pub id: u64,
    pub branch: String,
    pub kind: String,
    pub text: String,
    /// A JSON array of strings.
    pub tags: String,
    /// Unix seconds.
    pub created_at: f64,
    pub task_hint: Option<String>,
    pub memory_size: Option<u64>,
}

/// Inherited events as one text.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredSummary {
    pub id: u64,
    pub branch: String,
    pub kind: String,
    pub text: String,
    /// A JSON array of numbers.
    pub events: String,
    /// Unix seconds.
    pub created_at: f64,
}

fn event(row: &Row<'_>) -> rusqlite::Result<StoredEvent> {
    Ok(StoredEvent {
        id: row.get(0)?,
        branch: row.get(1)?,
        kind: row.get(2)?,
        text: row.get(3)?,
        tags: row.get(4)?,
        created_at: row.get(5)?,
        task_hint: row.get(6)?,
        memory_size: row.get(7)?,
    })
}

fn summary(row: &Row<'_>) -> rusqlite::Result<StoredSummary> {
    Ok(StoredSummary {
        id: row.get(0)?,
        branch: row.get(1)?,
        kind: row.get(2)?,
        text: row.get(3)?,
        events: row.get(4)?,
        created_at: row.get(5)?,
    })
}

impl MemoryView<'_> {
    /// An event's row.
    pub fn event(&self, id: u64) -> Result<Option<StoredEvent>, StoreError> {
        let sql = "SELECT id, branch_id, kind, text, tags, created_at, task_hint, memory_size \
                   FROM events WHERE id = ?1";
        self.row(sql, [id], event)
    }

    /// The branch that an event is of.
    pub fn owner_of_event(&self, id: u64) -> Result<Option<String>, StoreError> {
        self.row("SELECT branch_id FROM events WHERE id = ?1", [id], |row| row.get(0))
    }

    /// The event of a branch that says the very same.
    pub fn same_event(
        &self,
        branch: &str,
        kind: &str,
        text: &str,
        tags: &str,
    ) -> Result<Option<u64>, StoreError> {
        let sql = "SELECT id FROM events INDEXED BY idx_events_same WHERE branch_id = ?1 \
                   AND kind = ?2 AND length(text) = length(?3) \
                   AND substr(text, 1, 32) = substr(?3, 1, 32) \
                   AND substr(text, -32) = substr(?3, -32) AND text = ?3 AND tags = ?4 \
                   ORDER BY id LIMIT 1";
        self.row(sql, [branch, kind, text, tags], |row| row.get(0))
    }

    /// What a branch excluded of what it inherits, and when (Unix seconds).
    pub fn exclusions(&self, branch: &str) -> Result<Vec<(u64, f64)>, StoreError> {
        let sql = "SELECT excluded_event_id, excluded_at FROM inherited_exclusions \
                   WHERE branch_id = ?1";
        self.rows(sql, [branch], |row| Ok((row.get(0)?, row.get(1)?)))
    }

    /// What a branch made of inherited events, newest first.
    pub fn summaries(&self, branch: &str) -> Result<Vec<StoredSummary>, StoreError> {
        let sql = "SELECT id, branch_id, kind, summary_text, summarized_event_ids, created_at \
                   FROM inherited_summaries INDEXED BY idx_inherited_summaries_branch \
                   WHERE branch_id = ?1 ORDER BY created_at DESC, id DESC";
        self.rows(sql, [branch], summary)
    }
}

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

    /// Whether any branch has a record of [`Listed::Wide`](Listed::Wide).
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

/// A branch.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredBranch {
    pub id: String,
    pub parent: Option<String>,
    pub node: Option<String>,
    /// Unix seconds.
    pub created_at: f64,
}

fn branch(row: &Row<'_>) -> rusqlite::Result<StoredBranch> {
    let (id, parent, node) = (row.get(0)?, row.get(1)?, row.get(2)?);
    Ok(StoredBranch { id, parent, node, created_at: row.get(3)? })
}

impl MemoryView<'_> {
    /// A branch's row.
    pub fn branch(&self, id: &str) -> Result<Option<StoredBranch>, StoreError> {
        let sql = "SELECT id, parent_id, node_uid, created_at FROM branches WHERE id = ?1";
        self.row(sql, [id], branch)
    }

    /// The branch that stands for a node; of several the first by name.
    pub fn branch_of_node(&self, node: &str) -> Result<Option<String>, StoreError> {
        let sql = "SELECT min(id) FROM branches INDEXED BY idx_branches_node WHERE node_uid = ?1";
        Ok(self.row(sql, [node], |row| row.get(0))?.flatten())
    }

    /// Branches by name, those after `after`.
    pub fn branches(&self, after: &str, limit: u64) -> Result<Vec<StoredBranch>, StoreError> {
        let sql = "SELECT id, parent_id, node_uid, created_at FROM branches WHERE id > ?1 \
                   ORDER BY id LIMIT ?2";
        self.rows(sql, (after, limit), branch)
    }

    /// How many branches were forked from one.
    pub fn children(&self, parent: &str) -> Result<u64, StoreError> {
        let sql =
            "SELECT count(*) FROM branches INDEXED BY idx_branches_parent WHERE parent_id = ?1";
        Ok(self.row(sql, [parent], |row| row.get(0))?.unwrap_or(0))
    }
}
