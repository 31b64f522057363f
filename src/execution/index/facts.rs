//! Rows of everything that is not an execution.

use rusqlite::{OptionalExtension, params};

use super::{Index, SessionRow};
use crate::store::StoreError;

impl Index {
    /// A session's number; its row is made where it has none.
    pub fn session(&mut self, id: &str, seq: u64, at_ms: i64) -> Result<u64, StoreError> {
        let failed = |source| self.failed("looking a session up", source);
        let found = self
            .conn
            .prepare_cached("SELECT number FROM sessions WHERE id = ?1")
            .and_then(|mut find| find.query_row([id], |row| row.get(0)).optional())
            .map_err(failed)?;
        if let Some(number) = found {
            return Ok(number);
        }
        self.conn
            .prepare_cached(
                "INSERT INTO sessions (id, first_seq, first_ms, last_seq, last_ms) \
                 VALUES (?1, ?2, ?3, ?2, ?3)",
            )
            .and_then(|mut insert| insert.execute(params![id, seq, at_ms]))
            .map_err(failed)?;
        Ok(self.conn.last_insert_rowid().unsigned_abs())
    }

    /// Moves a session's last event forward.
    pub fn touch_session(&mut self, number: u64, seq: u64, at_ms: i64) -> Result<(), StoreError> {
        self.conn
            .prepare_cached(
                "UPDATE sessions SET last_seq = max(last_seq, ?2), last_ms = max(last_ms, ?3) \
                 WHERE number = ?1",
            )
            .and_then(|mut update| update.execute(params![number, seq, at_ms]))
            .map_err(|source| self.failed("moving a session forward", source))?;
        Ok(())
    }

    /// Fills what a session's row left empty. A title given later replaces an earlier one.
    pub fn describe_session(
        &mut self,
        number: u64,
        row: &SessionRow<'_>,
    ) -> Result<(), StoreError> {
        self.conn
            .prepare_cached(
                "UPDATE sessions SET \
                 native_id = CASE WHEN agent = '' THEN ?3 ELSE native_id END, \
                 agent = CASE WHEN agent = '' THEN ?2 ELSE agent END, \
                 agent_version = coalesce(agent_version, ?4), model = coalesce(model, ?5), \
                 parent = coalesce(parent, ?6), cwd = coalesce(cwd, ?7), \
                 branch = coalesce(branch, ?8), title = coalesce(title, ?9) WHERE number = ?1",
            )
            .and_then(|mut update| {
                update.execute(params![
                    number,
                    row.agent,
                    row.native_id,
                    row.agent_version,
                    row.model,
                    row.parent,
                    row.cwd,
                    row.branch,
                    row.title
                ])
            })
            .map_err(|source| self.failed("describing a session", source))?;
        Ok(())
    }

    /// Notes a session's end; a later one replaces it.
    pub fn end_session(&mut self, number: u64, seq: u64, reason: &str) -> Result<(), StoreError> {
        self.conn
            .prepare_cached("UPDATE sessions SET ended_seq = ?2, end_reason = ?3 WHERE number = ?1")
            .and_then(|mut update| update.execute(params![number, seq, reason]))
            .map_err(|source| self.failed("ending a session", source))?;
        Ok(())
    }

    /// Appends a prompt.
    #[expect(clippy::too_many_arguments, reason = "a row's columns, each of its own meaning")]
    pub fn add_prompt(
        &mut self,
        seq: u64,
        session: Option<u64>,
        at_ms: i64,
        native_id: Option<&str>,
        actor: Option<&str>,
        digest: &str,
        text: &str,
    ) -> Result<(), StoreError> {
        self.conn
            .prepare_cached(
                "INSERT INTO prompts (seq, session, at_ms, native_id, actor, digest, text) \
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
            )
            .and_then(|mut insert| {
                insert.execute(params![seq, session, at_ms, native_id, actor, digest, text])
            })
            .map_err(|source| self.failed("inserting a prompt", source))?;
        Ok(())
    }

    /// Notes a declared tool; `false` where it was declared before.
    pub fn declare(&mut self, tool: &str, seq: u64, by: &str) -> Result<bool, StoreError> {
        if self.declared.iter().any(|known| known == tool) {
            return Ok(false);
        }
        self.conn
            .prepare_cached("INSERT INTO tools (name, seq, declared_by) VALUES (?1, ?2, ?3)")
            .and_then(|mut insert| insert.execute(params![tool, seq, by]))
            .map_err(|source| self.failed("inserting a declared tool", source))?;
        self.declared.push(tool.to_owned());
        Ok(true)
    }

    /// Notes what an agent calls a tool.
    pub fn name_tool(&mut self, native_tool: &str, tool: &str) -> Result<(), StoreError> {
        self.conn
            .prepare_cached(
                "INSERT OR IGNORE INTO native_tools (native_tool, tool) VALUES (?1, ?2)",
            )
            .and_then(|mut insert| insert.execute([native_tool, tool]))
            .map_err(|source| self.failed("inserting a tool's name", source))?;
        Ok(())
    }

    /// Notes a transcript's flaw; `false` where it was known.
    pub fn add_flaw(
        &mut self,
        file: &str,
        line: u64,
        flaw: &str,
        detail: &str,
    ) -> Result<bool, StoreError> {
        let line = i64::try_from(line).unwrap_or(i64::MAX);
        let inserted = self
            .conn
            .prepare_cached(
                "INSERT OR IGNORE INTO flaws (file, line, flaw, detail) VALUES (?1, ?2, ?3, ?4)",
            )
            .and_then(|mut insert| insert.execute(params![file, line, flaw, detail]))
            .map_err(|source| self.failed("inserting a flaw", source))?;
        Ok(inserted > 0)
    }

    /// Takes back the anomalies of a kind at these sequences: something later says more.
    pub fn forget_anomalies(
        &mut self,
        kind: &str,
        first: u64,
        last: u64,
    ) -> Result<(), StoreError> {
        self.conn
            .prepare_cached("DELETE FROM anomalies WHERE kind = ?1 AND seq BETWEEN ?2 AND ?3")
            .and_then(|mut delete| delete.execute(params![kind, first, last]))
            .map_err(|source| self.failed("deleting an anomaly", source))?;
        Ok(())
    }

    /// Notes what no store could take as it was.
    pub fn add_anomaly(
        &mut self,
        seq: u64,
        kind: &str,
        execution: Option<&str>,
        message: &str,
    ) -> Result<(), StoreError> {
        self.conn
            .prepare_cached(
                "INSERT INTO anomalies (seq, kind, execution, message) VALUES (?1, ?2, ?3, ?4)",
            )
            .and_then(|mut insert| insert.execute(params![seq, kind, execution, message]))
            .map_err(|source| self.failed("inserting an anomaly", source))?;
        Ok(())
    }
}
