//! A database of another program's, or of anybody's making: opened as it lies, read only, its schema not
//! trusted, what it costs to read bounded by its size.

use std::io;
use std::path::Path;

use rusqlite::Connection;
use rusqlite::types::ValueRef;

use super::StoreError;
use super::evidence::{Cache, EvidenceError};
use super::remains::{self, Bound, RemainsError};
use crate::store::evidence::Entry;

/// Rows that one question gives, at most.
const ROWS_MAX: usize = 4_000_000;

pub struct ForeignDatabase {
    conn: Connection,
    bound: Bound,
    /// Where it was copied to, since something lay beside it; goes with it.
    _aside: Entry,
}

/// A value of a row, whatever its column was declared as.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    Null,
    Integer(i64),
    Real(f64),
    Text(String),
    Bytes(Vec<u8>),
}

impl Cell {
    pub fn as_i64(&self) -> Option<i64> {
        if let Self::Integer(value) = self { Some(*value) } else { None }
    }

    pub fn as_str(&self) -> Option<&str> {
        if let Self::Text(value) = self { Some(value) } else { None }
    }
}

/// Why somebody else's database cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ForeignError {
    #[error("it cannot be opened: {0}")]
    Open(#[from] RemainsError),
    #[error(transparent)]
    Aside(#[from] EvidenceError),
    #[error("it cannot be read: {0}")]
    Read(#[from] rusqlite::Error),
    #[error("reading it would take more than a file of its size may")]
    TooMuch,
}

impl From<StoreError> for ForeignError {
    fn from(error: StoreError) -> Self {
        Self::Open(error.into())
    }
}

impl From<ForeignError> for io::Error {
    fn from(error: ForeignError) -> Self {
        Self::new(io::ErrorKind::InvalidData, error)
    }
}

impl ForeignDatabase {
    /// Opens a file. Where a `-wal` or a rollback journal lies beside it, all of it is copied first: opening it
    /// where it lies would change it.
    pub fn open(path: &Path) -> Result<Self, ForeignError> {
        let aside = Cache::of_user().private()?;
        // A person named it, and may have named a link to it.
        let real = path.canonicalize();
        let path = real.as_deref().unwrap_or(path);
        let (conn, bound) = remains::open_bounded(path, aside.root())?;
        Ok(Self { conn, bound, _aside: aside })
    }

    /// Whether there is a plain table with these columns: a view, or a table that somebody's module
    /// makes up, could do anything while it is read.
    pub fn has(&self, table: &str, columns: &[&str]) -> Result<bool, ForeignError> {
        let sql = "SELECT count(*) FROM pragma_table_list WHERE schema = 'main' AND name = ?1 \
                   AND type = 'table' AND wr = 0";
        let is_table: bool = self.conn.query_row(sql, [table], |row| row.get(0))?;
        let sql = "SELECT count(*) FROM pragma_table_xinfo(?1) WHERE name = ?2 AND hidden = 0";
        let mut find = self.conn.prepare(sql)?;
        for column in columns {
            let has: bool = find.query_row([table, column], |row| row.get(0))?;
            if !has || !is_table {
                return Ok(false);
            }
        }
        Ok(is_table)
    }

    /// Gives the whole numbers that a question of ours has in its one column.
    pub fn numbers(&self, sql: &str) -> Result<Vec<i64>, ForeignError> {
        let mut statement = self.conn.prepare(sql)?;
        let mut rows = statement.query([])?;
        let mut found = Vec::new();
        while let Some(row) = rows.next()? {
            if self.bound.is_over(8) || found.len() >= ROWS_MAX {
                return Err(ForeignError::TooMuch);
            }
            found.push(row.get(0)?);
        }
        Ok(found)
    }

    /// Gives the rows of a question of ours.
    pub fn ask(&self, sql: &str, about: &[Cell]) -> Result<Vec<Vec<Cell>>, ForeignError> {
        let mut statement = self.conn.prepare_cached(sql)?;
        let width = statement.column_count();
        for (at, cell) in about.iter().enumerate() {
            match cell {
                Cell::Null | Cell::Bytes(_) => statement.raw_bind_parameter(at + 1, None::<i64>)?,
                Cell::Integer(value) => statement.raw_bind_parameter(at + 1, value)?,
                Cell::Real(value) => statement.raw_bind_parameter(at + 1, value)?,
                Cell::Text(value) => statement.raw_bind_parameter(at + 1, value)?,
            }
        }
        let mut rows = statement.raw_query();
        let mut found = Vec::new();
        while let Some(row) = rows.next()? {
            let cells = (0..width).map(|at| row.get_ref(at).map(cell));
            let cells = cells.collect::<Result<Vec<_>, _>>()?;
            let bytes = cells.iter().map(bytes_of).sum();
            if self.bound.is_over(bytes) || found.len() >= ROWS_MAX {
                return Err(ForeignError::TooMuch);
            }
            found.push(cells);
        }
        Ok(found)
    }
}

fn cell(value: ValueRef<'_>) -> Cell {
    match value {
        ValueRef::Null => Cell::Null,
        ValueRef::Integer(value) => Cell::Integer(value),
        ValueRef::Real(value) => Cell::Real(value),
        ValueRef::Text(text) => Cell::Text(String::from_utf8_lossy(text).into_owned()),
        ValueRef::Blob(bytes) => Cell::Bytes(bytes.to_vec()),
    }
}

fn bytes_of(cell: &Cell) -> u64 {
    match cell {
        Cell::Text(text) => text.len() as u64,
        Cell::Bytes(bytes) => bytes.len() as u64,
        _ => 8,
    }
}
