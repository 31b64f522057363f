//! Reading `memory.db`.

use std::path::{Path, PathBuf};

use super::{CURSOR_TABLE, MemoryView};
use crate::store::held::Held;
use crate::store::{Cursor, Digest, Rows, StoreError, connection, digest};

/// `memory.db`, open for reading only.
#[derive(Debug)]
pub struct MemoryReader {
    conn: Held,
    path: PathBuf,
}

impl MemoryReader {
    /// Opens an existing store; its lock is held where the folder can be written.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        // Where nothing was ever remembered no lock is made either.
        connection::must_exist(path)?;
        Self::of(Held::reading(path)?, path)
    }

    /// Opens a store that is only looked at: see [`StillStore`](crate::store::StillStore).
    pub(crate) fn open_still(path: &Path) -> Result<Self, StoreError> {
        Self::of(Held::alone(connection::open_still(path)?, path), path)
    }

    fn of(conn: Held, path: &Path) -> Result<Self, StoreError> {
        connection::keep_scattered(&conn, path)?;
        crate::memory::store::check(&conn, path)?;
        Ok(Self { conn, path: path.to_owned() })
    }

    /// What is in it.
    pub fn view(&self) -> MemoryView<'_> {
        MemoryView::of(&self.conn, &self.path, None)
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

    fn failed(&self, source: rusqlite::Error) -> StoreError {
        StoreError::sql(&self.path, "reading the memory", source)
    }
}
