//! `.annals/memory.db`: what agents remember, branch by branch. The eight tables of spec 003, and how
//! rows come into them.
//!
//! The cursor and the time of the last event are rows of `sqlite_sequence`: the contract's tables gain
//! no column, and it gains no table (R11).

pub mod foreign;
mod memory_db;
mod position;
mod read;
mod view;
mod words;
mod write;

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;
use std::sync::LazyLock;

use rusqlite::Connection;

use crate::store::digest::{created, statements};
use crate::store::held::Held;
use crate::store::{Anomaly, Result, Rows, StoreError, connection, made_by};

pub use memory_db::MEMORY;
pub use position::{Listed, Place};
pub use read::{ArchivalRecord, Branch, RecallEvent, RecallSummary, StoredCore, tags};
pub(super) use view::read_last_ms;
pub use view::{MemoryReader, MemoryView};
pub use words::KeptWords;

const TABLES: &str = include_str!("tables.sql");
const INDEXES: &str = include_str!("indexes.sql");
pub(super) const CURSOR_TABLE: &str = "sqlite_sequence";
static NUMBER: LazyLock<i32> = LazyLock::new(|| made_by::number([TABLES, INDEXES]));
/// The records that the full-text index may read otherwise than we do, as `idx_archival_wide` says it:
/// SQLite uses the index only where a question says the same.
const WIDE: &str = "length(CAST(text AS BLOB)) <> length(text) OR instr(tags, '\\') > 0";
/// The row of `sqlite_sequence` that has the time of the last event, Unix milliseconds.
pub(super) const LAST_MS: &str = "annals.last_ms";

/// `memory.db`, open for writing: *live*, or a *load* of a new file. It is the fold into itself as well
/// (`memory::fold`).
#[derive(Debug)]
pub struct Memory {
    pub(super) conn: Held,
    /// The latest time of an event that happened here.
    pub(super) last_ms: u64,
    /// What that was at each savepoint.
    pub(super) saved_ms: Vec<u64>,
    pub(super) anomalies: Vec<Anomaly>,
}

impl Memory {
    /// Opens an existing store for writing, and holds its lock shared.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        connection::must_exist(path)?;
        let conn = Held::writing(path)?;
        connection::keep_scattered(&conn, path)?;
        check(&conn, path)?;
        Ok(Self::of(conn))
    }

    /// Makes a new file to be loaded from nothing.
    pub fn create(path: &Path) -> Result<Self, StoreError> {
        let conn = connection::create_bulk_of(path, connection::SCATTERED_PAGE_BYTES)?;
        let memory = Self::of(Held::alone(conn, path));
        for sql in statements(TABLES) {
            memory.conn.run(sql, "making the tables")?;
        }
        made_by::note(&memory.conn, *NUMBER)?;
        Ok(memory)
    }

    fn of(conn: Held) -> Self {
        Self { conn, last_ms: 0, saved_ms: Vec::new(), anomalies: Vec::new() }
    }

    /// What can be read of it now, inside a transaction what was written in it too.
    pub fn view(&self) -> MemoryView<'_> {
        MemoryView::of(&self.conn, Some(self.last_ms))
    }

    /// Makes the full-text index and the others after the rows of a load, puts the file into WAL mode
    /// and closes it.
    pub(super) fn finished(self) -> Result<()> {
        self.conn.run(
            "INSERT INTO archival_fts (rowid, text, tags, branch_id) \
             SELECT id, text, tags, branch_id FROM archival ORDER BY id",
            "making the full-text index",
        )?;
        for sql in statements(INDEXES) {
            self.conn.run(sql, "making the indexes")?;
        }
        let path = self.conn.path().to_owned();
        drop(self);
        connection::finish_bulk(&path)
    }
}

pub(super) fn found_rows(conn: &Connection) -> rusqlite::Result<Rows> {
    let sql = "SELECT (SELECT coalesce(max(id), 0) FROM events), \
               (SELECT coalesce(max(id), 0) FROM archival)";
    conn.prepare_cached(sql)?
        .query_row([], |row| Ok(Rows { executions: row.get(0)?, others: row.get(1)? }))
}

/// An array of strings: `", "` between them, nothing but ASCII.
pub fn json_texts<S: AsRef<str>>(texts: &[S]) -> String {
    let mut json = String::from("[");
    for (at, text) in texts.iter().enumerate() {
        json.push_str(if at == 0 { "\"" } else { ", \"" });
        text.as_ref().chars().for_each(|c| push(&mut json, c));
        json.push('"');
    }
    json.push(']');
    json
}

pub fn json_numbers(numbers: &[u64]) -> String {
    let numbers: Vec<String> = numbers.iter().map(u64::to_string).collect();
    format!("[{}]", numbers.join(", "))
}

fn push(json: &mut String, c: char) {
    match c {
        '"' => json.push_str("\\\""),
        '\\' => json.push_str("\\\\"),
        '\n' => json.push_str("\\n"),
        '\r' => json.push_str("\\r"),
        '\t' => json.push_str("\\t"),
        '\u{8}' => json.push_str("\\b"),
        '\u{c}' => json.push_str("\\f"),
        ' '..='~' => json.push(c),
        _ => {
            for unit in c.encode_utf16(&mut [0; 2]) {
                // A String takes whatever is written to it.
                let _ = write!(json, "\\u{unit:04x}");
            }
        }
    }
}

/// Compares a file's schema with ours. What FTS5 keeps its index in is its own matter.
fn check(conn: &Connection, path: &Path) -> Result<()> {
    let found =
        found(conn).map_err(|source| StoreError::sql(path, "reading the schema", source))?;
    let found: BTreeSet<(&str, &str)> =
        found.iter().map(|(name, sql)| (name.as_str(), sql.as_str())).collect();
    let ours = statements(TABLES).into_iter().chain(statements(INDEXES));
    let expected: BTreeSet<(&str, &str)> = ours.map(|sql| (created(sql), sql)).collect();
    match expected.symmetric_difference(&found).next() {
        None => Ok(()),
        Some((object, _)) => {
            let object = (*object).to_owned();
            Err(made_by::differs(conn, path, *NUMBER, object))
        }
    }
}

fn found(conn: &Connection) -> rusqlite::Result<Vec<(String, String)>> {
    let mut find = conn.prepare(
        "SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL \
         AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' \
         AND name NOT LIKE 'archival\\_fts\\_%' ESCAPE '\\' ORDER BY name",
    )?;
    find.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
}

/// The highest number ever given in each table that numbers its rows; 0 before the first. A number is
/// never given twice, also where its row is gone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LastIds {
    pub events: u64,
    pub archival: u64,
    pub inherited_summaries: u64,
}

#[cfg(test)]
mod tests;
