//! Debug memory (spec 002): sessions with their documents, and what they are found by.

use std::io;

use rusqlite::{OptionalExtension, params};

use super::Index;
use crate::store::StoreError;

/// What is derived from a session's document, in the order in which it is taken away.
const DERIVED: [&str; 5] = [
    // Before the failures that it counts.
    "UPDATE debug_files SET sessions = sessions - 1 WHERE (error_type, file) IN \
     (SELECT error_type, file FROM debug_failures WHERE session = ?1 AND file IS NOT NULL)",
    "DELETE FROM debug_files WHERE sessions = 0 AND (error_type, file) IN \
     (SELECT error_type, file FROM debug_failures WHERE session = ?1 AND file IS NOT NULL)",
    "DELETE FROM debug_failures WHERE session = ?1",
    "DELETE FROM debug_causes WHERE session = ?1",
    "DELETE FROM debug_patterns WHERE session = ?1",
];

impl Index {
    /// Notes an event of a debug session.
    pub fn add_debug_op(&mut self, seq: u64, session: &str, kind: &str) -> Result<(), StoreError> {
        self.conn
            .prepare_cached("INSERT INTO debug_ops (seq, session, kind) VALUES (?1, ?2, ?3)")
            .and_then(|mut insert| insert.execute(params![seq, session, kind]))
            .map_err(|source| self.failed("inserting an event of debug memory", source))?;
        Ok(())
    }

    /// A session's document and what lies beside it.
    pub fn debug_session(&self, id: &str) -> Result<DebugStored, StoreError> {
        let failed = |source| self.failed("looking a debug session up", source);
        let held = self
            .conn
            .prepare_cached("SELECT document, beside FROM debug_sessions WHERE id = ?1")
            .and_then(|mut find| {
                let stored = |row: &rusqlite::Row<'_>| {
                    Ok(DebugStored::Held { document: row.get(0)?, beside: row.get(1)? })
                };
                find.query_row([id], stored).optional()
            })
            .map_err(failed)?;
        if let Some(held) = held {
            return Ok(held);
        }
        let is_expired = self
            .conn
            .prepare_cached("SELECT 1 FROM debug_expired WHERE id = ?1")
            .and_then(|mut find| find.exists([id]))
            .map_err(failed)?;
        Ok(if is_expired { DebugStored::Expired } else { DebugStored::Absent })
    }

    /// Puts a session in the place of what was there of it.
    pub fn put_debug_session(
        &mut self,
        row: &DebugSessionRow<'_>,
        failures: &[DebugFailureRow<'_>],
        causes: &[&str],
        patterns: &[DebugPatternRow<'_>],
    ) -> Result<(), StoreError> {
        self.take_debug_session(row.id)?;
        let failed = |source| self.failed("inserting a debug session", source);
        let values = params![
            row.number,
            row.id,
            row.native_id,
            row.file_path,
            row.status,
            row.created_ms,
            row.updated_ms,
            row.attempts,
            row.attempts_failed,
            patterns.len(),
            row.agent,
            row.task_id,
            row.last_seq,
            row.beside,
            row.document
        ];
        let sql = "INSERT INTO debug_sessions (number, id, native_id, file_path, status, \
                   created_ms, updated_ms, attempts, attempts_failed, patterns, agent, task_id, \
                   last_seq, beside, document) \
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)";
        self.conn
            .prepare_cached(sql)
            .and_then(|mut insert| insert.execute(values))
            .map_err(failed)?;
        self.put_debug_failures(row, failures).map_err(failed)?;
        for cause in causes {
            let sql = "INSERT OR IGNORE INTO debug_causes \
                       (root_cause_category, updated_ms, session) VALUES (?1, ?2, ?3)";
            self.conn
                .prepare_cached(sql)
                .and_then(|mut insert| insert.execute(params![cause, row.updated_ms, row.number]))
                .map_err(failed)?;
        }
        for pattern in patterns {
            let values = params![
                row.number,
                pattern.pattern,
                pattern.category,
                pattern.frequency,
                pattern.fix_template,
                pattern.effectiveness,
                pattern.successes,
                pattern.trials,
                row.updated_ms
            ];
            let sql = "INSERT OR IGNORE INTO debug_patterns (session, pattern, category, \
                       frequency, fix_template, effectiveness, successes, trials, updated_ms) \
                       VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)";
            self.conn
                .prepare_cached(sql)
                .and_then(|mut insert| insert.execute(values))
                .map_err(failed)?;
        }
        Ok(())
    }

    fn put_debug_failures(
        &self,
        row: &DebugSessionRow<'_>,
        failures: &[DebugFailureRow<'_>],
    ) -> rusqlite::Result<()> {
        let sql = "INSERT INTO debug_failures (session, attempt, place, error_type, message, \
                   test_name, file, function, updated_ms) \
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)";
        let mut insert = self.conn.prepare_cached(sql)?;
        for failure in failures {
            insert.execute(params![
                row.number,
                failure.attempt,
                failure.place,
                failure.error_type,
                failure.message,
                failure.test_name,
                failure.file,
                failure.function,
                row.updated_ms
            ])?;
        }
        let sql = "INSERT INTO debug_files (error_type, file, sessions) \
                   SELECT DISTINCT error_type, file, 1 FROM debug_failures \
                   WHERE session = ?1 AND file IS NOT NULL \
                   ON CONFLICT (error_type, file) DO UPDATE SET sessions = sessions + 1";
        self.conn.prepare_cached(sql)?.execute([row.number])?;
        Ok(())
    }

    /// Takes a session away whose document was kept as long as the rules say.
    pub fn expire_debug_session(&mut self, id: &str) -> Result<(), StoreError> {
        self.take_debug_session(id)?;
        self.conn
            .prepare_cached("INSERT INTO debug_expired (id) VALUES (?1)")
            .and_then(|mut insert| insert.execute([id]))
            .map_err(|source| self.failed("noting an expired debug session", source))?;
        Ok(())
    }

    /// What stands there of a session is not what was written.
    pub fn unreadable_debug(&self, source: &serde_json::Error) -> StoreError {
        let source =
            io::Error::new(io::ErrorKind::InvalidData, format!("debug_sessions: {source}"));
        StoreError::FilesDiffer { path: self.path.clone(), source }
    }

    /// Takes a session and what is derived from it away, where it is there.
    fn take_debug_session(&mut self, id: &str) -> Result<(), StoreError> {
        let failed = |source| self.failed("replacing a debug session", source);
        self.conn
            .prepare_cached("DELETE FROM debug_expired WHERE id = ?1")
            .and_then(|mut delete| delete.execute([id]))
            .map_err(failed)?;
        let found: Option<u64> = self
            .conn
            .prepare_cached("DELETE FROM debug_sessions WHERE id = ?1 RETURNING number")
            .and_then(|mut delete| delete.query_row([id], |row| row.get(0)).optional())
            .map_err(failed)?;
        let Some(number) = found else { return Ok(()) };
        for sql in DERIVED {
            self.conn
                .prepare_cached(sql)
                .and_then(|mut delete| delete.execute([number]))
                .map_err(failed)?;
        }
        Ok(())
    }
}

/// A session as it is stored. Times are Unix milliseconds.
#[derive(Clone, Copy, Debug)]
pub struct DebugSessionRow<'a> {
    pub number: u64,
    pub id: &'a str,
    pub native_id: Option<&'a str>,
    pub file_path: &'a str,
    pub status: &'a str,
    pub created_ms: i64,
    pub updated_ms: i64,
    pub attempts: usize,
    pub attempts_failed: usize,
    pub agent: Option<&'a str>,
    pub task_id: Option<&'a str>,
    pub last_seq: u64,
    /// JSON, as the document.
    pub beside: &'a str,
    pub document: &'a str,
}

/// One of a session's distinct failures.
#[derive(Clone, Debug)]
pub struct DebugFailureRow<'a> {
    pub attempt: u32,
    pub place: usize,
    pub error_type: &'a str,
    pub message: String,
    pub test_name: String,
    pub file: Option<String>,
    pub function: Option<String>,
}

/// A pattern that was learnt.
#[derive(Clone, Debug)]
pub struct DebugPatternRow<'a> {
    pub pattern: String,
    pub category: Option<String>,
    pub frequency: i64,
    pub fix_template: Option<&'a str>,
    pub effectiveness: Option<f64>,
    pub successes: Option<i64>,
    pub trials: Option<i64>,
}

/// What is stored of a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DebugStored {
    Absent,
    Expired,
    /// JSON both.
    Held {
        document: String,
        beside: String,
    },
}
