//! `execution_log.db`: the contract's locked schema (spec 000), and how rows come into it.

mod schema;
mod write;

use std::path::{Path, PathBuf};

use rusqlite::{Connection, OptionalExtension};

use crate::store::held::Held;
use crate::store::{Cursor, Digest, Rows, StoreError, connection, digest};

pub use schema::CONTRACT_TOOLS;

/// Where the cursor is kept: the contract's tables gain none (R11).
const CURSOR_TABLE: &str = "sqlite_sequence";
/// A version that no schema has.
const UNREAD: i64 = i64::MIN;

/// `execution_log.db`, open for writing.
///
/// Either *live* (WAL, triggers in force, one BEGIN IMMEDIATE at a time) or a *load* of a new
/// file (no journal, indexes and triggers made by [`ExecutionLog::finish`]).
#[derive(Debug)]
pub struct ExecutionLog {
    conn: Held,
    path: PathBuf,
    mode: Mode,
    /// The tool names in force, the contract's first, as of this version of the schema.
    tools: Vec<String>,
    schema: i64,
    /// Row ids given last.
    rows: Rows,
}

#[derive(Debug)]
enum Mode {
    Load,
    Live { clock: Clock },
}

/// What the contract's clock trigger would do, within one transaction.
#[derive(Debug)]
struct Clock {
    accepted_ms_max: i64,
    dropped: bool,
}

impl ExecutionLog {
    /// Opens an existing store for catching up, and holds its lock shared.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let conn = Held::writing(path)?;
        // The version first: what changes it from here on is noticed by the next transaction.
        let read = schema::version(&conn).and_then(|at| Ok((at, schema::check(&conn)?)));
        let (schema, checked) =
            read.map_err(|source| StoreError::sql(path, "reading the schema", source))?;
        let tools = checked
            .map_err(|object| StoreError::SchemaDiffers { path: path.to_owned(), object })?;
        let clock = Clock { accepted_ms_max: 0, dropped: false };
        let mode = Mode::Live { clock };
        Ok(Self { conn, path: path.to_owned(), mode, tools, schema, rows: Rows::default() })
    }

    /// Makes a new file to be loaded from nothing.
    pub fn create(path: &Path) -> Result<Self, StoreError> {
        let conn = Held::alone(connection::create_bulk(path)?, path);
        let store = Self {
            conn,
            path: path.to_owned(),
            mode: Mode::Load,
            tools: CONTRACT_TOOLS.map(str::to_owned).to_vec(),
            schema: UNREAD,
            rows: Rows::default(),
        };
        for table in schema::tables() {
            store.run(table, "making the tables")?;
        }
        Ok(store)
    }

    /// The tool names in force, the contract's first, then as they were declared.
    pub fn tools(&self) -> &[String] {
        &self.tools
    }

    fn run(&self, sql: &str, doing: &'static str) -> Result<(), StoreError> {
        self.conn.execute_batch(sql).map_err(|source| self.failed(doing, source))
    }

    fn failed(&self, doing: &'static str, source: rusqlite::Error) -> StoreError {
        StoreError::sql(&self.path, doing, source)
    }
}

impl ExecutionLog {
    /// Makes indexes and triggers after the rows, puts the file into WAL mode and closes it.
    ///
    /// Triggers come last because time is judged once, at recording (ruling 3), and indexes
    /// because a load in key order with them is a third as fast (measured).
    pub fn finish(self) -> Result<PathBuf, StoreError> {
        for sql in schema::indexes() {
            self.run(sql, "making the indexes")?;
        }
        self.run(&schema::tool_trigger(&self.tools), "making the triggers")?;
        self.run(schema::clock_trigger(), "making the triggers")?;
        for sql in schema::artifact_triggers() {
            self.run(sql, "making the triggers")?;
        }
        let path = self.path.clone();
        drop(self);
        connection::finish_bulk(&path)?;
        Ok(path)
    }
}

fn found_rows(conn: &Connection) -> rusqlite::Result<Rows> {
    let sql = "SELECT (SELECT coalesce(max(rowid), 0) FROM executions), \
               (SELECT coalesce(max(id), 0) FROM execution_artifacts)";
    conn.prepare_cached(sql)?
        .query_row([], |row| Ok(Rows { executions: row.get(0)?, others: row.get(1)? }))
}

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
        found_rows(&self.conn).map_err(|source| self.failed(source))
    }

    /// The digest of what is in it, and the cursor that goes with it.
    pub fn digest(&self) -> Result<(Option<Cursor>, Digest), StoreError> {
        let transaction =
            self.conn.unchecked_transaction().map_err(|source| self.failed(source))?;
        let cursor = self.cursor()?;
        let digest = digest::content(&transaction).map_err(|source| self.failed(source))?;
        Ok((cursor, digest))
    }

    #[cfg(test)]
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

/// What an artifact is. At most one of each per execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ArtifactType {
    Stdout,
    Stderr,
    Diagnostics,
}

impl ArtifactType {
    /// The contract's word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Stdout => "stdout",
            Self::Stderr => "stderr",
            Self::Diagnostics => "diagnostics",
        }
    }
}

/// A row of `execution_artifacts`; its id is given by the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArtifactRow<'a> {
    pub artifact_type: ArtifactType,
    /// Valid JSON: `{"text": …}` for stdout and stderr, an array for diagnostics.
    pub content_json: &'a str,
}

/// A row of `executions`; its rowid is the execution's ordinal and is given by the store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExecutionRow<'a> {
    /// A hyphenated UUID.
    pub id: &'a str,
    pub tool_name: &'a str,
    /// A JSON object.
    pub arguments_json: &'a str,
    /// Unix milliseconds of the closing event.
    pub timestamp: i64,
    pub success: bool,
    pub exit_code: Option<i32>,
    pub duration_ms: Option<i64>,
    pub error_message: Option<&'a str>,
}

#[cfg(test)]
mod tests;
