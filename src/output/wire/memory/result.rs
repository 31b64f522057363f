//! What writes came to.

use serde::Serialize;

use crate::memory as done;

/// What setting a key came to.
#[derive(Clone, Debug, Serialize)]
pub struct CoreDone {
    /// The record that has the whole value, where it was too long for core.
    pub archived_as: Option<u64>,
    /// The keys that had to go for it.
    pub evicted: Vec<CoreGone>,
}

/// A key that had to go, and the record that has its value.
#[derive(Clone, Debug, Serialize)]
pub struct CoreGone {
    pub key: String,
    pub record: u64,
}

/// What appending an event came to.
#[derive(Clone, Debug, Serialize)]
pub struct RecallDone {
    /// Its number, or that of the equal event there was.
    pub id: u64,
    pub branch: String,
    /// `false` where the branch had an equal one.
    pub written: bool,
    /// The record that has the whole text, where it was too long.
    pub archived_as: Option<u64>,
    /// What the overflow of the window made of inherited and of own events.
    pub inherited: Option<Consolidated>,
    pub own: Option<Consolidated>,
}

/// What putting older events together came to.
#[derive(Clone, Debug, Serialize)]
pub struct Consolidated {
    /// Events there were, that stay, and that went into summaries.
    pub total: u64,
    pub kept: u64,
    pub events: u64,
    /// Kinds they were of.
    pub groups: u64,
    /// The archival records, or, of inherited events, the summaries that have them.
    pub records: Vec<u64>,
}

/// What archiving a text came to.
#[derive(Clone, Debug, Serialize)]
pub struct ArchivalDone {
    /// Its number, or that of the equal record there was.
    pub id: u64,
    pub branch: String,
    /// `false` where the branch had an equal one.
    pub written: bool,
    /// The text was too long for one record: it goes on in the next.
    pub cut: bool,
    /// Every record that has a piece of it, in its order.
    pub records: Vec<u64>,
}

/// What an eviction of events came to.
#[derive(Clone, Debug, Serialize)]
pub struct Evicted {
    /// The events that went, and the records that have their texts, in the same order.
    pub ids: Vec<u64>,
    pub records: Vec<u64>,
    /// Asked for, and not the branch's own.
    pub refused: Vec<u64>,
    /// Those of them that another branch has, where they stay, and those that are not there.
    pub foreign: Vec<ForeignEvent>,
    pub missing: Vec<u64>,
}

/// An event of another branch.
#[derive(Clone, Debug, Serialize)]
pub struct ForeignEvent {
    pub id: u64,
    pub branch: String,
}

/// What `mem_node_write` came to.
#[derive(Clone, Debug, Serialize)]
pub struct NodeWritten {
    pub branch: String,
    /// In the order of the updates.
    pub core: Vec<CoreDone>,
    pub recall: Option<RecallDone>,
    pub archival: Vec<ArchivalDone>,
}

impl CoreDone {
    pub fn of(done: &done::CoreDone) -> Self {
        let evicted = done.evicted.iter();
        Self {
            archived_as: done.archived_as,
            evicted: evicted
                .map(|it| CoreGone { key: it.key.clone(), record: it.record })
                .collect(),
        }
    }
}

impl RecallDone {
    pub fn of(done: &done::RecallDone) -> Self {
        Self {
            id: done.id,
            branch: done.branch.clone(),
            written: done.written,
            archived_as: done.archived_as,
            inherited: done.inherited.as_ref().map(Consolidated::of),
            own: done.own.as_ref().map(Consolidated::of),
        }
    }
}

impl Consolidated {
    pub fn of(done: &done::Consolidated) -> Self {
        Self {
            total: done.total,
            kept: done.kept,
            events: done.events,
            groups: done.groups,
            records: done.records.clone(),
        }
    }
}

impl ArchivalDone {
    pub fn of(done: &done::ArchivalDone) -> Self {
        let (id, branch) = (done.id, done.branch.clone());
        let records = done.records.clone();
        Self { id, branch, written: done.written, cut: done.cut, records }
    }
}

impl Evicted {
    pub fn of(done: &done::Evicted) -> Self {
        let foreign = done
            .refused
            .iter()
            .filter_map(|it| Some(ForeignEvent { id: it.id, branch: it.owner.clone()? }));
        let missing = done.refused.iter().filter(|it| it.owner.is_none());
        Self {
            ids: done.ids.clone(),
            records: done.records.clone(),
            refused: done.refused.iter().map(|it| it.id).collect(),
            foreign: foreign.collect(),
            missing: missing.map(|it| it.id).collect(),
        }
    }
}

impl NodeWritten {
    pub fn of(done: &done::NodeWritten) -> Self {
        Self {
            branch: done.branch.clone(),
            core: done.core.iter().map(CoreDone::of).collect(),
            recall: done.recall.as_ref().map(RecallDone::of),
            archival: done.archival.iter().map(ArchivalDone::of).collect(),
        }
    }
}
