//! The fold into `memory.db`: what was decided is in the events, and is only written down here.

mod apply;
#[cfg(test)]
mod tests;

use crate::event::{InheritedConsolidated, RecallAppended, Recorded};
use crate::execution::closed::signed;
use crate::memory::store::{Memory, RecallRow, SummaryRow, json_texts};
use crate::store::{Anomaly, AnomalyKind, Cursor, Position, Projector, Rows, StoreError};
use apply::seconds;

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

/// Of events that are not there so many are named.
const NAMED_MAX: usize = 8;

impl MemoryProjector {
    fn append(&mut self, recorded: &Recorded, appended: &RecallAppended) -> Result<(), StoreError> {
        let Some(id) = self.number(recorded, "an event", appended.id) else { return Ok(()) };
        if self.store.has_event(id)? {
            self.taken(recorded, "the event", appended.id);
            return Ok(());
        }
        self.must_know(recorded, &appended.branch)?;
        let tags = json_texts(&appended.tags);
        let row = RecallRow {
            id,
            branch: &appended.branch,
            kind: &appended.kind,
            text: &appended.text,
            tags: &tags,
            created_at: seconds(recorded),
            task_hint: appended.task_hint.as_deref(),
            memory_size: appended.memory_size.map(signed),
        };
        self.store.insert_event(&row)
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
        let mut numbers = Vec::with_capacity(consolidated.groups.len().min(64));
        for group in &consolidated.groups {
            let Some(id) = self.number(recorded, "a summary", group.summary_id) else {
                return Ok(());
            };
            if numbers.contains(&id) || self.store.has_summary(id)? {
                self.taken(recorded, "the summary", group.summary_id);
                return Ok(());
            }
            numbers.push(id);
        }
        self.must_know(recorded, &consolidated.branch)?;
        for (group, id) in consolidated.groups.iter().zip(numbers) {
            self.store.insert_summary(&SummaryRow {
                id,
                branch: &consolidated.branch,
                kind: &group.kind,
                text: &group.summary,
                ids: &group.ids,
                created_at: seconds(recorded),
            })?;
        }
        Ok(())
    }
}
