//! Rows of `events`, `inherited_exclusions` and `inherited_summaries`.

use rusqlite::Row;

use super::super::MemoryView;
use crate::store::StoreError;

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
