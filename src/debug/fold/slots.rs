//! The debug sessions that were met in a transaction: each is read and written once.

use std::collections::BTreeMap;

use super::{Fault, Slot, subjects};
use crate::event::{DebugSessionId, Recorded};
use crate::store::StoreError;

/// Sessions held before they are written back.
const HELD_MAX: usize = 64;

pub trait SlotStore {
    fn load(&mut self, id: DebugSessionId) -> Result<Slot, StoreError>;
    fn save(&mut self, id: DebugSessionId, slot: &Slot) -> Result<(), StoreError>;
}

#[derive(Debug, Default)]
pub struct Slots {
    held: BTreeMap<DebugSessionId, Held>,
}

#[derive(Debug)]
struct Held {
    slot: Slot,
    is_changed: bool,
}

impl Slots {
    pub fn apply(
        &mut self,
        recorded: &Recorded,
        store: &mut dyn SlotStore,
        faults: &mut Vec<Fault>,
    ) -> Result<(), StoreError> {
        for id in subjects(&recorded.event.body) {
            if self.held.len() >= HELD_MAX && !self.held.contains_key(&id) {
                self.settle(store)?;
            }
            let held = match self.held.remove(&id) {
                Some(held) => held,
                None => Held { slot: store.load(id)?, is_changed: false },
            };
            let held = self.held.entry(id).or_insert(held);
            held.is_changed |= held.slot.apply(id, recorded, faults);
        }
        Ok(())
    }

    /// Writes what was changed; nothing is held afterwards.
    pub fn settle(&mut self, store: &mut dyn SlotStore) -> Result<(), StoreError> {
        for (id, held) in std::mem::take(&mut self.held) {
            if held.is_changed {
                store.save(id, &held.slot)?;
            }
        }
        Ok(())
    }

    /// Forgets what was held: the transaction was none.
    pub fn forget(&mut self) {
        self.held.clear();
    }
}
