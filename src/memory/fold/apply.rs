//! Branches, core and archive.

use crate::event::{
    ArchivalUpdated, ArchivalWritten, Body, BranchForked, CoreDeleted, CoreEvicted,
    ImportanceEvaluated, MemoryDoor, Recorded,
};
use crate::memory::store::Memory;
use crate::store::{AnomalyKind, Result};

impl Memory {
    /// Writes an event down. Others than memory's change nothing.
    pub(super) fn put(&mut self, recorded: &Recorded) -> Result<()> {
        let Some(origin) = recorded.event.body.memory_origin() else { return Ok(()) };
        // What was imported brings the times of another's clock.
        if origin.by != MemoryDoor::Import {
            self.touch(recorded.event.envelope.at_ms);
        }
        match &recorded.event.body {
            Body::BranchForked(forked) => self.fork(recorded, forked),
            Body::CoreSet(set) => {
                self.must_know(recorded, &set.branch)?;
                self.set_core(set, seconds(recorded))
            }
            Body::CoreDeleted(CoreDeleted { branch, key, .. })
            | Body::CoreEvicted(CoreEvicted { branch, key, .. }) => {
                self.must_know(recorded, branch)?;
                self.bury_core(branch, key, seconds(recorded))
            }
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

    fn fork(&mut self, recorded: &Recorded, forked: &BranchForked) -> Result<()> {
        let BranchForked { branch, parent, .. } = forked;
        if self.has_branch(branch)? {
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
        let node = forked.node.as_deref();
        self.insert_branch(branch, parent.as_deref(), node, seconds(recorded))
    }

    /// Only a branch that began is written to, so that one whose beginning is lost stands as a root:
    /// what is lost then is what it inherited, and not all that was written to it.
    pub(super) fn must_know(&mut self, recorded: &Recorded, id: &str) -> Result<()> {
        if self.has_branch(id)? {
            return Ok(());
        }
        let message = format!("how the branch {id:?} began is not known; it stands as a root");
        self.anomaly(recorded, AnomalyKind::UnknownBranch, message);
        self.insert_branch(id, None, None, seconds(recorded))
    }

    fn archive(&mut self, recorded: &Recorded, written: &ArchivalWritten) -> Result<()> {
        if !self.is_number(recorded, "a record", written.id) {
            return Ok(());
        }
        if self.branch_of_archival(written.id)?.is_some() {
            self.taken(recorded, "the record", written.id);
            return Ok(());
        }
        self.must_know(recorded, &written.branch)?;
        self.insert_archival(written, seconds(recorded))
    }

    fn update_archived(&mut self, recorded: &Recorded, updated: &ArchivalUpdated) -> Result<()> {
        let ArchivalUpdated { id, branch, .. } = updated;
        if !self.is_number(recorded, "a record", *id) {
            return Ok(());
        }
        let owner = self.branch_of_archival(*id)?;
        if owner.as_deref() != Some(branch.as_str()) {
            let message = match owner {
                Some(owner) => format!("the record {id} is {owner:?}'s, not {branch:?}'s"),
                None => format!("there is no record {id}"),
            };
            let message = format!("{message}; nothing was changed");
            self.anomaly(recorded, AnomalyKind::UnknownMemory, message);
            return Ok(());
        }
        self.update_archival(updated)
    }

    fn evaluate(&mut self, recorded: &Recorded, evaluated: &ImportanceEvaluated) -> Result<()> {
        let branch = &evaluated.branch;
        for item in &evaluated.items {
            if !self.set_importance(branch, &item.key, item.score)? {
                let message = format!("the branch {branch:?} has no value of {:?}", item.key);
                self.anomaly(recorded, AnomalyKind::UnknownMemory, message);
            }
        }
        Ok(())
    }

    /// Whether a row can have this number.
    pub(super) fn is_number(&mut self, recorded: &Recorded, what: &str, id: u64) -> bool {
        let is_number = id > 0 && id < i64::MAX as u64;
        if !is_number {
            let message = format!("{what} cannot have the number {id}; nothing was written");
            self.anomaly(recorded, AnomalyKind::TakenNumber, message);
        }
        is_number
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
