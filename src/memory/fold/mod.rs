//! The fold into `memory.db`: what was decided is in the events, and is only written down here.

mod apply;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use crate::event::{InheritedConsolidated, RecallAppended, Recorded};
use crate::memory::store::{CURSOR_TABLE, Memory, found_rows, read_last_ms};
use crate::store::{Anomaly, AnomalyKind, Cursor, Digest, Position, Projector, Result, Rows};
use apply::seconds;

/// The fold into `memory.db`. An event that cannot be applied changes nothing.
impl Projector for Memory {
    fn begin(&mut self) -> Result<()> {
        self.conn.begin("beginning to write")?;
        self.saved_ms.clear();
        self.last_ms = read_last_ms(&self.conn)
            .map_err(|source| self.conn.failed("reading the last time", source))?;
        Ok(())
    }

    fn cursor(&self) -> Result<Option<Cursor>> {
        Cursor::read(&self.conn, CURSOR_TABLE)
            .map_err(|source| self.conn.failed("reading the cursor", source))
    }

    fn found_rows(&self) -> Result<Rows> {
        found_rows(&self.conn).map_err(|source| self.conn.failed("reading the last rows", source))
    }

    fn apply(&mut self, recorded: &Recorded, _started: Option<&Recorded>) -> Result<()> {
        self.put(recorded)
    }

    fn take_anomalies(&mut self) -> Vec<Anomaly> {
        std::mem::take(&mut self.anomalies)
    }

    fn commit(&mut self, position: Position) -> Result<()> {
        self.write_last_ms()?;
        let cursor = Cursor { position, rows: self.found_rows()? };
        self.conn.commit(cursor, CURSOR_TABLE)
    }

    fn rollback(&mut self) -> Result<()> {
        self.anomalies.clear();
        self.saved_ms.clear();
        self.conn.rollback("giving up a transaction")
    }

    fn finish(self: Box<Self>) -> Result<Option<Digest>> {
        self.finished().map(|()| None)
    }
}

/// Of events that are not there so many are named.
const NAMED_MAX: usize = 8;

impl Memory {
    fn anomaly(&mut self, recorded: &Recorded, kind: AnomalyKind, message: String) {
        let sequence = recorded.sequence;
        self.anomalies.push(Anomaly { sequence, kind, execution: None, message });
    }

    fn append(&mut self, recorded: &Recorded, appended: &RecallAppended) -> Result<()> {
        if !self.is_number(recorded, "an event", appended.id) {
            return Ok(());
        }
        if self.has_event(appended.id)? {
            self.taken(recorded, "the event", appended.id);
            return Ok(());
        }
        self.must_know(recorded, &appended.branch)?;
        self.insert_event(appended, seconds(recorded))
    }

    /// Removes events of a branch's own. What is not there need not go, and another branch's stays.
    fn remove(&mut self, recorded: &Recorded, branch: &str, ids: &[u64]) -> Result<()> {
        let mut unknown = Vec::new();
        for id in ids {
            let removed = match i64::try_from(*id) {
                Ok(number) => self.remove_event(branch, number)?,
                Err(_) => false,
            };
            if !removed {
                unknown.push(id.to_string());
            }
        }
        if !unknown.is_empty() {
            let more = if unknown.len() > NAMED_MAX { ", …" } else { "" };
            unknown.truncate(NAMED_MAX);
            let ids = unknown.join(", ");
            let message = format!("the branch {branch:?} has no event of its own {ids}{more}");
            self.anomaly(recorded, AnomalyKind::UnknownMemory, message);
        }
        Ok(())
    }

    /// All of its groups, or none.
    fn summarize(
        &mut self,
        recorded: &Recorded,
        consolidated: &InheritedConsolidated,
    ) -> Result<()> {
        let mut numbers = BTreeSet::new();
        for group in &consolidated.groups {
            let id = group.summary_id;
            if !self.is_number(recorded, "a summary", id) {
                return Ok(());
            }
            if !numbers.insert(id) || self.has_summary(id)? {
                self.taken(recorded, "the summary", id);
                return Ok(());
            }
        }
        self.must_know(recorded, &consolidated.branch)?;
        for group in &consolidated.groups {
            self.insert_summary(&consolidated.branch, group, seconds(recorded))?;
        }
        Ok(())
    }
}
