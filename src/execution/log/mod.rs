//! `execution_log.db`: the contract's locked schema (spec 000), and how rows come into it.

mod artifact;
mod load;
mod read;
mod row;
mod schema;
mod write;

use std::path::{Path, PathBuf};

use rusqlite::Connection;

use crate::store::held::Held;
use crate::store::{Rows, StoreError, connection};

pub use artifact::{ArtifactRow, ArtifactType};
pub use read::{ExecutionLogReader, StoredExecution};
pub use row::ExecutionRow;
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

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
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

fn found_rows(conn: &Connection) -> rusqlite::Result<Rows> {
    let sql = "SELECT (SELECT coalesce(max(rowid), 0) FROM executions), \
               (SELECT coalesce(max(id), 0) FROM execution_artifacts)";
    conn.prepare_cached(sql)?
        .query_row([], |row| Ok(Rows { executions: row.get(0)?, others: row.get(1)? }))
}

#[cfg(test)]
mod tests;
