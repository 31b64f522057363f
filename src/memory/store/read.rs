//! What `memory.db` holds, read row by row along its indexes; what a branch sees of it is asked in
//! `query`.

use rusqlite::{Row, params};
use serde::Serialize;

use super::{MemoryView, Place, WIDE, json_texts};
use crate::event::wire;
use crate::store::Result;

/// An event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RecallEvent {
    pub id: u64,
    /// The branch it is of.
    pub branch: String,
    pub kind: String,
    pub text: String,
    pub tags: Vec<String>,
    #[serde(flatten, serialize_with = "wire::seconds_and_utc")]
    pub at_ms: u64,
    pub task_hint: Option<String>,
    pub memory_size: Option<u64>,
}

/// Inherited events that became one text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RecallSummary {
    pub id: u64,
    /// The branch that made it.
    pub branch: String,
    pub kind: String,
    pub text: String,
    /// The events it stands for.
    pub events: Vec<u64>,
    #[serde(flatten, serialize_with = "wire::seconds_and_utc")]
    pub at_ms: u64,
}

fn event(row: &Row<'_>) -> rusqlite::Result<RecallEvent> {
    Ok(RecallEvent {
        id: row.get(0)?,
        branch: row.get(1)?,
        kind: row.get(2)?,
        text: row.get(3)?,
        tags: tags_at(row, 4)?,
        at_ms: ms(row.get(5)?),
        task_hint: row.get(6)?,
        memory_size: row.get(7)?,
    })
}

fn summary(row: &Row<'_>) -> rusqlite::Result<RecallSummary> {
    Ok(RecallSummary {
        id: row.get(0)?,
        branch: row.get(1)?,
        kind: row.get(2)?,
        text: row.get(3)?,
        events: serde_json::from_str(row.get_ref(4)?.as_str()?).unwrap_or_default(),
        at_ms: ms(row.get(5)?),
    })
}

impl MemoryView<'_> {
    pub fn event(&self, id: u64) -> Result<Option<RecallEvent>> {
        let sql = "SELECT id, branch_id, kind, text, tags, created_at, task_hint, memory_size \
                   FROM events WHERE id = ?1";
        self.row(sql, [id], event)
    }

    pub fn owner_of_event(&self, id: u64) -> Result<Option<String>> {
        self.row("SELECT branch_id FROM events WHERE id = ?1", [id], |row| row.get(0))
    }

    /// The event of a branch that says the very same.
    pub fn same_event(
        &self,
        branch: &str,
        kind: &str,
        text: &str,
        tags: &[String],
    ) -> Result<Option<u64>> {
        let sql = "SELECT id FROM events INDEXED BY idx_events_same WHERE branch_id = ?1 \
                   AND kind = ?2 AND length(text) = length(?3) \
                   AND substr(text, 1, 32) = substr(?3, 1, 32) \
                   AND substr(text, -32) = substr(?3, -32) AND text = ?3 AND tags = ?4 \
                   ORDER BY id LIMIT 1";
        self.row(sql, [branch, kind, text, &json_texts(tags)], |row| row.get(0))
    }

    /// What a branch excluded of what it inherits, and when (Unix milliseconds).
    pub fn exclusions(&self, branch: &str) -> Result<Vec<(u64, u64)>> {
        let sql = "SELECT excluded_event_id, excluded_at FROM inherited_exclusions \
                   WHERE branch_id = ?1";
        self.rows(sql, [branch], |row| Ok((row.get(0)?, ms(row.get(1)?))))
    }

    /// What a branch made of inherited events, newest first.
    pub fn summaries(&self, branch: &str) -> Result<Vec<RecallSummary>> {
        let sql = "SELECT id, branch_id, kind, summary_text, summarized_event_ids, created_at \
                   FROM inherited_summaries INDEXED BY idx_inherited_summaries_branch \
                   WHERE branch_id = ?1 ORDER BY created_at DESC, id DESC";
        self.rows(sql, [branch], summary)
    }
}

/// An archived text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ArchivalRecord {
    pub id: u64,
    /// The branch it is of.
    pub branch: String,
    pub text: String,
    pub tags: Vec<String>,
    #[serde(flatten, serialize_with = "wire::seconds_and_utc")]
    pub at_ms: u64,
}

fn record(row: &Row<'_>) -> rusqlite::Result<ArchivalRecord> {
    let (id, branch, text) = (row.get(0)?, row.get(1)?, row.get(2)?);
    Ok(ArchivalRecord { id, branch, text, tags: tags_at(row, 3)?, at_ms: ms(row.get(4)?) })
}

impl MemoryView<'_> {
    pub fn record(&self, id: u64) -> Result<Option<ArchivalRecord>> {
        let sql = "SELECT id, branch_id, text, tags, created_at FROM archival WHERE id = ?1";
        self.row(sql, [id], record)
    }

    /// A record's row, where its text and its tags (JSON) are as they must be.
    pub fn record_if(
        &self,
        id: u64,
        is_met: impl FnOnce(&str, &str) -> bool,
    ) -> Result<Option<ArchivalRecord>> {
        let sql = "SELECT id, branch_id, text, tags, created_at FROM archival WHERE id = ?1";
        let found = self.row(sql, [id], |row| {
            let met = is_met(row.get_ref(2)?.as_str()?, row.get_ref(3)?.as_str()?);
            if met { record(row).map(Some) } else { Ok(None) }
        })?;
        Ok(found.flatten())
    }

    /// Whether any branch has a record of `Listed::Wide`.
    pub fn has_wide(&self) -> Result<bool> {
        // From the first name on: a look at the index's first entry.
        let sql = format!(
            "SELECT 1 FROM archival INDEXED BY idx_archival_wide WHERE branch_id >= '' AND ({WIDE}) \
             LIMIT 1"
        );
        Ok(self.row(&sql, [], |_| Ok(()))?.is_some())
    }

    /// The branch that a record is of, and its place there.
    pub fn place_of_record(&self, id: u64) -> Result<Option<(String, Place)>> {
        let sql = "SELECT branch_id, created_at FROM archival WHERE id = ?1";
        self.row(sql, [id], |row| Ok((row.get(0)?, Place { at: row.get(1)?, id })))
    }

    /// The record of a branch that says the very same.
    pub fn same_record(&self, branch: &str, text: &str, tags: &[String]) -> Result<Option<u64>> {
        let sql = "SELECT id FROM archival INDEXED BY idx_archival_same WHERE branch_id = ?1 \
                   AND length(text) = length(?2) AND substr(text, 1, 32) = substr(?2, 1, 32) \
                   AND substr(text, -32) = substr(?2, -32) AND text = ?2 AND tags = ?3 \
                   ORDER BY id LIMIT 1";
        self.row(sql, [branch, text, &json_texts(tags)], |row| row.get(0))
    }

    /// How many characters a branch's own records have.
    pub fn archived_chars(&self, branch: &str) -> Result<u64> {
        let sql = "SELECT coalesce(sum(length(text)), 0) FROM archival \
                   INDEXED BY idx_archival_same WHERE branch_id = ?1";
        Ok(self.row(sql, [branch], |row| row.get(0))?.unwrap_or(0))
    }

    /// Records that the full-text index finds, of all branches, by number, those above `above`. Upwards:
    /// it is written that way, and reads it twice as fast.
    ///
    /// `query` is FTS5's language: what a person typed never goes in as it is.
    pub fn postings(&self, query: &str, above: i64, limit: u64) -> Result<Vec<u64>> {
        let sql = "SELECT rowid FROM archival_fts WHERE archival_fts MATCH ?1 AND rowid > ?2 \
                   ORDER BY rowid LIMIT ?3";
        self.rows(sql, params![query, above, limit], |row| row.get(0))
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Branch {
    pub branch: String,
    pub parent: Option<String>,
    pub node: Option<String>,
    pub created_ms: u64,
}

fn branch(row: &Row<'_>) -> rusqlite::Result<Branch> {
    let (branch, parent, node) = (row.get(0)?, row.get(1)?, row.get(2)?);
    Ok(Branch { branch, parent, node, created_ms: ms(row.get(3)?) })
}

impl MemoryView<'_> {
    pub fn branch(&self, id: &str) -> Result<Option<Branch>> {
        let sql = "SELECT id, parent_id, node_uid, created_at FROM branches WHERE id = ?1";
        self.row(sql, [id], branch)
    }

    /// The branch that stands for a node; of several the first by name.
    pub fn branch_of_node(&self, node: &str) -> Result<Option<String>> {
        let sql = "SELECT min(id) FROM branches INDEXED BY idx_branches_node WHERE node_uid = ?1";
        Ok(self.row(sql, [node], |row| row.get(0))?.flatten())
    }

    /// Branches by name, those after `after`.
    pub fn branches(&self, after: &str, limit: u64) -> Result<Vec<Branch>> {
        let sql = "SELECT id, parent_id, node_uid, created_at FROM branches WHERE id > ?1 \
                   ORDER BY id LIMIT ?2";
        self.rows(sql, (after, limit), branch)
    }

    /// How many branches were forked from one.
    pub fn children(&self, parent: &str) -> Result<u64> {
        let sql =
            "SELECT count(*) FROM branches INDEXED BY idx_branches_parent WHERE parent_id = ?1";
        Ok(self.row(sql, [parent], |row| row.get(0))?.unwrap_or(0))
    }
}

/// A key of one branch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredCore {
    pub key: String,
    /// `None`: deleted or evicted here, and hidden from here on down.
    pub value: Option<String>,
    pub updated_ms: u64,
    pub importance: Option<i64>,
    pub ttl: Option<String>,
}

fn core(row: &Row<'_>) -> rusqlite::Result<StoredCore> {
    let (key, value, updated_ms) = (row.get(0)?, row.get(1)?, ms(row.get(2)?));
    Ok(StoredCore { key, value, updated_ms, importance: row.get(3)?, ttl: row.get(4)? })
}

impl MemoryView<'_> {
    pub fn core(&self, branch: &str) -> Result<Vec<StoredCore>> {
        let sql = "SELECT k.key, k.value, k.updated_at, m.importance, m.ttl FROM core_kv k \
                   LEFT JOIN core_meta m ON m.branch_id = k.branch_id AND m.key = k.key \
                   WHERE k.branch_id = ?1 ORDER BY k.key";
        self.rows(sql, [branch], core)
    }
}

/// Unix seconds of a store as the journal's milliseconds, from which they were derived.
pub(super) fn ms(seconds: f64) -> u64 {
    // A float is clamped to what fits by the cast.
    (seconds * 1_000.0).round() as u64
}

fn tags_at(row: &Row<'_>, at: usize) -> rusqlite::Result<Vec<String>> {
    Ok(tags(row.get_ref(at)?.as_str()?))
}

/// A JSON array of strings; anything else counts as none.
pub fn tags(json: &str) -> Vec<String> {
    serde_json::from_str(json).unwrap_or_default()
}
