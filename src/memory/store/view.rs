//! What is in `memory.db`: a connection of its own, and what is read through whoever's.

use std::path::Path;

use rusqlite::{Connection, OptionalExtension, Params, Row};

use super::{CURSOR_TABLE, KeptWords, LAST_MS, LastIds};
use crate::execution::query::{QueryError, Stores};
use crate::store::held::Held;
use crate::store::{Cursor, Digest, Result, Rows, StoreError, connection, digest};

/// What is being done while a question is answered.
const DOING: &str = "reading the memory";

/// What is in `memory.db`, read through a connection that somebody else holds: a reader's, or a
/// writer's with all that it has not committed yet.
#[derive(Clone, Copy, Debug)]
pub struct MemoryView<'a> {
    pub(super) conn: &'a Held,
    last_ms: Option<u64>,
    pub(super) words: Option<KeptWords<'a>>,
}

impl<'a> MemoryView<'a> {
    /// `last_ms` where its owner knows better than the file.
    pub(super) fn of(conn: &'a Held, last_ms: Option<u64>) -> Self {
        Self { conn, last_ms, words: None }
    }

    /// The same, with the words that the index keeps.
    pub fn with(self, words: KeptWords<'a>) -> Self {
        Self { words: Some(words), ..self }
    }

    /// Whether the index keeps the words of what is in it.
    pub fn has_kept_words(&self) -> bool {
        self.words.is_some()
    }

    /// The numbers given last: the next of each is one more.
    pub fn last_ids(&self) -> Result<LastIds> {
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
    pub fn last_ms(&self) -> Result<u64> {
        match self.last_ms {
            Some(last_ms) => Ok(last_ms),
            None => read_last_ms(self.conn).map_err(|source| self.conn.failed(DOING, source)),
        }
    }

    /// Every row of a question, through `row`.
    pub fn rows<T>(
        &self,
        sql: &str,
        params: impl Params,
        row: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>> {
        #[cfg(test)]
        super::tests::asked(sql);
        self.conn.rows(DOING, sql, params, row)
    }

    /// The first row of a question, if it has one.
    pub fn row<T>(
        &self,
        sql: &str,
        params: impl Params,
        row: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Option<T>> {
        #[cfg(test)]
        super::tests::asked(sql);
        self.conn.find(DOING, sql, params, row)
    }
}

pub fn read_last_ms(conn: &Connection) -> rusqlite::Result<u64> {
    let sql = "SELECT seq FROM sqlite_sequence WHERE name = ?1";
    let found = conn.prepare_cached(sql)?.query_row([LAST_MS], |row| row.get(0)).optional()?;
    Ok(found.unwrap_or(0))
}

/// `memory.db`, open for reading only.
#[derive(Debug)]
pub struct MemoryReader {
    conn: Held,
}

impl Stores {
    /// What agents remember, held open until it is dropped; `None` where nothing ever was.
    pub fn memory(&self) -> std::result::Result<Option<MemoryReader>, QueryError> {
        match MemoryReader::open(self.places.memory()) {
            Ok(memory) => Ok(Some(memory)),
            Err(StoreError::Missing { .. }) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }
}

impl MemoryReader {
    /// Opens an existing store; its lock is held where the folder can be written.
    pub fn open(path: &Path) -> Result<Self> {
        // Where nothing was ever remembered no lock is made either.
        connection::must_exist(path)?;
        Self::of(Held::reading(path)?, path)
    }

    /// Opens a store that is only looked at: see [`StillStore`](crate::store::StillStore).
    pub(crate) fn open_still(path: &Path) -> Result<Self> {
        Self::of(Held::alone(connection::open_still(path)?, path), path)
    }

    fn of(conn: Held, path: &Path) -> Result<Self> {
        connection::keep_scattered(&conn, path)?;
        super::check(&conn, path)?;
        Ok(Self { conn })
    }

    pub fn view(&self) -> MemoryView<'_> {
        MemoryView::of(&self.conn, None)
    }

    /// Keeps what is read from now on to one moment, until it is dropped.
    pub(crate) fn moment(&self) -> Result<rusqlite::Transaction<'_>> {
        self.conn.unchecked_transaction().map_err(|source| self.failed(source))
    }

    pub fn cursor(&self) -> Result<Option<Cursor>> {
        Cursor::read(&self.conn, CURSOR_TABLE).map_err(|source| self.failed(source))
    }

    /// The highest row ids that the tables really have.
    pub fn found_rows(&self) -> Result<Rows> {
        super::found_rows(&self.conn).map_err(|source| self.failed(source))
    }

    /// The digest of what is in it, and the cursor that goes with it.
    pub fn digest(&self) -> Result<(Option<Cursor>, Digest)> {
        let moment = self.moment()?;
        let digest = digest::content(&moment).map_err(|source| self.failed(source))?;
        Ok((self.cursor()?, digest))
    }

    fn failed(&self, source: rusqlite::Error) -> StoreError {
        self.conn.failed(DOING, source)
    }
}
