//! A `memory.sqlite` as the reference implementation of spec 003 writes it: read, and written.
//!
//! What is read was written by another program, or by anybody: it is opened as it lies, read only and
//! without its schema being trusted, row by row with a bound on each size. Columns have whatever type
//! a row gives them, and older files lack two.

mod rows;
mod write;

use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::{fs, io};

use rusqlite::Connection;
use rusqlite::limits::Limit;

use crate::store::{StillStore, StoreError, connection};

pub use rows::{ForeignCore, ForeignExclusion};
pub use write::{Written, write};

pub(super) type Result<T, E = ForeignError> = std::result::Result<T, E>;

/// A file that is read, at most.
pub const FILE_BYTES_MAX: u64 = 8 << 30;
/// All of its texts together: a damaged file can name the same pages again and again.
pub const BYTES_MAX: u64 = 2 << 30;
pub const ROWS_MAX: usize = 4_000_000;
/// A text in a row.
pub const VALUE_BYTES_MAX: usize = 4 << 20;

/// The tables that must be there, with the columns that are read.
const TABLES: [(&str, &str); 5] = [
    ("branches", "id, parent_id, node_uid, created_at"),
    ("core_kv", "branch_id, key, value, updated_at"),
    ("core_meta", "branch_id, key, importance, ttl"),
    ("events", "id, branch_id, kind, text, tags, created_at"),
    ("archival", "id, branch_id, text, tags, created_at"),
];

/// Somebody else's memory, open for reading.
#[derive(Debug)]
pub struct ForeignMemory {
    conn: Connection,
    path: PathBuf,
    /// Whether events have `task_hint` and `memory_size`.
    has_hints: bool,
    /// Whether there are the two tables of inherited events.
    has_inherited: bool,
    /// Of the texts that were read so far.
    bytes: Cell<u64>,
}

impl ForeignMemory {
    /// Opens a file. Where a `-wal` or a rollback journal lies beside it, it is copied into `aside`
    /// first, a folder of the caller's own: opening it where it lies would change it.
    pub fn open(path: &Path, aside: &Path) -> Result<Self> {
        // A person named it, and may have named a link to it.
        let path = &path.canonicalize().map_err(|source| not_a_file(path, source))?;
        let about = fs::metadata(path).map_err(|source| not_a_file(path, source))?;
        if !about.is_file() {
            let source = io::Error::new(io::ErrorKind::InvalidInput, "not a regular file");
            return Err(not_a_file(path, source));
        }
        if about.len() > FILE_BYTES_MAX {
            return Err(ForeignError::TooLarge { path: path.to_owned(), bytes: about.len() });
        }
        let opened = match StillStore::is_alone(path) {
            true => connection::open_still(path),
            false => {
                let copy = aside.join("memory.sqlite");
                StillStore::copy(path, &copy).and_then(|()| connection::open_read(&copy))
            }
        };
        let conn = opened.map_err(|error| of_store(path, error))?;
        let mut memory = Self {
            conn,
            path: path.to_owned(),
            has_hints: false,
            has_inherited: false,
            bytes: Cell::new(0),
        };
        memory.check()?;
        Ok(memory)
    }

    fn check(&mut self) -> Result<()> {
        let length = i32::try_from(VALUE_BYTES_MAX).unwrap_or(i32::MAX);
        let limited = self.conn.set_limit(Limit::SQLITE_LIMIT_LENGTH, length);
        limited.map_err(|source| self.unreadable("reading its schema", source))?;
        for (table, columns) in TABLES {
            if !self.has(table, columns)? {
                return Err(ForeignError::NotAMemory { path: self.path.clone(), table });
            }
        }
        self.has_hints = self.has("events", "task_hint, memory_size")?;
        let excluded = "branch_id, excluded_event_id, excluded_at";
        let summaries = "id, branch_id, summary_text, summarized_event_ids, kind, created_at";
        self.has_inherited = self.has("inherited_exclusions", excluded)?
            && self.has("inherited_summaries", summaries)?;
        Ok(())
    }

    /// Whether there is a plain table with these columns: a view, or a table that somebody's module
    /// makes up, could do anything while it is read.
    fn has(&self, table: &str, columns: &str) -> Result<bool> {
        let found = self.finds(table, columns);
        found.map_err(|source| self.unreadable("reading its schema", source))
    }

    fn finds(&self, table: &str, columns: &str) -> rusqlite::Result<bool> {
        let sql = "SELECT count(*) FROM pragma_table_list WHERE schema = 'main' AND name = ?1 \
                   AND type = 'table' AND wr = 0";
        let is_table: bool = self.conn.query_row(sql, [table], |row| row.get(0))?;
        let sql = "SELECT count(*) FROM pragma_table_xinfo(?1) WHERE name = ?2 AND hidden = 0";
        let mut find = self.conn.prepare(sql)?;
        for column in columns.split(", ") {
            let has: bool = find.query_row([table, column], |row| row.get(0))?;
            if !has || !is_table {
                return Ok(false);
            }
        }
        Ok(is_table)
    }

    fn unreadable(&self, doing: &'static str, source: rusqlite::Error) -> ForeignError {
        ForeignError::Unreadable { path: self.path.clone(), doing, source }
    }
}

fn not_a_file(path: &Path, source: io::Error) -> ForeignError {
    ForeignError::NotAFile { path: path.to_owned(), source }
}

fn of_store(path: &Path, error: StoreError) -> ForeignError {
    let path = path.to_owned();
    match error {
        StoreError::Unreadable { doing, source, .. } | StoreError::Sql { doing, source, .. } => {
            ForeignError::Unreadable { path, doing, source }
        }
        StoreError::Io { source, .. } => ForeignError::NotAFile { path, source },
        other => ForeignError::NotAFile { path, source: io::Error::other(other.to_string()) },
    }
}

/// Why somebody else's memory cannot be read, or ours cannot be written for them.
#[derive(Debug, thiserror::Error)]
pub enum ForeignError {
    #[error("{path} cannot be opened: give the file that holds the memory, memory.sqlite")]
    NotAFile { path: PathBuf, source: io::Error },
    #[error("{path} has {bytes} bytes, and at most {FILE_BYTES_MAX} are read")]
    TooLarge { path: PathBuf, bytes: u64 },
    #[error(
        "{path} is no branch memory: it has no table `{table}` with the columns of spec 003; give a \
         memory.sqlite"
    )]
    NotAMemory { path: PathBuf, table: &'static str },
    #[error("{path} cannot be read as a database while {doing}; nothing was imported")]
    Unreadable { path: PathBuf, doing: &'static str, source: rusqlite::Error },
    #[error(
        "{path}: up to table `{table}` there are more than {BYTES_MAX} bytes of text, or it has more than \
         {ROWS_MAX} rows; nothing was imported"
    )]
    TooMany { path: PathBuf, table: &'static str },
    #[error(
        "{path}: row {row} of `{table}` cannot be read: {why}; nothing was imported. Texts are at most \
         {VALUE_BYTES_MAX} bytes"
    )]
    Row { path: PathBuf, table: &'static str, row: i64, why: String },
    #[error("{path} is there already: choose another name, or remove it first")]
    Exists { path: PathBuf },
    #[error("{path} cannot be written while {doing}")]
    Io { path: PathBuf, doing: &'static str, source: io::Error },
    #[error("{path} cannot be written while {doing}")]
    Unwritable { path: PathBuf, doing: &'static str, source: rusqlite::Error },
    #[error(transparent)]
    Store(#[from] StoreError),
}
