//! Events of recall memory in JSON.

use serde::Serialize;

use super::Origin;
use crate::event;

/// The fields of one kind.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum Recall<'a> {
    Appended {
        id: u64,
        branch: &'a str,
        /// The kind of what is remembered, in its writer's word.
        kind: &'a str,
        text: &'a str,
        tags: &'a [String],
        task_hint: Option<&'a str>,
        memory_size: Option<u64>,
        origin: Origin<'a>,
    },
    /// `records`: the archival records that have the texts of `ids`, in the same order.
    Evicted { branch: &'a str, ids: &'a [u64], records: &'a [u64], origin: Origin<'a> },
    Consolidated {
        branch: &'a str,
        total: u64,
        kept: u64,
        groups: Vec<Group<'a>>,
        origin: Origin<'a>,
    },
    Inherited {
        branch: &'a str,
        total: u64,
        kept: u64,
        ancestors: u64,
        groups: Vec<InheritedGroup<'a>>,
        origin: Origin<'a>,
    },
}

/// Events of one kind that became one archival record.
#[derive(Debug, Serialize)]
pub struct Group<'a> {
    pub kind: &'a str,
    pub ids: &'a [u64],
    pub record: u64,
}

/// Inherited events of one kind that became one summary.
#[derive(Debug, Serialize)]
pub struct InheritedGroup<'a> {
    pub kind: &'a str,
    pub ids: &'a [u64],
    pub summary_id: u64,
    pub summary: &'a str,
}

pub fn appended(b: &event::RecallAppended) -> Recall<'_> {
    Recall::Appended {
        id: b.id,
        branch: &b.branch,
        kind: &b.kind,
        text: &b.text,
        tags: &b.tags,
        task_hint: b.task_hint.as_deref(),
        memory_size: b.memory_size,
        origin: Origin::of(&b.origin),
    }
}

pub fn evicted(b: &event::RecallEvicted) -> Recall<'_> {
    Recall::Evicted {
        branch: &b.branch,
        ids: &b.ids,
        records: &b.records,
        origin: Origin::of(&b.origin),
    }
}

pub fn consolidated(b: &event::RecallConsolidated) -> Recall<'_> {
    let groups = b.groups.iter();
    Recall::Consolidated {
        branch: &b.branch,
        total: b.total,
        kept: b.kept,
        groups: groups
            .map(|it| Group { kind: &it.kind, ids: &it.ids, record: it.record })
            .collect(),
        origin: Origin::of(&b.origin),
    }
}

pub fn inherited(b: &event::InheritedConsolidated) -> Recall<'_> {
    let groups = b.groups.iter().map(|it| InheritedGroup {
        kind: &it.kind,
        ids: &it.ids,
        summary_id: it.summary_id,
        summary: &it.summary,
    });
    Recall::Inherited {
        branch: &b.branch,
        total: b.total,
        kept: b.kept,
        ancestors: b.ancestors,
        groups: groups.collect(),
        origin: Origin::of(&b.origin),
    }
}
