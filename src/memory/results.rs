//! What operations on branch memory give back.

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use crate::event::{Json, PressureLevel, wire};
use crate::parse::reply::{Operation, ReadResults};

/// What applying a `<memory_update>` came to.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Applied {
    /// What it asked for, in order of application.
    pub asked: Vec<Operation>,
    /// What its reads found: the next round's prompt tells it.
    #[serde(flatten, serialize_with = "reads")]
    pub reads: ReadResults,
    pub recall_evict: Option<Evicted>,
    pub recall_summarize: Option<Consolidated>,
    pub consolidate: Option<MemoryConsolidation>,
    /// What of it could not be done, and was left out; the rest was done.
    pub refused: Vec<Refusal>,
    /// A JSON array, as it is recorded.
    #[serde(rename = "operations_log")]
    pub operations: Json,
    #[serde(rename = "began", serialize_with = "wire::utc")]
    pub began_ms: u64,
    #[serde(rename = "ended", serialize_with = "wire::utc")]
    pub ended_ms: u64,
}

fn reads<S: Serializer>(reads: &ReadResults, to: S) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    struct Reads<'a> {
        reads: &'a ReadResults,
        /// Whether it read: then the model is asked again, with `reads_text`.
        has_reads: bool,
        reads_text: String,
    }
    Reads { reads, has_reads: !reads.is_empty(), reads_text: reads.for_prompt() }.serialize(to)
}

/// An operation that was left out, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Refusal {
    /// `None` where it is no operation: a key that means nothing.
    #[serde(skip)]
    pub operation: Option<Operation>,
    /// Which of several: `archival_update[2]`.
    pub at: String,
    pub why: String,
}

/// What an eviction of recall events came to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Evicted {
    /// The events that went, and the records that have their texts (of a long one the first), in the
    /// same order.
    pub ids: Vec<u64>,
    pub records: Vec<u64>,
    /// Asked for, and not the branch's own.
    #[serde(flatten, serialize_with = "not_evicted")]
    pub refused: Vec<NotEvicted>,
}

/// An event that was asked for, and is none of the branch's own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotEvicted {
    pub id: u64,
    /// The branch it is of, where it stays; `None` where there is no such event.
    pub owner: Option<String>,
}

fn not_evicted<S: Serializer>(refused: &[NotEvicted], to: S) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    struct Foreign<'a> {
        id: u64,
        branch: &'a str,
    }
    let foreign = refused.iter().filter_map(|NotEvicted { id, owner }| {
        owner.as_ref().map(|branch| Foreign { id: *id, branch })
    });
    let missing = refused.iter().filter(|it| it.owner.is_none()).map(|it| it.id);
    let mut told = to.serialize_map(Some(3))?;
    told.serialize_entry("refused", &refused.iter().map(|it| it.id).collect::<Vec<_>>())?;
    told.serialize_entry("foreign", &foreign.collect::<Vec<_>>())?;
    told.serialize_entry("missing", &missing.collect::<Vec<_>>())?;
    told.end()
}

impl NotEvicted {
    /// Why it did not go, for whoever asked.
    pub fn why(&self) -> String {
        match &self.owner {
            Some(owner) => format!("event {} belongs to branch {owner}: it stays", self.id),
            None => format!("event {} is not there", self.id),
        }
    }
}

/// What appending a recall event came to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct RecallDone {
    /// Its number, or that of the equal event there was.
    pub id: u64,
    pub branch: String,
    /// `false` where the branch had an equal one.
    pub written: bool,
    /// The record that has the whole text, where it was too long.
    pub archived_as: Option<u64>,
    /// What the overflow of the window made of older events.
    pub inherited: Option<Consolidated>,
    pub own: Option<Consolidated>,
}

/// What setting a key came to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct CoreDone {
    /// The record that has the whole value, where it was too long for core.
    pub archived_as: Option<u64>,
    /// The keys that had to go for it.
    pub evicted: Vec<CoreGone>,
}

/// A key that had to go.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CoreGone {
    pub key: String,
    /// The archival record that has its value.
    pub record: u64,
}

/// What putting a branch's memory in order came to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MemoryConsolidation {
    /// `evaluated_core_importance:N`, `evicted_core_items:N`, `consolidated_recall:N`,
    /// `enforced_core_budget`.
    pub actions_taken: Vec<String>,
    pub freed_chars: u64,
    pub core_items_evicted: u64,
    pub recall_events_consolidated: u64,
    pub new_pressure_level: PressureLevel,
    /// Why the importance was not evaluated anew, where that failed: what is stored was kept.
    pub importance_failed: Option<String>,
}

/// What putting older recall events together came to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Consolidated {
    /// Events there were.
    pub total: u64,
    /// Events that stay.
    pub kept: u64,
    /// Events that went into summaries.
    pub events: u64,
    /// Kinds they were of.
    pub groups: u64,
    /// The archival records, or, of inherited events, the summaries that have them.
    pub records: Vec<u64>,
}

/// What archiving a text came to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
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

/// What a fork came to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Forked {
    pub branch: String,
    /// The branch it sees, `None` of a root.
    pub parent: Option<String>,
    /// `false` where there was this very branch already.
    pub created: bool,
    /// Ancestors that were made for it, the root first.
    pub auto_created: Vec<String>,
    /// Records that were copied, of a fork from the past.
    pub copied: u64,
}

/// What `mem_node_write` came to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct NodeWritten {
    pub branch: String,
    /// In the order of the updates.
    pub core: Vec<CoreDone>,
    pub recall: Option<RecallDone>,
    pub archival: Vec<ArchivalDone>,
}
