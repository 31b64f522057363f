//! What is in `memory.db`: a connection of its own, and what is read through whoever's.

use std::path::{Path, PathBuf};

use rusqlite::{Connection, OptionalExtension, Params, Row};

use super::{CURSOR_TABLE, LAST_MS, LastIds};
use crate::store::held::Held;
use crate::store::{Cursor, Digest, Rows, StoreError, connection, digest};

#[cfg(test)]
thread_local! {
    /// What was asked on this thread, for the test that looks at the plans.
    static ASKED: std::cell::RefCell<std::collections::BTreeSet<String>> = Default::default();
}

#[cfg(test)]
fn asked(sql: &str) {
    ASKED.with(|asked| asked.borrow_mut().insert(sql.to_owned()));
}

#[cfg(test)]
impl MemoryView<'_> {
    /// What was asked on this thread so far, each with the lines of its plan.
    pub fn plans(&self) -> rusqlite::Result<Vec<(String, Vec<String>)>> {
        let asked = ASKED.with(|asked| asked.borrow().clone());
        asked.into_iter().map(|sql| Ok((sql.clone(), self.plan(&sql)?))).collect()
    }
}

/// What is in `memory.db`, read through a connection that somebody else holds: a reader's, or a
/// writer's with all that it has not committed yet.
#[derive(Clone, Copy, Debug)]
pub struct MemoryView<'a> {
    conn: &'a Connection,
    path: &'a Path,
    last_ms: Option<u64>,
}

impl<'a> MemoryView<'a> {
    /// `last_ms` where its owner knows better than the file.
    pub(super) fn of(conn: &'a Connection, path: &'a Path, last_ms: Option<u64>) -> Self {
        Self { conn, path, last_ms }
    }

    /// The numbers given last: the next of each is one more.
    pub fn last_ids(&self) -> Result<LastIds, StoreError> {
        let sql = "SELECT name, seq FROM sqlite_sequence \
                   WHERE name IN ('events', 'archival', 'inherited_summaries')";
        let mut last = LastIds::default();
        for (name, id) in self.rows(sql, [], |row| Ok((row.get::<_, String>(0)?, row.get(1)?)))? {
            match name.as_str() {
                "events" => last.events = id,
                "archival" => last.archival = id,
                _ => last.inherited_summaries = id,
            }
        }
        Ok(last)
    }

    /// The latest time of an event that happened here, Unix milliseconds; 0 before the first. What
    /// was imported does not count: its times are others' clocks'.
    pub fn last_ms(&self) -> Result<u64, StoreError> {
        match self.last_ms {
            Some(last_ms) => Ok(last_ms),
            None => read_last_ms(self.conn).map_err(|source| self.failed(source)),
        }
    }

    /// Every row of a question, through `row`.
    pub fn rows<T>(
        &self,
        sql: &str,
        params: impl Params,
        row: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, StoreError> {
        #[cfg(test)]
        asked(sql);
        let ask = || -> rusqlite::Result<Vec<T>> {
            self.conn.prepare_cached(sql)?.query_map(params, row)?.collect()
        };
        ask().map_err(|source| self.failed(source))
    }

    /// The first row of a question, if it has one.
    pub fn row<T>(
        &self,
        sql: &str,
        params: impl Params,
        row: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Option<T>, StoreError> {
        #[cfg(test)]
        asked(sql);
        let ask = || self.conn.prepare_cached(sql)?.query_row(params, row).optional();
        ask().map_err(|source| self.failed(source))
    }

    #[cfg(test)]
    fn plan(&self, sql: &str) -> rusqlite::Result<Vec<String>> {
        let mut explain = self.conn.prepare(&format!("EXPLAIN QUERY PLAN {sql}"))?;
        explain.raw_query().mapped(|row| row.get("detail")).collect()
    }

    fn failed(&self, source: rusqlite::Error) -> StoreError {
        StoreError::sql(self.path, "reading the memory", source)
    }
}

pub(super) fn read_last_ms(conn: &Connection) -> rusqlite::Result<u64> {
    let sql = "SELECT seq FROM sqlite_sequence WHERE name = ?1";
    let found = conn.prepare_cached(sql)?.query_row([LAST_MS], |row| row.get(0)).optional()?;
    Ok(found.unwrap_or(0))
}

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
        super::check(&conn, path)?;
        Ok(Self { conn, path: path.to_owned() })
    }

    pub fn view(&self) -> MemoryView<'_> {
        MemoryView::of(&self.conn, &self.path, None)
    }

    /// Keeps what is read from now on to one moment, until it is dropped.
    pub(crate) fn moment(&self) -> Result<rusqlite::Transaction<'_>, StoreError> {
        self.conn.unchecked_transaction().map_err(|source| self.failed(source))
    }

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
