//! Reading `execution_log.db`.

use std::path::{Path, PathBuf};

use rusqlite::OptionalExtension;

use super::CURSOR_TABLE;
use crate::store::held::Held;
use crate::store::{Cursor, Digest, Rows, StoreError, connection, digest};

/// `execution_log.db`, open for reading only.
#[derive(Debug)]
pub struct ExecutionLogReader {
    conn: Held,
    path: PathBuf,
}

/// An execution as the contract's tables have it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredExecution {
    pub ordinal: u64,
    pub id: String,
    pub tool_name: String,
    pub arguments_json: String,
    pub timestamp_ms: i64,
    pub success: bool,
    pub exit_code: Option<i32>,
    pub duration_ms: Option<i64>,
    pub error_message: Option<String>,
    /// Type and content, in the order they were inserted.
    pub artifacts: Vec<(String, String)>,
}

impl ExecutionLogReader {
    /// Opens an existing store; its lock is held where the folder can be written.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        Ok(Self { conn: Held::reading(path)?, path: path.to_owned() })
    }

    /// Opens a store that is only looked at: see [`StillStore`](crate::store::StillStore).
    pub(crate) fn open_still(path: &Path) -> Result<Self, StoreError> {
        Ok(Self { conn: Held::alone(connection::open_still(path)?, path), path: path.to_owned() })
    }

    /// Keeps what is read from now on to one moment, until it is dropped.
    pub(crate) fn moment(&self) -> Result<rusqlite::Transaction<'_>, StoreError> {
        self.conn.unchecked_transaction().map_err(|source| self.failed(source))
    }

    /// The cursor as it stands.
    pub fn cursor(&self) -> Result<Option<Cursor>, StoreError> {
        Cursor::read(&self.conn, CURSOR_TABLE).map_err(|source| self.failed(source))
    }

    /// The highest row ids that the tables really have.
    pub fn found_rows(&self) -> Result<Rows, StoreError> {
        super::found_rows(&self.conn).map_err(|source| self.failed(source))
    }

    /// The digest of what is in it, and the cursor that goes with it.
    pub fn digest(&self) -> Result<(Option<Cursor>, Digest), StoreError> {
        let transaction =
            self.conn.unchecked_transaction().map_err(|source| self.failed(source))?;
        let cursor = self.cursor()?;
        let digest = digest::content(&transaction).map_err(|source| self.failed(source))?;
        Ok((cursor, digest))
    }

    /// The rows there are.
    pub fn count(&self) -> Result<u64, StoreError> {
        self.conn
            .query_row("SELECT count(*) FROM executions", [], |row| row.get(0))
            .map_err(|source| self.failed(source))
    }

    /// The execution of an ordinal, with its artifacts.
    pub fn execution(&self, ordinal: u64) -> Result<Option<StoredExecution>, StoreError> {
        self.find(ordinal).map_err(|source| self.failed(source))
    }

    fn find(&self, ordinal: u64) -> rusqlite::Result<Option<StoredExecution>> {
        let sql = "SELECT id, tool_name, arguments_json, timestamp, success, exit_code, \
                   duration_ms, error_message FROM executions WHERE rowid = ?1";
        let found = self.conn.prepare_cached(sql)?.query_row([ordinal], |row| {
            Ok(StoredExecution {
                ordinal,
                id: row.get(0)?,
                tool_name: row.get(1)?,
                arguments_json: row.get(2)?,
                timestamp_ms: row.get(3)?,
                success: row.get(4)?,
                exit_code: row.get(5)?,
                duration_ms: row.get(6)?,
                error_message: row.get(7)?,
                artifacts: Vec::new(),
            })
        });
        let Some(mut execution) = found.optional()? else { return Ok(None) };
        let sql = "SELECT artifact_type, content_json FROM execution_artifacts \
                   WHERE execution_id = ?1 ORDER BY id";
        let mut artifacts = self.conn.prepare_cached(sql)?;
        for row in artifacts.query_map([&execution.id], |row| Ok((row.get(0)?, row.get(1)?)))? {
            execution.artifacts.push(row?);
        }
        Ok(Some(execution))
    }

    fn failed(&self, source: rusqlite::Error) -> StoreError {
        StoreError::sql(&self.path, "reading the execution log", source)
    }
}
