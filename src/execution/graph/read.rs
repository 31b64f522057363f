//! Reading `codegraph.db`: the connection that questions are asked with.

use std::path::{Path, PathBuf};

use rusqlite::{Connection, Row, params_from_iter};

use super::{Foreign, Roots, Shared, digest, foreign, schema, write};
use crate::store::{Ask, Cursor, Digest, Rows, StillStore, StoreError, connection, turn};

/// `codegraph.db`, open for reading only.
#[derive(Debug)]
pub struct CodeGraphReader {
    conn: Shared,
    path: PathBuf,
    roots: Roots,
}

impl CodeGraphReader {
    /// Opens a graph. No lock beside it is taken: it is never replaced.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let opened = connection::open_read_of(path, super::SHARED);
        Self::of(opened.map_err(super::not_ours)?, path)
    }

    /// As [`Self::open`], for a look that leaves nothing behind: where nobody has it open, nothing is made
    /// beside it.
    pub fn open_to_look(path: &Path) -> Result<Self, StoreError> {
        match StillStore::is_alone(path) {
            true => Self::open_still(path),
            false => Self::open(path),
        }
    }

    pub(super) fn into_connection(self) -> Shared {
        self.conn
    }

    /// Opens a graph that is only looked at: see [`StillStore`].
    pub(crate) fn open_still(path: &Path) -> Result<Self, StoreError> {
        Self::of(connection::open_still(path).map_err(super::not_ours)?, path)
    }

    fn of(conn: Connection, path: &Path) -> Result<Self, StoreError> {
        let failed = |source| StoreError::of_graph(path, "opening the graph", source);
        let conn = Shared::of(conn).map_err(failed)?;
        turn::patience(&conn, super::WAIT_MAX).map_err(failed)?;
        schema::check(&conn, path)?;
        let index_root = schema::index_root(&conn).map_err(failed)?;
        let mut roots = Roots::new(super::root_of(path), index_root.as_deref());
        if schema::has(&conn, super::CURSOR_TABLE, "root").map_err(failed)? {
            roots.tell_from(&write::told_from(&conn).map_err(failed)?);
        }
        Ok(Self { conn, path: path.to_owned(), roots })
    }

    pub fn roots(&self) -> &Roots {
        &self.roots
    }

    /// Keeps what is read from now on to one moment, until it is dropped.
    pub(crate) fn moment(&self) -> Result<rusqlite::Transaction<'_>, StoreError> {
        self.conn.unchecked_transaction().map_err(|source| self.failed(source))
    }

    /// The cursor as it stands; `None` where the graph knows nothing of us.
    pub fn cursor(&self) -> Result<Option<Cursor>, StoreError> {
        write::cursor(&self.conn).map_err(|source| self.failed(source))
    }

    pub fn found_rows(&self) -> Result<Rows, StoreError> {
        super::found_rows(&self.conn).map_err(|source| self.failed(source))
    }

    pub fn is_settled(&self) -> Result<bool, StoreError> {
        foreign::is_settled(&self.conn).map_err(|source| self.failed(source))
    }

    pub fn foreign(&self) -> Result<Foreign, StoreError> {
        Foreign::found(&self.conn).map_err(|source| self.failed(source))
    }

    /// The digest of what is ours in it, and the cursor that goes with it.
    pub fn digest(&self) -> Result<(Option<Cursor>, Digest), StoreError> {
        let transaction =
            self.conn.unchecked_transaction().map_err(|source| self.failed(source))?;
        let cursor = self.cursor()?;
        let digest = digest::content(&transaction, cursor).map_err(|source| self.failed(source))?;
        Ok((cursor, digest))
    }

    pub fn answer<T>(
        &self,
        sql: &str,
        values: &[Ask],
        row: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, StoreError> {
        let ask = || -> rusqlite::Result<Vec<T>> {
            self.conn.prepare_cached(sql)?.query_map(params_from_iter(values), row)?.collect()
        };
        ask().map_err(|source| self.failed(source))
    }

    fn failed(&self, source: rusqlite::Error) -> StoreError {
        StoreError::of_graph(&self.path, "reading the graph", source)
    }
}
