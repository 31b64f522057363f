//! Rows of executions: begun, ended, corrected, looked up.

use rusqlite::{OptionalExtension, Row, ToSql, params};

use super::open_row::OPEN_LEN_MAX;
use super::{ClosingRow, ExecutionRow, Index, KnownRow};
use crate::store::StoreError;

const KNOWN: &str = "SELECT seq, id, ordinal, tool, outcome, started_seq, native_tool, \
     session, target_key, at_ms, at_seq, corrected_by IS NOT NULL FROM executions WHERE";

/// Corrections of corrections that are followed.
const CORRECTIONS_MAX: usize = 64;

fn known(row: &Row<'_>) -> rusqlite::Result<KnownRow> {
    Ok(KnownRow {
        seq: row.get(0)?,
        id: row.get(1)?,
        ordinal: row.get(2)?,
        tool: row.get(3)?,
        outcome: row.get(4)?,
        started_seq: row.get(5)?,
        native_tool: row.get(6)?,
        session: row.get(7)?,
        target_key: row.get(8)?,
        at_ms: row.get(9)?,
        at_seq: row.get(10)?,
        corrected: row.get(11)?,
    })
}

impl Index {
    /// The row of an execution, also where the id is that of a start that repeats its call.
    pub fn execution(&self, id: &str) -> Result<Option<KnownRow>, StoreError> {
        let own = self.own_execution(id)?;
        if own.is_some() || !self.void_starts {
            return Ok(own);
        }
        let sql = format!(
            "{KNOWN} seq = (SELECT execution FROM void_starts WHERE id = ?1 ORDER BY seq LIMIT 1)"
        );
        self.find(&sql, id)
    }

    /// The row that has this id itself.
    pub fn own_execution(&self, id: &str) -> Result<Option<KnownRow>, StoreError> {
        if let Some(open) = self.open.by_id(id) {
            return Ok(Some(open.clone()));
        }
        self.find(&format!("{KNOWN} id = ?1"), id)
    }

    /// The row of a call's execution.
    pub fn execution_by_call(&self, call_key: &str) -> Result<Option<KnownRow>, StoreError> {
        self.find(&format!("{KNOWN} call_key = ?1"), call_key)
    }

    /// The row of this sequence.
    pub fn execution_at(&self, seq: u64) -> Result<Option<KnownRow>, StoreError> {
        self.find(&format!("{KNOWN} seq = ?1"), seq)
    }

    fn find(&self, sql: &str, key: impl ToSql) -> Result<Option<KnownRow>, StoreError> {
        self.conn
            .prepare_cached(sql)
            .and_then(|mut find| find.query_row([key], known).optional())
            .map_err(|source| self.failed("looking an execution up", source))
    }

    /// Makes an execution's row, open.
    pub fn begin_execution(&mut self, row: &ExecutionRow<'_>) -> Result<(), StoreError> {
        self.conn
            .prepare_cached(
                "INSERT INTO executions (seq, id, call_key, session, source, tool, native_tool, \
                 actor, parent, cwd, branch, target, started_seq, started_ms, at_seq, at_ms, \
                 target_key, arguments_digest) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, \
                 ?11, ?12, ?13, ?14, ?1, ?15, ?16, ?17)",
            )
            .and_then(|mut insert| {
                insert.execute(params![
                    row.seq,
                    row.id,
                    row.call_key,
                    row.session,
                    row.source,
                    row.tool,
                    row.native_tool,
                    row.actor,
                    row.parent,
                    row.cwd,
                    row.branch,
                    row.target,
                    row.started_seq,
                    row.started_ms,
                    row.at_ms,
                    row.target_key,
                    row.arguments_digest
                ])
            })
            .map_err(|source| self.failed("inserting an execution", source))?;
        if self.open.len() >= OPEN_LEN_MAX {
            self.write_open()?;
        }
        self.open.add(row);
        self.rows.executions = self.rows.executions.max(row.seq);
        Ok(())
    }

    /// Copies what a correction shares with the execution it corrects into a row of its own,
    /// and marks the old one.
    pub fn begin_correction(
        &mut self,
        seq: u64,
        id: &str,
        at_ms: i64,
        corrected: &KnownRow,
    ) -> Result<(), StoreError> {
        let copied = self.conn.prepare_cached(
            "INSERT INTO executions (seq, id, session, source, tool, native_tool, actor, parent, \
             cwd, branch, target, target_key, arguments_digest, started_seq, started_ms, at_seq, \
             at_ms) SELECT ?1, ?2, session, source, tool, native_tool, actor, parent, cwd, branch, \
             target, target_key, arguments_digest, started_seq, started_ms, ?1, ?3 \
             FROM executions WHERE seq = ?4",
        );
        copied
            .and_then(|mut copy| copy.execute(params![seq, id, at_ms, corrected.seq]))
            .map_err(|source| self.failed("inserting a correction", source))?;
        self.copy_links(seq, at_ms, corrected.seq)?;
        self.rows.executions = self.rows.executions.max(seq);
        Ok(())
    }

    /// Says that an execution is counted by its correction; if it had one before, that one is.
    pub fn mark_corrected(&mut self, seq: u64, by: &str) -> Result<(), StoreError> {
        let mut seq = seq;
        for _ in 0..CORRECTIONS_MAX {
            let next = self
                .conn
                .prepare_cached(
                    "SELECT seq FROM executions WHERE id = \
                     (SELECT corrected_by FROM executions WHERE seq = ?1) AND id <> ?2",
                )
                .and_then(|mut find| find.query_row(params![seq, by], |row| row.get(0)).optional())
                .map_err(|source| self.failed("looking a correction up", source))?;
            match next {
                Some(next) => seq = next,
                None => break,
            }
        }
        let counted = self.execution_at(seq)?;
        self.count_labels(seq, -1)?;
        self.conn
            .prepare_cached("UPDATE executions SET corrected_by = ?2 WHERE seq = ?1")
            .and_then(|mut update| update.execute(params![seq, by]))
            .map_err(|source| self.failed("marking a corrected execution", source))?;
        if let Some(open) = self.open.get_mut(seq) {
            open.known.corrected = true;
        }
        counted.map_or(Ok(()), |counted| self.discount(&counted))
    }

    /// Closes an execution's row.
    pub fn close_execution(&mut self, seq: u64, row: &ClosingRow<'_>) -> Result<(), StoreError> {
        self.conn
            .prepare_cached(
                "UPDATE executions SET ordinal = ?2, outcome = ?3, exit_code = ?4, \
                 duration_ms = ?5, error = ?6, diagnostic = ?7, closed_seq = ?8, closed_ms = ?9, \
                 at_seq = ?8, at_ms = ?9, corrects = ?10, tool = ?11, said = ?12 WHERE seq = ?1",
            )
            .and_then(|mut update| {
                update.execute(params![
                    seq,
                    row.ordinal,
                    row.outcome,
                    row.exit_code,
                    row.duration_ms,
                    row.error,
                    row.diagnostic,
                    row.closed_seq,
                    row.closed_ms,
                    row.corrects,
                    row.tool,
                    row.said
                ])
            })
            .map_err(|source| self.failed("closing an execution", source))?;
        if let Some(ordinal) = row.ordinal {
            self.rows.others = self.rows.others.max(ordinal);
        }
        Ok(())
    }

    /// The ordinal that the next row of `execution_log.db` has.
    pub fn next_ordinal(&self) -> u64 {
        self.rows.others + 1
    }

    /// Remembers that a start does not count, and which execution its end would be the end of.
    pub fn add_void_start(&mut self, id: &str, seq: u64, execution: u64) -> Result<(), StoreError> {
        self.conn
            .prepare_cached("INSERT INTO void_starts (id, seq, execution) VALUES (?1, ?2, ?3)")
            .and_then(|mut insert| insert.execute(params![id, seq, execution]))
            .map_err(|source| self.failed("noting a repeated start", source))?;
        self.void_starts = true;
        Ok(())
    }
}
