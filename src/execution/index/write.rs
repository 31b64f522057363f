//! Catching up: one BEGIN IMMEDIATE from reading the cursor to writing it (R11).

use super::open_row::OpenRows;
use super::tallies::Tallies;
use super::{CURSOR_TABLE, Index};
use crate::store::{Cursor, Position, Rows, StoreError};

impl Index {
    /// The cursor. To be trusted only after [`Self::begin`].
    pub fn cursor(&self) -> Result<Option<Cursor>, StoreError> {
        Cursor::read(&self.conn, CURSOR_TABLE)
            .map_err(|source| self.failed("reading the cursor", source))
    }

    /// The last execution's row and the highest ordinal that the table really has.
    pub fn found_rows(&self) -> Result<Rows, StoreError> {
        super::found_rows(&self.conn).map_err(|source| self.failed("reading the last rows", source))
    }

    /// Begins a transaction that nobody else can write beside.
    pub fn begin(&mut self) -> Result<(), StoreError> {
        self.conn.begin("beginning to catch up")?;
        self.open = OpenRows::default();
        self.tallies = Tallies::default();
        self.rows = self.found_rows()?;
        self.declared = self.read_declared()?;
        self.void_starts = self
            .conn
            .prepare_cached("SELECT 1 FROM void_starts LIMIT 1")
            .and_then(|mut find| find.exists([]))
            .map_err(|source| self.failed("looking for repeated starts", source))?;
        Ok(())
    }

    /// Ends the transaction with the cursor that vouches for its rows.
    pub fn commit(&mut self, position: Position) -> Result<(), StoreError> {
        self.write_open()?;
        self.write_tallies()?;
        // A load has no index yet to look for the newest along: it does so at its end.
        if !self.is_load() {
            self.settle_tallies()?;
        }
        let cursor = Cursor { position, rows: self.rows };
        cursor
            .write(&self.conn, CURSOR_TABLE)
            .map_err(|source| self.failed("writing the cursor", source))?;
        self.conn.commit("committing")
    }

    /// Ends the transaction as if it had never been.
    pub fn rollback(&mut self) -> Result<(), StoreError> {
        self.open = OpenRows::default();
        self.tallies = Tallies::default();
        self.conn.rollback("giving up a transaction")
    }

    /// Whether the file is being loaded from nothing.
    pub fn is_load(&self) -> bool {
        self.conn.is_alone()
    }

    fn read_declared(&self) -> Result<Vec<String>, StoreError> {
        let failed = |source| self.failed("reading the declared tools", source);
        let mut find =
            self.conn.prepare_cached("SELECT name FROM tools ORDER BY number").map_err(failed)?;
        let names = find.query_map([], |row| row.get(0)).map_err(failed)?;
        names.collect::<rusqlite::Result<_>>().map_err(failed)
    }
}
