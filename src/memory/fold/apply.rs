//! Branches, core and archive.

use super::MemoryProjector;
use crate::event::{
    ArchivalUpdated, ArchivalWritten, Body, BranchForked, CoreSet, ImportanceEvaluated, MemoryDoor,
    MemoryOrigin, Recorded,
};
use crate::memory::store::{ArchivalRow, BranchRow, CoreRow, json_texts};
use crate::store::{AnomalyKind, StoreError};

impl MemoryProjector {
    /// Writes an event down. Others than memory's change nothing.
    pub(super) fn put(&mut self, recorded: &Recorded) -> Result<(), StoreError> {
        let Some(origin) = recorded.event.body.memory_origin() else { return Ok(()) };
        self.touch(recorded, origin);
        match &recorded.event.body {
            Body::BranchForked(forked) => self.fork(recorded, forked),
            Body::CoreSet(set) => self.set_core(recorded, set),
            Body::CoreDeleted(deleted) => self.bury_core(recorded, &deleted.branch, &deleted.key),
            Body::CoreEvicted(evicted) => self.bury_core(recorded, &evicted.branch, &evicted.key),
            Body::RecallAppended(appended) => self.append(recorded, appended),
            Body::RecallEvicted(evicted) => self.remove(recorded, &evicted.branch, &evicted.ids),
            Body::RecallConsolidated(consolidated) => {
                for group in &consolidated.groups {
                    self.remove(recorded, &consolidated.branch, &group.ids)?;
                }
                Ok(())
            }
            Body::InheritedConsolidated(consolidated) => self.summarize(recorded, consolidated),
            Body::ArchivalWritten(written) => self.archive(recorded, written),
            Body::ArchivalUpdated(updated) => self.update_archived(recorded, updated),
            Body::ImportanceEvaluated(evaluated) => self.evaluate(recorded, evaluated),
            _ => Ok(()),
        }
    }

    /// What was imported brings the times of another's clock.
    fn touch(&mut self, recorded: &Recorded, origin: &MemoryOrigin) {
        if origin.by != MemoryDoor::Import {
            self.store.touch(recorded.event.envelope.at_ms);
        }
    }

    fn fork(&mut self, recorded: &Recorded, forked: &BranchForked) -> Result<(), StoreError> {
        let BranchForked { branch, parent, .. } = forked;
        if self.store.has_branch(branch)? {
            let message = format!("the branch {branch:?} is there already; it stays as it was");
            self.anomaly(recorded, AnomalyKind::Contradiction, message);
            return Ok(());
        }
        if let Some(parent) = parent {
            if parent == branch {
                let message = format!("the branch {branch:?} cannot be its own parent");
                self.anomaly(recorded, AnomalyKind::Contradiction, message);
                return Ok(());
            }
            self.must_know(recorded, parent)?;
        }
        let row = BranchRow {
            id: branch,
            parent: parent.as_deref(),
            node: forked.node.as_deref(),
            created_at: seconds(recorded),
        };
        self.store.insert_branch(&row)
    }

    /// Only a branch that began is written to, so that one whose beginning is lost stands as a root:
    /// what is lost then is what it inherited, and not all that was written to it.
    pub(super) fn must_know(&mut self, recorded: &Recorded, id: &str) -> Result<(), StoreError> {
        if self.store.has_branch(id)? {
            return Ok(());
        }
        let message = format!("how the branch {id:?} began is not known; it stands as a root");
        self.anomaly(recorded, AnomalyKind::UnknownBranch, message);
        let row = BranchRow { id, parent: None, node: None, created_at: seconds(recorded) };
        self.store.insert_branch(&row)
    }

    fn set_core(&mut self, recorded: &Recorded, set: &CoreSet) -> Result<(), StoreError> {
        self.must_know(recorded, &set.branch)?;
        self.store.set_core(&CoreRow {
            branch: &set.branch,
            key: &set.key,
            value: &set.value,
            importance: set.importance,
            ttl: set.ttl.as_deref(),
            updated_at: seconds(recorded),
        })
    }

    fn bury_core(
        &mut self,
        recorded: &Recorded,
        branch: &str,
        key: &str,
    ) -> Result<(), StoreError> {
        self.must_know(recorded, branch)?;
        self.store.bury_core(branch, key, seconds(recorded))
    }

    fn archive(
        &mut self,
        recorded: &Recorded,
        written: &ArchivalWritten,
    ) -> Result<(), StoreError> {
        let Some(id) = self.number(recorded, "a record", written.id) else { return Ok(()) };
        if self.store.branch_of_archival(id)?.is_some() {
            self.taken(recorded, "the record", written.id);
            return Ok(());
        }
        self.must_know(recorded, &written.branch)?;
        let tags = json_texts(&written.tags);
        let (branch, text) = (written.branch.as_str(), written.text.as_str());
        let row = ArchivalRow { id, branch, text, tags: &tags, created_at: seconds(recorded) };
        self.store.insert_archival(&row)
    }

    fn update_archived(
        &mut self,
        recorded: &Recorded,
        updated: &ArchivalUpdated,
    ) -> Result<(), StoreError> {
        let ArchivalUpdated { id, branch, text, tags, .. } = updated;
        let Some(number) = self.number(recorded, "a record", *id) else { return Ok(()) };
        let owner = self.store.branch_of_archival(number)?;
        if owner.as_deref() != Some(branch.as_str()) {
            let message = match owner {
                Some(owner) => format!("the record {id} is {owner:?}'s, not {branch:?}'s"),
                None => format!("there is no record {id}"),
            };
            let message = format!("{message}; nothing was changed");
            self.anomaly(recorded, AnomalyKind::UnknownMemory, message);
            return Ok(());
        }
        let tags = tags.as_deref().map(json_texts);
        self.store.update_archival(number, text.as_deref(), tags.as_deref())
    }

    fn evaluate(
        &mut self,
        recorded: &Recorded,
        evaluated: &ImportanceEvaluated,
    ) -> Result<(), StoreError> {
        let branch = &evaluated.branch;
        for item in &evaluated.items {
            if !self.store.set_importance(branch, &item.key, item.score)? {
                let message = format!("the branch {branch:?} has no value of {:?}", item.key);
                self.anomaly(recorded, AnomalyKind::UnknownMemory, message);
            }
        }
        Ok(())
    }

    /// A number that a row can have.
    pub(super) fn number(&mut self, recorded: &Recorded, what: &str, id: u64) -> Option<i64> {
        let number = i64::try_from(id).ok().filter(|id| (1..i64::MAX).contains(id));
        if number.is_none() {
            let message = format!("{what} cannot have the number {id}; nothing was written");
            self.anomaly(recorded, AnomalyKind::TakenNumber, message);
        }
        number
    }

    pub(super) fn taken(&mut self, recorded: &Recorded, what: &str, id: u64) {
        let message = format!("{what} {id} is there already; it stays as it was");
        self.anomaly(recorded, AnomalyKind::TakenNumber, message);
    }
}

/// When it happened, as the contract's tables say it (ruling 12).
pub(super) fn seconds(recorded: &Recorded) -> f64 {
    recorded.event.envelope.at_ms as f64 / 1000.0
}
