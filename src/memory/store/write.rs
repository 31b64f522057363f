//! Writing: one BEGIN IMMEDIATE from reading the cursor to writing it (R11), and the rows of what happened.
//! Times are Unix seconds (ruling 12).

use rusqlite::{OptionalExtension, ToSql, params};

use super::{CURSOR_TABLE, LAST_MS, Memory, json_numbers, json_texts, view};
use crate::event::{ArchivalUpdated, ArchivalWritten, CoreSet, InheritedGroup, RecallAppended};
use crate::execution::closed::signed;
use crate::store::{Cursor, Position, Rows, StoreError};

impl Memory {
    /// The cursor. To be trusted only after [`Self::begin`].
    pub fn cursor(&self) -> Result<Option<Cursor>, StoreError> {
        Cursor::read(&self.conn, CURSOR_TABLE)
            .map_err(|source| self.failed("reading the cursor", source))
    }

    /// The highest row ids that the tables really have.
    pub fn found_rows(&self) -> Result<Rows, StoreError> {
        super::found_rows(&self.conn).map_err(|source| self.failed("reading the last rows", source))
    }

    /// Begins a transaction that nobody else can write beside.
    pub fn begin(&mut self) -> Result<(), StoreError> {
        self.conn.begin("beginning to write")?;
        self.saved_ms.clear();
        self.last_ms = view::read_last_ms(&self.conn)
            .map_err(|source| self.failed("reading the last time", source))?;
        Ok(())
    }

    /// Ends the transaction with the cursor that vouches for its rows.
    pub fn commit(&mut self, position: Position) -> Result<(), StoreError> {
        self.write_last_ms()?;
        let cursor = Cursor { position, rows: self.found_rows()? };
        cursor
            .write(&self.conn, CURSOR_TABLE)
            .map_err(|source| self.failed("writing the cursor", source))?;
        self.conn.commit("committing")
    }

    /// Ends the transaction as if it had never been.
    pub fn rollback(&mut self) -> Result<(), StoreError> {
        self.saved_ms.clear();
        self.conn.rollback("giving up a transaction")
    }

    /// Begins a part of the transaction that can be undone alone. Parts may be nested.
    pub fn savepoint(&mut self) -> Result<(), StoreError> {
        self.run("SAVEPOINT part", "beginning a part")?;
        self.saved_ms.push(self.last_ms);
        Ok(())
    }

    /// Ends the innermost part; what it wrote stays, if the transaction does.
    pub fn release(&mut self) -> Result<(), StoreError> {
        self.run("RELEASE part", "ending a part")?;
        self.saved_ms.pop();
        Ok(())
    }

    /// Ends the innermost part as if it had never been.
    pub fn rollback_to(&mut self) -> Result<(), StoreError> {
        self.run("ROLLBACK TO part; RELEASE part", "giving up a part")?;
        if let Some(saved) = self.saved_ms.pop() {
            self.last_ms = saved;
        }
        Ok(())
    }

    /// Notes that an event happened here at this time, Unix milliseconds.
    pub fn touch(&mut self, at_ms: u64) {
        self.last_ms = self.last_ms.max(at_ms);
    }

    fn write_last_ms(&self) -> Result<(), StoreError> {
        let doing = "writing the last time";
        let last_ms = i64::try_from(self.last_ms).unwrap_or(i64::MAX);
        let update = "UPDATE sqlite_sequence SET seq = ?2 WHERE name = ?1";
        if self.change(update, params![LAST_MS, last_ms], doing)? == 0 && last_ms > 0 {
            let insert = "INSERT INTO sqlite_sequence (name, seq) VALUES (?1, ?2)";
            self.change(insert, params![LAST_MS, last_ms], doing)?;
        }
        Ok(())
    }
}

// Rows.

const PUT_CORE: &str = "INSERT INTO core_kv (branch_id, key, value, updated_at) \
                        VALUES (?1, ?2, ?3, ?4) ON CONFLICT (branch_id, key) \
                        DO UPDATE SET value = excluded.value, updated_at = excluded.updated_at";

impl Memory {
    /// Appends a branch, whose name must be free.
    pub fn insert_branch(
        &mut self,
        id: &str,
        parent: Option<&str>,
        node: Option<&str>,
        at: f64,
    ) -> Result<(), StoreError> {
        let insert = "INSERT INTO branches (id, parent_id, node_uid, created_at) \
                      VALUES (?1, ?2, ?3, ?4)";
        self.change(insert, params![id, parent, node, at], "inserting a branch").map(drop)
    }

    pub fn has_branch(&self, id: &str) -> Result<bool, StoreError> {
        self.has("SELECT 1 FROM branches WHERE id = ?1", id, "looking a branch up")
    }

    pub fn set_core(&mut self, set: &CoreSet, at: f64) -> Result<(), StoreError> {
        let doing = "writing a core value";
        self.change(PUT_CORE, params![set.branch, set.key, set.value, at], doing)?;
        let meta = "INSERT INTO core_meta (branch_id, key, importance, ttl, updated_at) \
                    VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT (branch_id, key) \
                    DO UPDATE SET importance = excluded.importance, ttl = excluded.ttl, \
                    updated_at = excluded.updated_at";
        let values = params![set.branch, set.key, set.importance, set.ttl, at];
        self.change(meta, values, doing).map(drop)
    }

    /// Puts a row without value in a key's place: what is inherited under it stays hidden.
    pub fn bury_core(&mut self, branch: &str, key: &str, at: f64) -> Result<(), StoreError> {
        let doing = "deleting a core value";
        self.change(PUT_CORE, params![branch, key, None::<&str>, at], doing)?;
        let meta = "DELETE FROM core_meta WHERE branch_id = ?1 AND key = ?2";
        self.change(meta, params![branch, key], doing).map(drop)
    }

    /// Says what a key is worth; `false` where the branch has none of that name.
    pub fn set_importance(
        &mut self,
        branch: &str,
        key: &str,
        importance: u8,
    ) -> Result<bool, StoreError> {
        let update = "UPDATE core_meta SET importance = ?3 WHERE branch_id = ?1 AND key = ?2";
        let values = params![branch, key, importance];
        Ok(self.change(update, values, "writing a key's importance")? > 0)
    }

    /// Appends an event, whose number must be free.
    pub fn insert_event(&mut self, event: &RecallAppended, at: f64) -> Result<(), StoreError> {
        let insert = "INSERT INTO events (id, branch_id, kind, text, tags, created_at, task_hint, \
                      memory_size) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
        let RecallAppended { id, branch, kind, text, tags, task_hint, memory_size, .. } = event;
        let (tags, size) = (json_texts(tags), memory_size.map(signed));
        let values = params![id, branch, kind, text, tags, at, task_hint, size];
        self.change(insert, values, "inserting an event").map(drop)
    }

    /// Removes an event of a branch's own; `false` where it has none of that number.
    pub fn remove_event(&mut self, branch: &str, id: i64) -> Result<bool, StoreError> {
        let delete = "DELETE FROM events WHERE id = ?2 AND branch_id = ?1";
        Ok(self.change(delete, params![branch, id], "removing an event")? > 0)
    }

    pub fn has_event(&self, id: u64) -> Result<bool, StoreError> {
        self.has("SELECT 1 FROM events WHERE id = ?1", id, "looking a number up")
    }

    pub fn has_summary(&self, id: u64) -> Result<bool, StoreError> {
        self.has("SELECT 1 FROM inherited_summaries WHERE id = ?1", id, "looking a number up")
    }

    /// Appends a summary; the branch no longer sees what it stands for.
    pub fn insert_summary(
        &mut self,
        branch: &str,
        group: &InheritedGroup,
        at: f64,
    ) -> Result<(), StoreError> {
        let doing = "inserting a summary";
        let insert = "INSERT INTO inherited_summaries (id, branch_id, summary_text, \
                      summarized_event_ids, kind, created_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
        let InheritedGroup { kind, ids, summary_id, summary } = group;
        let values = params![summary_id, branch, summary, json_numbers(ids), kind, at];
        self.change(insert, values, doing)?;
        let exclude = "INSERT INTO inherited_exclusions (branch_id, excluded_event_id, \
                       excluded_at) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING";
        for id in ids.iter().filter_map(|id| i64::try_from(*id).ok()) {
            self.change(exclude, params![branch, id, at], doing)?;
        }
        Ok(())
    }

    /// Appends a record, whose number must be free.
    pub fn insert_archival(&mut self, record: &ArchivalWritten, at: f64) -> Result<(), StoreError> {
        let doing = "inserting a record";
        let insert = "INSERT INTO archival (id, branch_id, text, tags, created_at) \
                      VALUES (?1, ?2, ?3, ?4, ?5)";
        let ArchivalWritten { id, branch, text, tags, .. } = record;
        let tags = json_texts(tags);
        self.change(insert, params![id, branch, text, tags, at], doing)?;
        // A load indexes all of them at its end.
        if !self.is_load() {
            let index = "INSERT INTO archival_fts (rowid, text, tags, branch_id) \
                         VALUES (?1, ?2, ?3, ?4)";
            self.change(index, params![id, text, tags, branch], doing)?;
        }
        Ok(())
    }

    pub fn branch_of_archival(&self, id: u64) -> Result<Option<String>, StoreError> {
        let find = "SELECT branch_id FROM archival WHERE id = ?1";
        self.conn
            .prepare_cached(find)
            .and_then(|mut find| find.query_row([id], |row| row.get(0)).optional())
            .map_err(|source| self.failed("looking a record up", source))
    }

    /// Changes a record; what is `None` stays as it is.
    pub fn update_archival(&mut self, updated: &ArchivalUpdated) -> Result<(), StoreError> {
        let doing = "changing a record";
        let update = "UPDATE archival SET text = coalesce(?2, text), tags = coalesce(?3, tags) \
                      WHERE id = ?1";
        let ArchivalUpdated { id, text, tags, .. } = updated;
        let tags = tags.as_deref().map(json_texts);
        self.change(update, params![id, text, tags], doing)?;
        if !self.is_load() {
            let index = "UPDATE archival_fts SET text = coalesce(?2, text), \
                         tags = coalesce(?3, tags) WHERE rowid = ?1";
            self.change(index, params![id, text, tags], doing)?;
        }
        Ok(())
    }

    fn has(&self, sql: &str, what: impl ToSql, doing: &'static str) -> Result<bool, StoreError> {
        let found = self
            .conn
            .prepare_cached(sql)
            .and_then(|mut find| find.query_row([what], |_| Ok(())).optional());
        Ok(found.map_err(|source| self.failed(doing, source))?.is_some())
    }
}
