//! `.annals/memory.db`: what agents remember, branch by branch. The eight tables of spec 003, and how
//! rows come into them.
//!
//! The cursor and the time of the last event are rows of `sqlite_sequence`: the contract's tables gain
//! no column, and it gains no table (R11).

mod archival;
mod branches;
mod core;
pub mod foreign;
mod last_ids;
mod list;
mod load;
mod read;
mod reader;
mod recall;
mod schema;
mod view;
mod write;

use std::path::{Path, PathBuf};

use rusqlite::Connection;

use crate::store::held::Held;
use crate::store::statements::statements;
use crate::store::{Rows, StoreError, connection};

pub use archival::ArchivalRow;
pub use branches::BranchRow;
pub use core::CoreRow;
pub use last_ids::LastIds;
pub use list::{json_numbers, json_texts};
pub use read::{Listed, Place, StoredBranch, StoredCore, StoredEvent, StoredRecord, StoredSummary};
pub use reader::MemoryReader;
pub use recall::{RecallRow, SummaryRow};
pub use view::MemoryView;

const TABLES: &str = include_str!("tables.sql");
const INDEXES: &str = include_str!("indexes.sql");
const CURSOR_TABLE: &str = "sqlite_sequence";
/// The records that the full-text index may read otherwise than we do, as `idx_archival_wide` says it:
/// SQLite uses the index only where a question says the same.
pub const WIDE: &str = "length(CAST(text AS BLOB)) <> length(text) OR instr(tags, '\\') > 0";
/// The row of `sqlite_sequence` that has the time of the last event, Unix milliseconds.
const LAST_MS: &str = "annals.last_ms";

/// `memory.db`, open for writing: *live*, or a *load* of a new file.
#[derive(Debug)]
pub struct Memory {
    conn: Held,
    path: PathBuf,
    /// The latest time of an event that happened here.
    last_ms: u64,
    /// What that was at each savepoint.
    saved_ms: Vec<u64>,
}

impl Memory {
    /// Opens an existing store for writing, and holds its lock shared.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        connection::must_exist(path)?;
        let conn = Held::writing(path)?;
        connection::keep_scattered(&conn, path)?;
        schema::check(&conn, path)?;
        Ok(Self::of(conn, path))
    }

    /// Makes a new file to be loaded from nothing.
    pub fn create(path: &Path) -> Result<Self, StoreError> {
        let conn = connection::create_bulk_of(path, connection::SCATTERED_PAGE_BYTES)?;
        let memory = Self::of(Held::alone(conn, path), path);
        for sql in statements(TABLES) {
            memory.run(sql, "making the tables")?;
        }
        Ok(memory)
    }

    fn of(conn: Held, path: &Path) -> Self {
        Self { conn, path: path.to_owned(), last_ms: 0, saved_ms: Vec::new() }
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What can be read of it now, inside a transaction what was written in it too.
    pub fn view(&self) -> MemoryView<'_> {
        MemoryView::of(&self.conn, &self.path, Some(self.last_ms))
    }

    /// Whether the file is being loaded from nothing.
    fn is_load(&self) -> bool {
        self.conn.is_alone()
    }

    fn run(&self, sql: &str, doing: &'static str) -> Result<(), StoreError> {
        self.conn.execute_batch(sql).map_err(|source| self.failed(doing, source))
    }

    /// Runs one statement; answers how many rows it changed.
    fn change(
        &self,
        sql: &str,
        values: impl rusqlite::Params,
        doing: &'static str,
    ) -> Result<usize, StoreError> {
        let changed = self.conn.prepare_cached(sql).and_then(|mut change| change.execute(values));
        changed.map_err(|source| self.failed(doing, source))
    }

    fn failed(&self, doing: &'static str, source: rusqlite::Error) -> StoreError {
        StoreError::sql(&self.path, doing, source)
    }
}

fn found_rows(conn: &Connection) -> rusqlite::Result<Rows> {
    let sql = "SELECT (SELECT coalesce(max(id), 0) FROM events), \
               (SELECT coalesce(max(id), 0) FROM archival)";
    conn.prepare_cached(sql)?
        .query_row([], |row| Ok(Rows { executions: row.get(0)?, others: row.get(1)? }))
}

#[cfg(test)]
mod tests;
