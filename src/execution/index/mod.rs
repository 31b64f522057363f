//! `.annals/index.db`: what the contract's tables cannot hold, and the indexes of every question.

mod contents;
mod debug;
mod diagnostic_row;
mod execution_row;
mod executions;
mod facts;
mod grounding;
mod labels;
mod links;
mod open_row;
mod operations;
mod pending;
mod read;
mod repo;
mod session_row;
mod step_row;
mod tallies;
mod verdict_row;
mod write;

use std::path::{Path, PathBuf};

use rusqlite::Connection;

use crate::store::held::Held;
use crate::store::statements::statements;
use crate::store::{Rows, StoreError, connection};
use open_row::OpenRows;
use tallies::Tallies;

pub use contents::content_key;
pub use debug::{DebugFailureRow, DebugPatternRow, DebugSessionRow, DebugStored};
pub use diagnostic_row::DiagnosticRow;
pub use execution_row::{ClosingRow, ExecutionRow, KnownRow};
pub use grounding::Event as GroundingEvent;
pub use links::At;
pub use operations::{OperationRow, Operations};
pub use pending::{LOOP_MIN, tried_as};
pub use read::IndexReader;
pub use repo::{
    ConventionRow, DecisionRow, IdentityRow, NoteRow, RepoIndexRow, RepoNumber, SummaryRow,
};
pub use session_row::SessionRow;
pub use step_row::StepRow;
pub use tallies::PROJECT;
pub use verdict_row::VerdictRow;

const TABLES: &str = include_str!("tables.sql");
const INDEXES: &str = include_str!("indexes.sql");
const CURSOR_TABLE: &str = "cursor";

/// `index.db`, open for writing: *live*, or a *load* of a new file.
#[derive(Debug)]
pub struct Index {
    conn: Held,
    path: PathBuf,
    /// Declared tools, as they were declared.
    declared: Vec<String>,
    /// Whether any start does not count: spares a look-up an event.
    void_starts: bool,
    open: OpenRows,
    tallies: Tallies,
    rows: Rows,
}

impl Index {
    /// Opens an existing store for catching up, and holds its lock shared.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let conn = Held::writing(path)?;
        check(&conn, path)?;
        Ok(Self::of(conn, path))
    }

    /// Makes a new file to be loaded from nothing.
    pub fn create(path: &Path) -> Result<Self, StoreError> {
        let index = Self::of(Held::alone(connection::create_bulk(path)?, path), path);
        for sql in statements(TABLES) {
            index.run(sql, "making the tables")?;
        }
        Ok(index)
    }

    /// What it holds in memory is read by [`Self::begin`].
    fn of(conn: Held, path: &Path) -> Self {
        let (path, declared, rows) = (path.to_owned(), Vec::new(), Rows::default());
        let (open, tallies) = (OpenRows::default(), Tallies::default());
        Self { conn, path, declared, void_starts: false, open, tallies, rows }
    }

    /// Makes the indexes after the rows, puts the file into WAL mode and closes it.
    pub fn finish(mut self) -> Result<PathBuf, StoreError> {
        for sql in statements(INDEXES) {
            self.run(sql, "making the indexes")?;
        }
        self.run("BEGIN", "counting what was loaded")?;
        self.settle_tallies()?;
        self.load_pending()?;
        self.run("COMMIT", "counting what was loaded")?;
        let path = self.path.clone();
        drop(self);
        connection::finish_bulk(&path)?;
        Ok(path)
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Tool names declared besides the contract's, in order.
    pub fn declared(&self) -> &[String] {
        &self.declared
    }

    fn run(&self, sql: &str, doing: &'static str) -> Result<(), StoreError> {
        self.conn.execute_batch(sql).map_err(|source| self.failed(doing, source))
    }

    fn failed(&self, doing: &'static str, source: rusqlite::Error) -> StoreError {
        StoreError::sql(&self.path, doing, source)
    }
}

/// The schema is our own: what an older build made is not migrated but rebuilt.
fn check(conn: &Connection, path: &Path) -> Result<(), StoreError> {
    let failed = |source| StoreError::sql(path, "reading the schema", source);
    let mut find = conn.prepare("SELECT 1 FROM sqlite_master WHERE sql = ?1").map_err(failed)?;
    for sql in statements(TABLES).into_iter().chain(statements(INDEXES)) {
        if !find.exists([sql]).map_err(failed)? {
            let object = crate::store::statements::created(sql).to_owned();
            return Err(StoreError::SchemaDiffers { path: path.to_owned(), object });
        }
    }
    Ok(())
}

fn found_rows(conn: &Connection) -> rusqlite::Result<Rows> {
    let sql = "SELECT (SELECT coalesce(max(seq), 0) FROM executions), \
               (SELECT coalesce(max(ordinal), 0) FROM executions WHERE ordinal IS NOT NULL)";
    conn.prepare_cached(sql)?
        .query_row([], |row| Ok(Rows { executions: row.get(0)?, others: row.get(1)? }))
}
