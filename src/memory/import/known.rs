//! What was imported before.

use std::collections::BTreeMap;

use super::given::Given;
use crate::execution::AskedStores;
use crate::journal::Project;
use crate::memory::MemoryError;
use crate::store::JournalFeed;
use crate::store::catch_up::catch_up;
use crate::store::evidence::Cache;
use crate::stores::StorePlaces;

/// What was imported before, told by branch, kind of event and time: a row may be gone here since, or
/// have become another, and is not brought back.
pub(super) struct Known {
    counts: BTreeMap<(String, &'static str, u64), u64>,
}

impl Known {
    pub fn read(project: &Project, given: &Given) -> Result<Self, MemoryError> {
        let places = StorePlaces::of(project.root());
        let report = catch_up(&places, &JournalFeed::of(project)?);
        let stores = AskedStores::after(project, &report, &Cache::of_user());
        for store in report.stores {
            if store.store == crate::stores::StoreName::Index {
                store.outcome?;
            }
        }
        let stores = stores?;
        let mut counts = BTreeMap::new();
        for branch in &given.branches {
            for (kind, at_ms) in stores.memory_imported(branch)? {
                if let Some(kind) = KINDS.into_iter().find(|known| *known == kind) {
                    *counts.entry((branch.clone(), kind, at_ms)).or_insert(0) += 1;
                }
            }
        }
        Ok(Self { counts })
    }

    /// Whether such an event was imported that nobody asked for yet.
    pub fn take(&mut self, branch: &str, kind: &'static str, at_ms: u64) -> bool {
        match self.counts.get_mut(&(branch.to_owned(), kind, at_ms)) {
            Some(count) if *count > 0 => {
                *count -= 1;
                true
            }
            _ => false,
        }
    }
}

pub(super) const RECORD: &str = "ArchivalWritten";
pub(super) const CORE: &str = "CoreSet";
pub(super) const DELETED: &str = "CoreDeleted";
pub(super) const EVENT: &str = "RecallAppended";
pub(super) const INHERITED: &str = "InheritedConsolidated";
const KINDS: [&str; 5] = [RECORD, CORE, DELETED, EVENT, INHERITED];
