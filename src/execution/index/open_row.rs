//! Executions that are open: kept in memory until they end, or until the transaction does.
//!
//! An execution's ties carry the time that it ended. Most end soon after they began: their ties are
//! written once, with that time, and their row is known without looking it up.

use std::collections::{BTreeMap, BTreeSet};

use super::{ExecutionRow, KnownRow};

/// Open executions that are kept; of more, all are written.
pub(super) const OPEN_LEN_MAX: usize = 1_024;

/// An open execution: its row, and the ties that are not yet written.
#[derive(Clone, Debug)]
pub(super) struct OpenRow {
    pub known: KnownRow,
    pub at_ms: i64,
    /// Number and role.
    pub paths: BTreeMap<i64, u8>,
    pub symbols: BTreeSet<i64>,
}

/// The open executions of this transaction, by the sequence of their rows.
#[derive(Clone, Debug, Default)]
pub(super) struct OpenRows {
    rows: BTreeMap<u64, OpenRow>,
    ids: BTreeMap<String, u64>,
}

impl OpenRows {
    pub fn add(&mut self, row: &ExecutionRow<'_>) {
        let known = KnownRow {
            seq: row.seq,
            id: row.id.to_owned(),
            ordinal: None,
            tool: row.tool.to_owned(),
            outcome: None,
            started_seq: row.started_seq,
            native_tool: row.native_tool.map(str::to_owned),
            session: row.session,
            target_key: row.target_key,
            at_ms: row.at_ms,
            at_seq: row.seq,
            corrected: false,
        };
        let (paths, symbols) = (BTreeMap::new(), BTreeSet::new());
        self.rows.insert(row.seq, OpenRow { known, at_ms: row.at_ms, paths, symbols });
        self.ids.insert(row.id.to_owned(), row.seq);
    }

    pub fn by_id(&self, id: &str) -> Option<&KnownRow> {
        self.ids.get(id).and_then(|seq| self.rows.get(seq)).map(|row| &row.known)
    }

    pub fn get_mut(&mut self, seq: u64) -> Option<&mut OpenRow> {
        self.rows.get_mut(&seq)
    }

    pub fn take(&mut self, seq: u64) -> Option<OpenRow> {
        let row = self.rows.remove(&seq)?;
        self.ids.remove(&row.known.id);
        Some(row)
    }

    pub fn take_all(&mut self) -> BTreeMap<u64, OpenRow> {
        self.ids.clear();
        std::mem::take(&mut self.rows)
    }

    pub fn len(&self) -> usize {
        self.rows.len()
    }
}
