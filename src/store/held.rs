//! A connection of ours to a store, with what it holds while it is open.

use std::ops::Deref;
use std::path::{Path, PathBuf};

use rusqlite::{Connection, OptionalExtension, Params, Row, Statement, Transaction};

use super::lock::StoreLock;
use super::stamp::{self, Known, Stamping};
use super::{Cursor, Digest, Rows, StoreError, connection, digest};

/// A connection to a store, and its lock. The store's files change in transactions and where the last
/// connection closes, which puts the `-wal` into the store: both while its stamp is held, so that the store's
/// stamp goes on saying what they are.
#[derive(Debug)]
pub(crate) struct Held {
    conn: Connection,
    /// Ends after the connection has closed.
    stamping: Option<Stamping>,
    lock: Option<StoreLock>,
    path: PathBuf,
}

impl Held {
    pub fn writing(path: &Path) -> Result<Self, StoreError> {
        let lock = StoreLock::shared(path)?;
        if stamp::known(path) == Some(Known::Differs) {
            return Err(StoreError::Differs { path: path.to_owned() });
        }
        Ok(Self::of(connection::open_write(path)?, path, Some(lock)))
    }

    /// A connection that only reads; the lock is held where the folder can be written.
    pub fn reading(path: &Path) -> Result<Self, StoreError> {
        let lock = StoreLock::reading(path)?;
        Ok(Self::of(connection::open_read(path)?, path, lock))
    }

    /// A connection to a file that nobody else knows of, or that is only looked at.
    pub fn alone(conn: Connection, path: &Path) -> Self {
        Self::of(conn, path, None)
    }

    fn of(conn: Connection, path: &Path, lock: Option<StoreLock>) -> Self {
        Self { conn, stamping: None, lock, path: path.to_owned() }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether nobody else has the file.
    pub fn is_alone(&self) -> bool {
        self.lock.is_none()
    }

    /// Begins a transaction that nobody else can write beside.
    pub fn begin(&mut self, doing: &'static str) -> Result<(), StoreError> {
        // A stamp that cannot be had keeps nobody from writing.
        let mut stamping =
            self.lock.as_ref().and_then(|_| Stamping::take(&self.path).ok().flatten());
        self.run("BEGIN IMMEDIATE", doing)?;
        let known = stamping.as_mut().and_then(Stamping::note);
        self.stamping = stamping;
        match known {
            Some(Known::Differs) => {
                self.rollback(doing)?;
                Err(StoreError::Differs { path: self.path.clone() })
            }
            _ => Ok(()),
        }
    }

    /// Ends a transaction, and says in the store, and in its stamp, how far it has read.
    pub fn commit(&mut self, cursor: Cursor, table: &str) -> Result<(), StoreError> {
        let written = cursor.write(&self.conn, table);
        written.map_err(|source| self.failed("writing the cursor", source))?;
        self.run("COMMIT", "committing")?;
        if let Some(stamping) = self.stamping.take() {
            stamping.end(cursor.position.into());
        }
        Ok(())
    }

    pub fn rollback(&mut self, doing: &'static str) -> Result<(), StoreError> {
        self.run("ROLLBACK", doing)?;
        self.stamping = None;
        Ok(())
    }

    pub fn run(&self, sql: &str, doing: &'static str) -> Result<(), StoreError> {
        self.conn.execute_batch(sql).map_err(|source| self.failed(doing, source))
    }

    /// Runs a statement that changes rows; answers how many.
    pub fn write(
        &self,
        doing: &'static str,
        sql: &str,
        values: impl Params,
    ) -> Result<usize, StoreError> {
        self.conn
            .prepare_cached(sql)
            .and_then(|mut statement| statement.execute(values))
            .map_err(|source| self.failed(doing, source))
    }

    pub fn find<T>(
        &self,
        doing: &'static str,
        sql: &str,
        values: impl Params,
        row: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Option<T>, StoreError> {
        self.conn
            .prepare_cached(sql)
            .and_then(|mut find| find.query_row(values, row).optional())
            .map_err(|source| self.failed(doing, source))
    }

    pub fn rows<T>(
        &self,
        doing: &'static str,
        sql: &str,
        values: impl Params,
        mut row: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, StoreError> {
        let (mut values, mut all) = (Some(values), Vec::new());
        let mut bind = |find: &mut Statement<'_>| match values.take() {
            Some(values) => find.query(values).map(drop),
            None => Ok(()),
        };
        self.each(doing, sql, &mut bind, &mut |found| {
            all.push(row(found)?);
            Ok(())
        })?;
        Ok(all)
    }

    /// What all of [`Self::rows`] has in common, whatever is given and made of a row.
    fn each(
        &self,
        doing: &'static str,
        sql: &str,
        bind: &mut dyn FnMut(&mut Statement<'_>) -> rusqlite::Result<()>,
        row: &mut dyn FnMut(&Row<'_>) -> rusqlite::Result<()>,
    ) -> Result<(), StoreError> {
        let mut ask = || {
            let mut find = self.conn.prepare_cached(sql)?;
            bind(&mut find)?;
            let mut rows = find.raw_query();
            while let Some(found) = rows.next()? {
                row(found)?;
            }
            Ok(())
        };
        ask().map_err(|source| self.failed(doing, source))
    }

    pub fn cursor(&self, table: &str, doing: &'static str) -> Result<Option<Cursor>, StoreError> {
        Cursor::read(&self.conn, table).map_err(|source| self.failed(doing, source))
    }

    /// The last rows that the tables really have: `sql` gives both.
    pub fn last_rows(&self, doing: &'static str, sql: &str) -> Result<Rows, StoreError> {
        let rows = |row: &Row<'_>| Ok(Rows { executions: row.get(0)?, others: row.get(1)? });
        Ok(self.find(doing, sql, [], rows)?.unwrap_or_default())
    }

    pub fn failed(&self, doing: &'static str, source: rusqlite::Error) -> StoreError {
        StoreError::sql(&self.path, doing, source)
    }
}

/// A store that is only read: what every one is asked, and the words for what failed.
#[derive(Debug)]
pub struct HeldReader {
    pub(crate) conn: Held,
    /// Where the cursor is.
    pub cursor_table: &'static str,
    /// Gives the last rows that the tables really have.
    pub last_rows: &'static str,
    pub doing: &'static str,
}

impl HeldReader {
    /// Keeps what is read from now on to one moment, until it is dropped.
    pub fn moment(&self) -> Result<Transaction<'_>, StoreError> {
        self.conn.unchecked_transaction().map_err(|source| self.failed(source))
    }

    /// As [`Self::moment`], as long as this is open: no question takes and leaves a lock of its own.
    pub fn keep_moment(&self) -> Result<(), StoreError> {
        self.conn.run("BEGIN", self.doing)
    }

    /// Ends what [`Self::keep_moment`] began.
    pub fn let_go(&self) -> Result<(), StoreError> {
        self.conn.run("COMMIT", self.doing)
    }

    pub fn cursor(&self) -> Result<Option<Cursor>, StoreError> {
        self.conn.cursor(self.cursor_table, self.doing)
    }

    pub fn found_rows(&self) -> Result<Rows, StoreError> {
        self.conn.last_rows(self.doing, self.last_rows)
    }

    /// The digest of what is in it, and the cursor that goes with it.
    pub fn digest(&self) -> Result<(Option<Cursor>, Digest), StoreError> {
        let moment = self.moment()?;
        let cursor = self.cursor()?;
        let digest = digest::content(&moment).map_err(|source| self.failed(source))?;
        Ok((cursor, digest))
    }

    pub fn failed(&self, source: rusqlite::Error) -> StoreError {
        self.conn.failed(self.doing, source)
    }
}

impl Deref for Held {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        &self.conn
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        if self.lock.is_some() && self.stamping.is_none() {
            self.stamping = Stamping::take(&self.path).ok().flatten(); // as in `begin`
            if let Some(stamping) = &mut self.stamping {
                stamping.note_for_closing();
            }
        }
    }
}
