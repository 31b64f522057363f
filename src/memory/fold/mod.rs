//! The fold into `memory.db`: what was decided is in the events, and is only written down here.

mod apply;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use crate::event::{InheritedConsolidated, RecallAppended, Recorded};
use crate::memory::store::Memory;
use crate::store::{Anomaly, AnomalyKind, Cursor, Position, Projector, Rows, StoreError};
use apply::seconds;

/// The fold into `memory.db`. An event that cannot be applied changes nothing.
#[derive(Debug)]
pub struct MemoryProjector {
    store: Memory,
    anomalies: Vec<Anomaly>,
}

impl MemoryProjector {
    pub fn new(store: Memory) -> Self {
        Self { store, anomalies: Vec::new() }
    }

    pub fn store(&self) -> &Memory {
        &self.store
    }

    pub fn store_mut(&mut self) -> &mut Memory {
        &mut self.store
    }

    fn anomaly(&mut self, recorded: &Recorded, kind: AnomalyKind, message: String) {
        let sequence = recorded.sequence;
        self.anomalies.push(Anomaly { sequence, kind, execution: None, message });
    }
}

impl Projector for MemoryProjector {
    fn begin(&mut self) -> Result<(), StoreError> {
        self.store.begin()
    }

    fn cursor(&self) -> Result<Option<Cursor>, StoreError> {
        self.store.cursor()
    }

    fn found_rows(&self) -> Result<Rows, StoreError> {
        self.store.found_rows()
    }

    fn apply(
        &mut self,
        recorded: &Recorded,
        _started: Option<&Recorded>,
    ) -> Result<(), StoreError> {
        self.put(recorded)
    }

    fn note(&mut self, _anomaly: Anomaly) -> Result<(), StoreError> {
        // The index keeps the list; the contract's tables have no place for it.
        Ok(())
    }

    fn wants_starts(&self) -> bool {
        false
    }

    fn wants_content(&self) -> bool {
        false
    }

    fn take_anomalies(&mut self) -> Vec<Anomaly> {
        std::mem::take(&mut self.anomalies)
    }

    fn commit(&mut self, position: Position) -> Result<(), StoreError> {
        self.store.commit(position)
    }

    fn rollback(&mut self) -> Result<(), StoreError> {
        self.anomalies.clear();
        self.store.rollback()
    }

    fn finish(self: Box<Self>) -> Result<(), StoreError> {
        self.store.finish().map(drop)
    }
}

/// Of events that are not there so many are named.
const NAMED_MAX: usize = 8;

impl MemoryProjector {
    fn append(&mut self, recorded: &Recorded, appended: &RecallAppended) -> Result<(), StoreError> {
        if !self.is_number(recorded, "an event", appended.id) {
            return Ok(());
        }
        if self.store.has_event(appended.id)? {
            self.taken(recorded, "the event", appended.id);
            return Ok(());
        }
        self.must_know(recorded, &appended.branch)?;
        self.store.insert_event(appended, seconds(recorded))
    }

    /// Removes events of a branch's own. What is not there need not go, and another branch's stays.
    fn remove(&mut self, recorded: &Recorded, branch: &str, ids: &[u64]) -> Result<(), StoreError> {
        let mut unknown = Vec::new();
        for id in ids {
            let removed = match i64::try_from(*id) {
                Ok(number) => self.store.remove_event(branch, number)?,
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
    ) -> Result<(), StoreError> {
        let mut numbers = BTreeSet::new();
        for group in &consolidated.groups {
            let id = group.summary_id;
            if !self.is_number(recorded, "a summary", id) {
                return Ok(());
            }
            if !numbers.insert(id) || self.store.has_summary(id)? {
                self.taken(recorded, "the summary", id);
                return Ok(());
            }
        }
        self.must_know(recorded, &consolidated.branch)?;
        for group in &consolidated.groups {
            self.store.insert_summary(&consolidated.branch, group, seconds(recorded))?;
        }
        Ok(())
    }
}
