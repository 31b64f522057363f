//! Writing: one BEGIN IMMEDIATE from reading the cursor to writing it (R11).

use rusqlite::params;

use super::{CURSOR_TABLE, LAST_MS, Memory, view};
use crate::store::{Cursor, Position, Rows, StoreError};

impl Memory {
    /// The cursor. To be trusted only after [`Self::begin`].
    pub fn cursor(&self) -> Result<Option<Cursor>, StoreError> {
        Cursor::read(&self.conn, CURSOR_TABLE)
            .map_err(|source| self.failed("reading the cursor", source))
    }

    /// The highest row ids that the tables really have.
    pub fn found_rows(&self) -> Result<Rows, StoreError> {
        super::found_rows(&self.conn).map_err(|source| self.failed("reading the last rows", source))
    }

    /// Begins a transaction that nobody else can write beside.
    pub fn begin(&mut self) -> Result<(), StoreError> {
        self.conn.begin("beginning to write")?;
        self.saved_ms.clear();
        self.last_ms = view::read_last_ms(&self.conn)
            .map_err(|source| self.failed("reading the last time", source))?;
        Ok(())
    }

    /// Ends the transaction with the cursor that vouches for its rows.
    pub fn commit(&mut self, position: Position) -> Result<(), StoreError> {
        self.write_last_ms()?;
        let cursor = Cursor { position, rows: self.found_rows()? };
        cursor
            .write(&self.conn, CURSOR_TABLE)
            .map_err(|source| self.failed("writing the cursor", source))?;
        self.conn.commit("committing")
    }

    /// Ends the transaction as if it had never been.
    pub fn rollback(&mut self) -> Result<(), StoreError> {
        self.saved_ms.clear();
        self.conn.rollback("giving up a transaction")
    }

    /// Begins a part of the transaction that can be undone alone. Parts may be nested.
    pub fn savepoint(&mut self) -> Result<(), StoreError> {
        self.run("SAVEPOINT part", "beginning a part")?;
        self.saved_ms.push(self.last_ms);
        Ok(())
    }

    /// Ends the innermost part; what it wrote stays, if the transaction does.
    pub fn release(&mut self) -> Result<(), StoreError> {
        self.run("RELEASE part", "ending a part")?;
        self.saved_ms.pop();
        Ok(())
    }

    /// Ends the innermost part as if it had never been.
    pub fn rollback_to(&mut self) -> Result<(), StoreError> {
        self.run("ROLLBACK TO part; RELEASE part", "giving up a part")?;
        if let Some(saved) = self.saved_ms.pop() {
            self.last_ms = saved;
        }
        Ok(())
    }

    /// Notes that an event happened here at this time, Unix milliseconds.
    pub fn touch(&mut self, at_ms: u64) {
        self.last_ms = self.last_ms.max(at_ms);
    }

    fn write_last_ms(&self) -> Result<(), StoreError> {
        let doing = "writing the last time";
        let last_ms = i64::try_from(self.last_ms).unwrap_or(i64::MAX);
        let update = "UPDATE sqlite_sequence SET seq = ?2 WHERE name = ?1";
        if self.change(update, params![LAST_MS, last_ms], doing)? == 0 && last_ms > 0 {
            let insert = "INSERT INTO sqlite_sequence (name, seq) VALUES (?1, ?2)";
            self.change(insert, params![LAST_MS, last_ms], doing)?;
        }
        Ok(())
    }
}
