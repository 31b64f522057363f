//! Ties between executions and paths, symbols.
//!
//! The tables lie in order of executions, so that a load only appends; the indexes by path and
//! symbol are made when the rows are there.

use rusqlite::{OptionalExtension, ToSql, params};

use super::Index;
use super::open_row::OpenRow;
use crate::store::StoreError;

/// An execution, and the time that its ties are ordered by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct At {
    pub execution: u64,
    pub at_ms: i64,
    pub at_seq: u64,
}

impl Index {
    /// Ties a path to an execution; the strongest role it had stays.
    pub fn add_path(&mut self, at: At, path: &str, role: u8) -> Result<(), StoreError> {
        let find = "SELECT number FROM paths WHERE path = ?1";
        let insert = "INSERT INTO paths (path, name) VALUES (?1, ?2)";
        let name = path.rsplit('/').find(|part| !part.is_empty()).unwrap_or(path);
        let number = self.number_of(find, insert, path, &[&path, &name])?;
        if let Some(open) = self.open.get_mut(at.execution) {
            let strongest = open.paths.entry(number).or_default();
            *strongest = role.max(*strongest);
            return Ok(());
        }
        self.write_path(at, number, role)
    }

    /// Gives every path of an execution at least this role.
    pub fn strengthen_paths(&mut self, execution: u64, role: u8) -> Result<(), StoreError> {
        if let Some(open) = self.open.get_mut(execution) {
            open.paths.values_mut().for_each(|had| *had = role.max(*had));
            return Ok(());
        }
        self.conn
            .prepare_cached("UPDATE execution_paths SET role = max(role, ?2) WHERE execution = ?1")
            .and_then(|mut update| update.execute(params![execution, role]))
            .map_err(|source| self.failed("marking changed paths", source))?;
        Ok(())
    }

    /// Ties a symbol to an execution.
    pub fn add_symbol(&mut self, at: At, symbol: &str) -> Result<(), StoreError> {
        let find = "SELECT number FROM symbols WHERE name = ?1";
        let insert = "INSERT INTO symbols (name) VALUES (?1)";
        let number = self.number_of(find, insert, symbol, &[&symbol])?;
        if let Some(open) = self.open.get_mut(at.execution) {
            open.symbols.insert(number);
            return Ok(());
        }
        self.write_symbol(at, number)
    }

    /// Gives the ties of an execution that ended the time of its end.
    pub fn close_links(&mut self, at: At) -> Result<(), StoreError> {
        if let Some(open) = self.open.take(at.execution) {
            return self.write_links(at, &open);
        }
        for table in ["execution_paths", "execution_symbols"] {
            let sql = format!("UPDATE {table} SET at_ms = ?2, at_seq = ?3 WHERE execution = ?1");
            self.conn
                .prepare_cached(&sql)
                .and_then(|mut update| update.execute(params![at.execution, at.at_ms, at.at_seq]))
                .map_err(|source| self.failed("moving an execution's ties", source))?;
        }
        Ok(())
    }

    /// Writes the ties of what is open, with the time of its beginning.
    pub(super) fn write_open(&mut self) -> Result<(), StoreError> {
        for (execution, open) in self.open.take_all() {
            self.write_links(At { execution, at_ms: open.at_ms, at_seq: execution }, &open)?;
        }
        Ok(())
    }

    fn write_links(&self, at: At, open: &OpenRow) -> Result<(), StoreError> {
        for (path, role) in &open.paths {
            self.write_path(at, *path, *role)?;
        }
        open.symbols.iter().try_for_each(|symbol| self.write_symbol(at, *symbol))
    }

    fn write_path(&self, at: At, number: i64, role: u8) -> Result<(), StoreError> {
        self.conn
            .prepare_cached(
                "INSERT INTO execution_paths (execution, path, role, at_ms, at_seq) \
                 VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT (execution, path) \
                 DO UPDATE SET role = max(role, excluded.role)",
            )
            .and_then(|mut insert| {
                insert.execute(params![at.execution, number, role, at.at_ms, at.at_seq])
            })
            .map_err(|source| self.failed("inserting a path", source))?;
        Ok(())
    }

    fn write_symbol(&self, at: At, number: i64) -> Result<(), StoreError> {
        self.conn
            .prepare_cached(
                "INSERT OR IGNORE INTO execution_symbols (execution, symbol, at_ms, at_seq) \
                 VALUES (?1, ?2, ?3, ?4)",
            )
            .and_then(|mut insert| {
                insert.execute(params![at.execution, number, at.at_ms, at.at_seq])
            })
            .map_err(|source| self.failed("inserting a symbol", source))?;
        Ok(())
    }

    /// Gives an execution the paths and symbols of another.
    pub(super) fn copy_links(&mut self, seq: u64, at_ms: i64, from: u64) -> Result<(), StoreError> {
        if self.open.get_mut(from).is_some() {
            self.write_open()?;
        }
        for sql in [
            "INSERT OR IGNORE INTO execution_paths (execution, path, role, at_ms, at_seq) \
             SELECT ?1, path, role, ?2, ?1 FROM execution_paths WHERE execution = ?3",
            "INSERT OR IGNORE INTO execution_symbols (execution, symbol, at_ms, at_seq) \
             SELECT ?1, symbol, ?2, ?1 FROM execution_symbols WHERE execution = ?3",
        ] {
            self.conn
                .prepare_cached(sql)
                .and_then(|mut copy| copy.execute(params![seq, at_ms, from]))
                .map_err(|source| self.failed("copying an execution's ties", source))?;
        }
        Ok(())
    }

    /// The number of a text in a table of distinct ones; it is given one where it has none.
    pub(super) fn number_of(
        &self,
        find: &str,
        insert: &str,
        key: &str,
        row: &[&dyn ToSql],
    ) -> Result<i64, StoreError> {
        let failed = |source| self.failed("looking a name up", source);
        let found: Option<i64> = self
            .conn
            .prepare_cached(find)
            .and_then(|mut find| find.query_row([key], |row| row.get(0)).optional())
            .map_err(failed)?;
        if let Some(number) = found {
            return Ok(number);
        }
        self.conn
            .prepare_cached(insert)
            .and_then(|mut insert| insert.execute(row))
            .map_err(failed)?;
        Ok(self.conn.last_insert_rowid())
    }
}
