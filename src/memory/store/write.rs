//! Writing: the rows of what happened, in transactions whose parts can be undone. Times are Unix seconds
//! (ruling 12).

use rusqlite::{ToSql, params};

use super::{LAST_MS, Memory, json_numbers, json_texts};
use crate::event::{ArchivalUpdated, ArchivalWritten, CoreSet, InheritedGroup, RecallAppended};
use crate::execution::closed::signed;
use crate::store::Result;

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
    ) -> Result<()> {
        let insert = "INSERT INTO branches (id, parent_id, node_uid, created_at) \
                      VALUES (?1, ?2, ?3, ?4)";
        self.conn.write("inserting a branch", insert, params![id, parent, node, at]).map(drop)
    }

    pub fn has_branch(&self, id: &str) -> Result<bool> {
        self.has("SELECT 1 FROM branches WHERE id = ?1", id, "looking a branch up")
    }

    pub fn set_core(&mut self, set: &CoreSet, at: f64) -> Result<()> {
        let doing = "writing a core value";
        self.conn.write(doing, PUT_CORE, params![set.branch, set.key, set.value, at])?;
        let meta = "INSERT INTO core_meta (branch_id, key, importance, ttl, updated_at) \
                    VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT (branch_id, key) \
                    DO UPDATE SET importance = excluded.importance, ttl = excluded.ttl, \
                    updated_at = excluded.updated_at";
        let values = params![set.branch, set.key, set.importance, set.ttl, at];
        self.conn.write(doing, meta, values).map(drop)
    }

    /// Puts a row without value in a key's place: what is inherited under it stays hidden.
    pub fn bury_core(&mut self, branch: &str, key: &str, at: f64) -> Result<()> {
        let doing = "deleting a core value";
        self.conn.write(doing, PUT_CORE, params![branch, key, None::<&str>, at])?;
        let meta = "DELETE FROM core_meta WHERE branch_id = ?1 AND key = ?2";
        self.conn.write(doing, meta, params![branch, key]).map(drop)
    }

    /// Says what a key is worth; `false` where the branch has none of that name.
    pub fn set_importance(&mut self, branch: &str, key: &str, importance: u8) -> Result<bool> {
        let update = "UPDATE core_meta SET importance = ?3 WHERE branch_id = ?1 AND key = ?2";
        let values = params![branch, key, importance];
        Ok(self.conn.write("writing a key's importance", update, values)? > 0)
    }

    /// Appends an event, whose number must be free.
    pub fn insert_event(&mut self, event: &RecallAppended, at: f64) -> Result<()> {
        let insert = "INSERT INTO events (id, branch_id, kind, text, tags, created_at, task_hint, \
                      memory_size) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
        let RecallAppended { id, branch, kind, text, tags, task_hint, memory_size, .. } = event;
        let (tags, size) = (json_texts(tags), memory_size.map(signed));
        let values = params![id, branch, kind, text, tags, at, task_hint, size];
        self.conn.write("inserting an event", insert, values).map(drop)
    }

    /// Removes an event of a branch's own; `false` where it has none of that number.
    pub fn remove_event(&mut self, branch: &str, id: i64) -> Result<bool> {
        let delete = "DELETE FROM events WHERE id = ?2 AND branch_id = ?1";
        Ok(self.conn.write("removing an event", delete, params![branch, id])? > 0)
    }

    pub fn has_event(&self, id: u64) -> Result<bool> {
        self.has("SELECT 1 FROM events WHERE id = ?1", id, "looking a number up")
    }

    pub fn has_summary(&self, id: u64) -> Result<bool> {
        self.has("SELECT 1 FROM inherited_summaries WHERE id = ?1", id, "looking a number up")
    }

    /// Appends a summary; the branch no longer sees what it stands for.
    pub fn insert_summary(&mut self, branch: &str, group: &InheritedGroup, at: f64) -> Result<()> {
        let doing = "inserting a summary";
        let insert = "INSERT INTO inherited_summaries (id, branch_id, summary_text, \
                      summarized_event_ids, kind, created_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
        let InheritedGroup { kind, ids, summary_id, summary } = group;
        let values = params![summary_id, branch, summary, json_numbers(ids), kind, at];
        self.conn.write(doing, insert, values)?;
        let exclude = "INSERT INTO inherited_exclusions (branch_id, excluded_event_id, \
                       excluded_at) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING";
        for id in ids.iter().filter_map(|id| i64::try_from(*id).ok()) {
            self.conn.write(doing, exclude, params![branch, id, at])?;
        }
        Ok(())
    }

    /// Appends a record, whose number must be free.
    pub fn insert_archival(&mut self, record: &ArchivalWritten, at: f64) -> Result<()> {
        let doing = "inserting a record";
        let insert = "INSERT INTO archival (id, branch_id, text, tags, created_at) \
                      VALUES (?1, ?2, ?3, ?4, ?5)";
        let ArchivalWritten { id, branch, text, tags, .. } = record;
        let tags = json_texts(tags);
        self.conn.write(doing, insert, params![id, branch, text, tags, at])?;
        // A load indexes all of them at its end.
        if !self.is_load() {
            let index = "INSERT INTO archival_fts (rowid, text, tags, branch_id) \
                         VALUES (?1, ?2, ?3, ?4)";
            self.conn.write(doing, index, params![id, text, tags, branch])?;
        }
        Ok(())
    }

    pub fn branch_of_archival(&self, id: u64) -> Result<Option<String>> {
        let find = "SELECT branch_id FROM archival WHERE id = ?1";
        self.conn.find("looking a record up", find, [id], |row| row.get(0))
    }

    /// Changes a record; what is `None` stays as it is.
    pub fn update_archival(&mut self, updated: &ArchivalUpdated) -> Result<()> {
        let doing = "changing a record";
        let update = "UPDATE archival SET text = coalesce(?2, text), tags = coalesce(?3, tags) \
                      WHERE id = ?1";
        let ArchivalUpdated { id, text, tags, .. } = updated;
        let tags = tags.as_deref().map(json_texts);
        self.conn.write(doing, update, params![id, text, tags])?;
        if !self.is_load() {
            let index = "UPDATE archival_fts SET text = coalesce(?2, text), \
                         tags = coalesce(?3, tags) WHERE rowid = ?1";
            self.conn.write(doing, index, params![id, text, tags])?;
        }
        Ok(())
    }

    /// The time of the last event, beside the numbers given last.
    pub(in crate::memory) fn write_last_ms(&self) -> Result<()> {
        let doing = "writing the last time";
        let last_ms = signed(self.last_ms);
        let update = "UPDATE sqlite_sequence SET seq = ?2 WHERE name = ?1";
        if self.conn.write(doing, update, params![LAST_MS, last_ms])? == 0 && last_ms > 0 {
            let insert = "INSERT INTO sqlite_sequence (name, seq) VALUES (?1, ?2)";
            self.conn.write(doing, insert, params![LAST_MS, last_ms])?;
        }
        Ok(())
    }

    /// Whether the file is being loaded from nothing.
    fn is_load(&self) -> bool {
        self.conn.is_alone()
    }

    fn has(&self, sql: &str, what: impl ToSql, doing: &'static str) -> Result<bool> {
        Ok(self.conn.find(doing, sql, [what], |_| Ok(()))?.is_some())
    }
}

// Parts of a transaction, which may be nested.

impl Memory {
    /// Begins a part of the transaction that can be undone alone.
    pub fn savepoint(&mut self) -> Result<()> {
        self.conn.run("SAVEPOINT part", "beginning a part")?;
        self.saved_ms.push(self.last_ms);
        Ok(())
    }

    /// Ends the innermost part; what it wrote stays, if the transaction does.
    pub fn release(&mut self) -> Result<()> {
        self.conn.run("RELEASE part", "ending a part")?;
        self.saved_ms.pop();
        Ok(())
    }

    /// Ends the innermost part as if it had never been.
    pub fn rollback_to(&mut self) -> Result<()> {
        self.conn.run("ROLLBACK TO part; RELEASE part", "giving up a part")?;
        self.last_ms = self.saved_ms.pop().unwrap_or(self.last_ms);
        Ok(())
    }

    /// Notes that an event happened here at this time, Unix milliseconds.
    pub fn touch(&mut self, at_ms: u64) {
        self.last_ms = self.last_ms.max(at_ms);
    }
}
