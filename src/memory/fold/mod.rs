//! The fold into `memory.db`: what was decided is in the events, and is only written down here.

mod apply;
mod recall;
#[cfg(test)]
mod tests;

use crate::event::Recorded;
use crate::memory::store::Memory;
use crate::store::{Anomaly, AnomalyKind, Cursor, Position, Projector, Rows, StoreError};

/// The fold into `memory.db`. An event that cannot be applied changes nothing.
#[derive(Debug)]
pub struct MemoryProjector {
    store: Memory,
    anomalies: Vec<Anomaly>,
}

impl MemoryProjector {
    /// A fold into this store.
    pub fn new(store: Memory) -> Self {
        Self { store, anomalies: Vec::new() }
    }

    /// The store, to read what was applied.
    pub fn store(&self) -> &Memory {
        &self.store
    }

    /// The store, to begin and end parts of a transaction.
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
