//! What is in `memory.db`, read through somebody's connection.

use std::path::Path;

use rusqlite::{Connection, OptionalExtension, Params, Row};

use super::{LAST_MS, LastIds};
use crate::store::StoreError;

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
        super::read::asked(sql);
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
        super::read::asked(sql);
        let ask = || self.conn.prepare_cached(sql)?.query_row(params, row).optional();
        ask().map_err(|source| self.failed(source))
    }

    /// The lines of a question's plan.
    #[cfg(test)]
    pub(super) fn plan(&self, sql: &str) -> rusqlite::Result<Vec<String>> {
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
