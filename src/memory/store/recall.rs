//! Rows of recall memory.

use rusqlite::{OptionalExtension, params};

use super::{Memory, json_numbers};
use crate::store::StoreError;

/// An event as it is remembered.
#[derive(Clone, Copy, Debug)]
pub struct RecallRow<'a> {
    pub id: i64,
    pub branch: &'a str,
    pub kind: &'a str,
    pub text: &'a str,
    /// A JSON array.
    pub tags: &'a str,
    /// Seconds.
    pub created_at: f64,
    pub task_hint: Option<&'a str>,
    pub memory_size: Option<i64>,
}

/// A summary of inherited events.
#[derive(Clone, Copy, Debug)]
pub struct SummaryRow<'a> {
    pub id: i64,
    pub branch: &'a str,
    pub kind: &'a str,
    pub text: &'a str,
    /// The events it stands for.
    pub ids: &'a [u64],
    /// Seconds.
    pub created_at: f64,
}

impl Memory {
    /// Appends an event, whose number must be free.
    pub fn insert_event(&mut self, row: &RecallRow<'_>) -> Result<(), StoreError> {
        let insert = "INSERT INTO events (id, branch_id, kind, text, tags, created_at, task_hint, \
                      memory_size) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
        let values = params![
            row.id,
            row.branch,
            row.kind,
            row.text,
            row.tags,
            row.created_at,
            row.task_hint,
            row.memory_size
        ];
        self.change(insert, values, "inserting an event").map(drop)
    }

    /// Removes an event of a branch's own; `false` where it has none of that number.
    pub fn remove_event(&mut self, branch: &str, id: i64) -> Result<bool, StoreError> {
        let delete = "DELETE FROM events WHERE id = ?2 AND branch_id = ?1";
        Ok(self.change(delete, params![branch, id], "removing an event")? > 0)
    }

    /// Whether an event has this number.
    pub fn has_event(&self, id: i64) -> Result<bool, StoreError> {
        self.has("SELECT 1 FROM events WHERE id = ?1", id)
    }

    /// Whether a summary has this number.
    pub fn has_summary(&self, id: i64) -> Result<bool, StoreError> {
        self.has("SELECT 1 FROM inherited_summaries WHERE id = ?1", id)
    }

    fn has(&self, sql: &str, id: i64) -> Result<bool, StoreError> {
        let found = self
            .conn
            .prepare_cached(sql)
            .and_then(|mut find| find.query_row([id], |_| Ok(())).optional());
        Ok(found.map_err(|source| self.failed("looking a number up", source))?.is_some())
    }

    /// Appends a summary; the branch no longer sees what it stands for.
    pub fn insert_summary(&mut self, row: &SummaryRow<'_>) -> Result<(), StoreError> {
        let doing = "inserting a summary";
        let insert = "INSERT INTO inherited_summaries (id, branch_id, summary_text, \
                      summarized_event_ids, kind, created_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
        let ids = json_numbers(row.ids);
        let values = params![row.id, row.branch, row.text, ids, row.kind, row.created_at];
        self.change(insert, values, doing)?;
        let exclude = "INSERT INTO inherited_exclusions (branch_id, excluded_event_id, \
                       excluded_at) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING";
        for id in row.ids.iter().filter_map(|id| i64::try_from(*id).ok()) {
            self.change(exclude, params![row.branch, id, row.created_at], doing)?;
        }
        Ok(())
    }
}
