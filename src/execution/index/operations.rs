//! Events of branch memory and of phases: rows, and where the journal has them; and the last of
//! repositories' and of debug memory.

use rusqlite::{Connection, OptionalExtension, params};

use super::{Index, IndexReader};
use crate::store::{Concern, StoreError};

const OF_MEMORY: &str = "SELECT max(seq) FROM memory_ops INDEXED BY memory_ops_memory \
                         WHERE door IS NOT NULL";
const PLACED: &str = "SELECT max(seq) FROM memory_ops INDEXED BY memory_ops_placed WHERE has_place";

/// The row of an event of branch memory or of a phase.
#[derive(Clone, Copy, Debug)]
pub struct OperationRow<'a> {
    pub seq: u64,
    pub at_ms: i64,
    pub session: Option<u64>,
    pub kind: &'a str,
    pub branch: &'a str,
    pub key: Option<&'a str>,
    pub record: Option<i64>,
    pub node: Option<&'a str>,
    pub run: Option<&'a str>,
    pub phase: Option<&'a str>,
    /// `None` where it is of a phase.
    pub door: Option<&'a str>,
    pub execution: Option<&'a str>,
    /// Whether it leaves a file below `experiments/`.
    pub has_place: bool,
}

/// The last events that a journal has of branch memory, of either that or phases, of repositories'
/// memory, and of debug memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Operations {
    last_of_memory: Option<u64>,
    last_placed: Option<u64>,
    last: Option<u64>,
    last_of_repos: Option<u64>,
    last_of_debug: Option<u64>,
}

impl Operations {
    fn read(conn: &Connection) -> rusqlite::Result<Self> {
        let newest = |sql| conn.prepare_cached(sql)?.query_row([], |row| row.get(0));
        let last_of_repos = newest("SELECT max(last_seq) FROM repos")?;
        let last_of_debug = newest("SELECT max(seq) FROM debug_ops")?;
        let last: Option<u64> = newest("SELECT max(seq) FROM memory_ops")?;
        if last.is_none() {
            // Most journals have none.
            return Ok(Self { last_of_repos, last_of_debug, ..Self::default() });
        }
        let (last_of_memory, last_placed) = (newest(OF_MEMORY)?, newest(PLACED)?);
        Ok(Self { last_of_memory, last_placed, last, last_of_repos, last_of_debug })
    }

    /// The last event that a store is made of; `None` where there is none. Not of one that any event
    /// may concern.
    pub fn last(&self, concern: Concern) -> Option<u64> {
        match concern {
            Concern::Everything => None,
            Concern::Memory => self.last_of_memory,
            Concern::MemoryAndPhases => self.last,
            Concern::Experiments => self.last_placed,
            Concern::Debug => self.last_of_debug,
        }
    }
}

impl Operations {
    /// The last event of repositories' memory; `None` where there is none.
    pub fn last_of_repos(&self) -> Option<u64> {
        self.last_of_repos
    }
}

impl Index {
    /// Where the journal's last events of memory, of whatever kind, and of phases are.
    pub fn operations(&self) -> Result<Operations, StoreError> {
        Operations::read(&self.conn)
            .map_err(|source| self.failed("looking for events of memory", source))
    }

    /// Appends an event.
    pub fn add_operation(&mut self, row: &OperationRow<'_>) -> Result<(), StoreError> {
        let sql = "INSERT INTO memory_ops (seq, at_ms, session, kind, branch, key, record, node, \
                   run, phase, door, execution, has_place) \
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)";
        let values = params![
            row.seq,
            row.at_ms,
            row.session,
            row.kind,
            row.branch,
            row.key,
            row.record,
            row.node,
            row.run,
            row.phase,
            row.door,
            row.execution,
            row.has_place
        ];
        self.conn
            .prepare_cached(sql)
            .and_then(|mut insert| insert.execute(values))
            .map_err(|source| self.failed("inserting an event of memory", source))?;
        Ok(())
    }

    /// Notes what an event changed: a key, or something that has a number.
    pub fn add_change(
        &mut self,
        layer: &str,
        name: &str,
        branch: &str,
        seq: u64,
    ) -> Result<(), StoreError> {
        let sql = "INSERT OR IGNORE INTO memory_changes (layer, name, branch, seq) \
                   VALUES (?1, ?2, ?3, ?4)";
        self.conn
            .prepare_cached(sql)
            .and_then(|mut insert| insert.execute(params![layer, name, branch, seq]))
            .map_err(|source| self.failed("inserting what an event of memory changed", source))?;
        Ok(())
    }
}

impl IndexReader {
    /// Where the journal's last events of memory, of whatever kind, and of phases are.
    pub fn operations(&self) -> Result<Operations, StoreError> {
        Operations::read(&self.conn).map_err(|source| self.failed(source))
    }

    /// The first event after this one that such a store is made of.
    pub fn next_operation(&self, concern: Concern, after: u64) -> Result<Option<u64>, StoreError> {
        let sql = match concern {
            Concern::Everything => return Ok(None),
            Concern::Memory => {
                "SELECT seq FROM memory_ops INDEXED BY memory_ops_memory \
                 WHERE door IS NOT NULL AND seq > ?1 ORDER BY seq LIMIT 1"
            }
            Concern::MemoryAndPhases => {
                "SELECT seq FROM memory_ops WHERE seq > ?1 ORDER BY seq LIMIT 1"
            }
            Concern::Experiments => {
                "SELECT seq FROM memory_ops INDEXED BY memory_ops_placed \
                 WHERE has_place AND seq > ?1 ORDER BY seq LIMIT 1"
            }
            Concern::Debug => "SELECT seq FROM debug_ops WHERE seq > ?1 ORDER BY seq LIMIT 1",
        };
        let after = i64::try_from(after).unwrap_or(i64::MAX);
        self.conn
            .prepare_cached(sql)
            .and_then(|mut find| find.query_row([after], |row| row.get(0)).optional())
            .map_err(|source| self.failed(source))
    }
}
