//! `execution_log.db`: the contract's locked schema (spec 000), and how rows come into it.

mod fold;
mod foresight;
mod recorded;
mod schema;
mod store;
mod write;

use std::borrow::Cow;
use std::ops::Deref;
use std::path::{Path, PathBuf};

use rusqlite::Row;

use crate::event::{tool, words};
use crate::store::columns::columns;
use crate::store::digest::TableRows;
use crate::store::held::{Held, HeldReader};
use crate::store::{Anomaly, Foreseen, Rows, StoreError, connection, made_by};

pub use recorded::RecordedTexts;

/// Where the cursor is kept: the contract's tables gain none (R11).
const CURSOR_TABLE: &str = "sqlite_sequence";
/// A version that no schema has.
const UNREAD: i64 = i64::MIN;

/// `execution_log.db`, open for writing.
///
/// Either *live* (WAL, triggers in force, one BEGIN IMMEDIATE at a time) or a *load* of a new
/// file (no journal, indexes and triggers made at its end).
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
    /// Of a load whose digest is expected, what was written.
    written: Option<Written>,
    /// What was made ahead of an event.
    foreseen: Option<Foreseen>,
    anomalies: Vec<Anomaly>,
}

#[derive(Debug, Default)]
struct Written {
    executions: TableRows,
    artifacts: TableRows,
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
        let tools =
            checked.map_err(|object| made_by::differs(&conn, path, *schema::NUMBER, object))?;
        let clock = Clock { accepted_ms_max: 0, dropped: false };
        let mut store = Self::of(conn, path, Mode::Live { clock });
        (store.tools, store.schema) = (tools, schema);
        Ok(store)
    }

    pub fn create(path: &Path) -> Result<Self, StoreError> {
        let store = Self::of(Held::alone(connection::create_bulk(path)?, path), path, Mode::Load);
        for table in schema::tables() {
            store.conn.run(table, "making the tables")?;
        }
        made_by::note(&store.conn, *schema::NUMBER)?;
        Ok(store)
    }

    fn of(conn: Held, path: &Path, mode: Mode) -> Self {
        Self {
            conn,
            path: path.to_owned(),
            mode,
            tools: tool::CONTRACT.map(str::to_owned).to_vec(),
            schema: UNREAD,
            rows: Rows::default(),
            written: None,
            foreseen: None,
            anomalies: Vec::new(),
        }
    }

    #[cfg(test)]
    pub fn tools(&self) -> &[String] {
        &self.tools
    }
}

const LAST_ROWS: &str = "SELECT (SELECT coalesce(max(rowid), 0) FROM executions), \
     (SELECT coalesce(max(id), 0) FROM execution_artifacts)";

#[derive(Debug)]
pub struct ExecutionLogReader(pub(crate) HeldReader);

impl Deref for ExecutionLogReader {
    type Target = HeldReader;

    fn deref(&self) -> &HeldReader {
        &self.0
    }
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
    /// Its lock is held where the folder can be written.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        Ok(Self::of(Held::reading(path)?))
    }

    /// Opens a store that is only looked at: see [`StillStore`](crate::store::StillStore).
    pub(crate) fn open_still(path: &Path) -> Result<Self, StoreError> {
        Ok(Self::of(Held::alone(connection::open_still(path)?, path)))
    }

    fn of(conn: Held) -> Self {
        let (cursor_table, last_rows) = (CURSOR_TABLE, LAST_ROWS);
        Self(HeldReader { conn, cursor_table, last_rows, doing: "reading the execution log" })
    }

    /// The arguments of an execution's call, where that is the row's and they have no more bytes.
    pub fn arguments(
        &self,
        ordinal: u64,
        id: &str,
        bytes_max: usize,
    ) -> Result<Option<String>, StoreError> {
        let sql = "SELECT arguments_json FROM executions WHERE rowid = ?1 AND id = ?2 \
                   AND length(arguments_json) <= ?3";
        self.conn.find(self.doing, sql, (ordinal, id, bytes_max), |row| row.get(0))
    }

    pub fn execution(&self, ordinal: u64) -> Result<Option<StoredExecution>, StoreError> {
        let sql = "SELECT rowid, id, tool_name, arguments_json, timestamp, success, exit_code, \
                   duration_ms, error_message FROM executions WHERE rowid = ?1";
        let found = self.conn.find(self.doing, sql, [ordinal], |row| {
            columns!(row => StoredExecution {
                ordinal, id, tool_name, arguments_json, timestamp_ms, success, exit_code,
                duration_ms, error_message; artifacts: Vec::new()
            })
        })?;
        let Some(mut execution) = found else { return Ok(None) };
        let sql = "SELECT artifact_type, content_json FROM execution_artifacts \
                   WHERE execution_id = ?1 ORDER BY id";
        let pair = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?));
        execution.artifacts = self.conn.rows(self.doing, sql, [&execution.id], pair)?;
        Ok(Some(execution))
    }
}

words! {
    /// What an artifact is, by the contract's word for it. At most one of each per execution.
    pub enum ArtifactType {
        Stdout = "stdout",
        Stderr = "stderr",
        Diagnostics = "diagnostics",
    }
}

/// A row of `execution_artifacts`; its id is given by the store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArtifactRow<'a> {
    pub artifact_type: ArtifactType,
    /// Valid JSON: `{"text": …}` for stdout and stderr, an array for diagnostics.
    pub content_json: Cow<'a, str>,
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
