//! Rows of executions, looked up; those that are open are kept in memory until they end, or until the
//! transaction does.
//!
//! An execution's ties carry the time that it ended. Most end soon after they began: their row and their ties are
//! written once, with that time, and are known without looking them up.

use std::collections::{BTreeMap, BTreeSet};

use rusqlite::{Row, ToSql};

use super::Index;
use super::begun::Begun;
use super::links::PathRole;
use crate::store::StoreError;
use crate::store::columns::columns;

const KNOWN: &str = "SELECT seq, id, ordinal, tool, outcome, told, started_seq, native_tool, \
     session, command, iif(command IS NULL, NULL, cwd), target_key, at_ms, at_seq, corrected_by IS NOT NULL, \
     outcome IS 'ok' AND coalesce(verdict, 'passed') = 'passed', partial IS NOT NULL, asks IS NOT NULL FROM executions WHERE";

/// Open executions that are kept; of more, all are written.
const OPEN_LEN_MAX: usize = 1_024;
/// Bytes of their command lines and folders, the same.
const OPEN_BYTES_MAX: usize = 4 << 20;

/// What a fold asks of an execution that has a row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct KnownRow {
    pub seq: u64,
    pub id: String,
    pub ordinal: Option<u64>,
    pub tool: String,
    pub outcome: Option<String>,
    /// By what its caller was told.
    pub told: Option<String>,
    pub started_seq: Option<u64>,
    pub native_tool: Option<String>,
    pub session: Option<u64>,
    /// Of a check.
    pub command: Option<String>,
    /// Where a check ran.
    pub cwd: Option<String>,
    pub target_key: Option<[u8; 16]>,
    /// Of its end; of its start while it is open.
    pub at_ms: i64,
    pub at_seq: u64,
    /// A correction counts instead.
    pub corrected: bool,
    /// It ends failures: it went well, and of a check that is known.
    pub proven: bool,
    /// Not of the same call: tests were left out.
    pub partial: bool,
    /// An exit code of 1 answers what it asks: that is no failure to be mended.
    pub asks: bool,
}

fn known(row: &Row<'_>) -> rusqlite::Result<KnownRow> {
    columns!(row => KnownRow {
        seq, id, ordinal, tool, outcome, told, started_seq, native_tool, session, command, cwd, target_key, at_ms, at_seq, corrected,
        proven, partial, asks
    })
}

impl Index {
    /// The row of an execution, also where the id is that of a start that repeats its call.
    pub(super) fn execution(&self, id: &str) -> Result<Option<KnownRow>, StoreError> {
        let own = self.own_execution(id)?;
        if own.is_some() || !self.void_starts {
            return Ok(own);
        }
        let sql = "SELECT execution FROM void_starts WHERE id = ?1 ORDER BY seq LIMIT 1";
        match self.find("looking an execution up", sql, [id], |row| row.get(0))? {
            Some(seq) => self.execution_at(seq),
            None => Ok(None),
        }
    }

    pub(super) fn own_execution(&self, id: &str) -> Result<Option<KnownRow>, StoreError> {
        match self.open.by_id(id) {
            Some(open) => Ok(Some(open.clone())),
            None if self.is_nowhere(id) => Ok(None),
            None => self.known("id = ?1", id),
        }
    }

    pub(super) fn execution_by_call(&self, call_key: &str) -> Result<Option<KnownRow>, StoreError> {
        match self.open.by_call(call_key) {
            Some(open) => Ok(Some(open.clone())),
            None if self.is_nowhere(call_key) => Ok(None),
            None => self.known("call_key = ?1", call_key),
        }
    }

    pub(super) fn execution_at(&self, seq: u64) -> Result<Option<KnownRow>, StoreError> {
        match self.open.rows.get(&seq) {
            Some(open) => Ok(Some(open.known.clone())),
            None => self.known("seq = ?1", seq),
        }
    }

    /// Whether no row has this id, or this call.
    fn is_nowhere(&self, key: &str) -> bool {
        self.is_load() && !self.met.may_have(key)
    }

    fn known(&self, condition: &str, key: impl ToSql) -> Result<Option<KnownRow>, StoreError> {
        self.find("looking an execution up", &format!("{KNOWN} {condition}"), [key], known)
    }

    /// Keeps what began, its row too.
    pub(super) fn keep_open(&mut self, known: KnownRow, begun: Begun) -> Result<(), StoreError> {
        if self.open.rows.len() >= OPEN_LEN_MAX || self.open.bytes >= OPEN_BYTES_MAX {
            self.write_open()?;
        }
        self.rows.executions = self.rows.executions.max(known.seq);
        self.note_met(&known.id);
        if let Some(call_key) = &begun.call_key {
            self.note_met(call_key);
        }
        self.open.add(known, begun);
        Ok(())
    }

    pub(super) fn note_met(&mut self, key: &str) {
        if self.is_load() {
            self.met.note(key);
        }
    }
}

/// An open execution: its row and its ties, which are not yet written.
#[derive(Clone, Debug)]
pub(super) struct OpenRow {
    pub known: KnownRow,
    pub begun: Begun,
    /// By number.
    pub paths: BTreeMap<i64, PathRole>,
    pub symbols: BTreeSet<i64>,
}

impl OpenRow {
    /// Of what may be long.
    fn bytes(&self) -> usize {
        let (known, begun) = (&self.known, &self.begun);
        let texts = [&known.command, &known.cwd, &begun.cwd, &begun.call_key, &begun.branch];
        texts.into_iter().flatten().map(String::len).sum()
    }
}

/// The open executions of this transaction, by the sequence of their rows.
#[derive(Clone, Debug, Default)]
pub(super) struct OpenRows {
    rows: BTreeMap<u64, OpenRow>,
    ids: BTreeMap<String, u64>,
    calls: BTreeMap<String, u64>,
    bytes: usize,
}

impl OpenRows {
    fn add(&mut self, known: KnownRow, begun: Begun) {
        self.ids.insert(known.id.clone(), known.seq);
        if let Some(call_key) = &begun.call_key {
            self.calls.insert(call_key.clone(), known.seq);
        }
        let (paths, symbols) = (BTreeMap::new(), BTreeSet::new());
        let (seq, row) = (known.seq, OpenRow { known, begun, paths, symbols });
        self.bytes += row.bytes();
        self.rows.insert(seq, row);
    }

    fn by_call(&self, call_key: &str) -> Option<&KnownRow> {
        self.calls.get(call_key).and_then(|seq| self.rows.get(seq)).map(|row| &row.known)
    }

    fn by_id(&self, id: &str) -> Option<&KnownRow> {
        self.ids.get(id).and_then(|seq| self.rows.get(seq)).map(|row| &row.known)
    }

    pub fn get_mut(&mut self, seq: u64) -> Option<&mut OpenRow> {
        self.rows.get_mut(&seq)
    }

    pub fn take(&mut self, seq: u64) -> Option<OpenRow> {
        let row = self.rows.remove(&seq)?;
        self.ids.remove(&row.known.id);
        if let Some(call_key) = &row.begun.call_key {
            self.calls.remove(call_key);
        }
        self.bytes = self.bytes.saturating_sub(row.bytes());
        Some(row)
    }

    pub fn take_all(&mut self) -> BTreeMap<u64, OpenRow> {
        std::mem::take(self).rows
    }
}
