//! Diagnostics of executions, and how many executions of a session had each label.

use rusqlite::{OptionalExtension, params};

use super::links::At;
use super::{DiagnosticRow, Index};
use crate::store::StoreError;

impl Index {
    /// Ties a diagnostic to an execution.
    pub fn add_diagnostic(&mut self, at: At, row: &DiagnosticRow<'_>) -> Result<(), StoreError> {
        let find = "SELECT number FROM labels WHERE label = ?1";
        let insert = "INSERT INTO labels (label) VALUES (?1)";
        let label = self.number_of(find, insert, row.label, &[&row.label])?;
        let diagnostic = self.diagnostic(label, row)?;
        let failed = |source| self.failed("inserting a diagnostic", source);
        self.conn
            .prepare_cached(
                "INSERT OR IGNORE INTO execution_diagnostics (execution, diagnostic, at_ms, \
                 at_seq) VALUES (?1, ?2, ?3, ?4)",
            )
            .and_then(|mut insert| {
                insert.execute(params![at.execution, diagnostic, at.at_ms, at.at_seq])
            })
            .map_err(failed)?;
        self.conn
            .prepare_cached(
                "INSERT OR IGNORE INTO execution_labels (execution, label, at_ms, at_seq) \
                 VALUES (?1, ?2, ?3, ?4)",
            )
            .and_then(|mut insert| {
                insert.execute(params![at.execution, label, at.at_ms, at.at_seq])
            })
            .map_err(failed)?;
        Ok(())
    }

    /// Takes an execution's diagnostics away: it was closed again.
    pub fn forget_diagnostics(&mut self, execution: u64) -> Result<(), StoreError> {
        self.count_labels(execution, -1)?;
        for table in ["execution_diagnostics", "execution_labels"] {
            self.conn
                .prepare_cached(&format!("DELETE FROM {table} WHERE execution = ?1"))
                .and_then(|mut delete| delete.execute([execution]))
                .map_err(|source| self.failed("taking diagnostics away", source))?;
        }
        Ok(())
    }

    /// Counts an execution's labels, or, by -1, no longer: unless its correction counts instead.
    pub fn count_labels(&mut self, execution: u64, by: i64) -> Result<(), StoreError> {
        for sql in if by > 0 { COUNT } else { DISCOUNT } {
            self.conn
                .prepare_cached(sql)
                .and_then(|mut count| count.execute([execution]))
                .map_err(|source| self.failed("counting diagnostics", source))?;
        }
        Ok(())
    }

    fn diagnostic(&self, label: i64, row: &DiagnosticRow<'_>) -> Result<i64, StoreError> {
        let failed = |source| self.failed("inserting a diagnostic", source);
        let found: Option<i64> = self
            .conn
            .prepare_cached("SELECT number FROM diagnostics WHERE digest = ?1")
            .and_then(|mut find| find.query_row([row.digest], |row| row.get(0)).optional())
            .map_err(failed)?;
        if let Some(number) = found {
            return Ok(number);
        }
        self.conn
            .prepare_cached(
                "INSERT INTO diagnostics (digest, label, code, level, file_name, line, message) \
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
            )
            .and_then(|mut insert| {
                insert.execute(params![
                    row.digest,
                    label,
                    row.code,
                    row.level,
                    row.file_name,
                    row.line,
                    row.message
                ])
            })
            .map_err(failed)?;
        Ok(self.conn.last_insert_rowid())
    }
}

/// The label is new to a session when its count becomes 1.
const COUNT: &[&str] = &[
    "INSERT INTO session_labels (session, label, executions) \
     SELECT coalesce(e.session, 0), x.label, 1 FROM execution_labels x \
     JOIN executions e ON e.seq = x.execution WHERE x.execution = ?1 AND e.corrected_by IS NULL \
     ON CONFLICT (session, label) DO UPDATE SET executions = executions + 1",
    "UPDATE labels SET executions = executions + 1, sessions = sessions + (SELECT \
     s.session > 0 AND s.executions = 1 FROM executions e JOIN session_labels s \
     ON s.session = coalesce(e.session, 0) AND s.label = number WHERE e.seq = ?1) \
     WHERE number IN (SELECT label FROM execution_labels WHERE execution = ?1) \
     AND (SELECT corrected_by IS NULL FROM executions WHERE seq = ?1)",
];

const DISCOUNT: &[&str] = &[
    "UPDATE labels SET executions = executions - 1, sessions = sessions - (SELECT \
     s.session > 0 AND s.executions = 1 FROM executions e JOIN session_labels s \
     ON s.session = coalesce(e.session, 0) AND s.label = number WHERE e.seq = ?1) \
     WHERE number IN (SELECT label FROM execution_labels WHERE execution = ?1) \
     AND (SELECT corrected_by IS NULL FROM executions WHERE seq = ?1)",
    "UPDATE session_labels SET executions = executions - 1 WHERE session = \
     (SELECT coalesce(session, 0) FROM executions WHERE seq = ?1) AND label IN \
     (SELECT label FROM execution_labels WHERE execution = ?1) \
     AND (SELECT corrected_by IS NULL FROM executions WHERE seq = ?1)",
    "DELETE FROM session_labels WHERE executions = 0 AND session = \
     (SELECT coalesce(session, 0) FROM executions WHERE seq = ?1) AND label IN \
     (SELECT label FROM execution_labels WHERE execution = ?1)",
];
