//! What lies in the three layers of memory.

use serde::Serialize;

use super::seconds;
use crate::memory::query;
use crate::output::time;

/// A key of core memory, with its value.
#[derive(Clone, Debug, Serialize)]
pub struct CoreValue {
    pub key: String,
    pub value: String,
    /// 1 (goes first) to 5.
    pub importance: u8,
    /// Seconds from `updated` on, as it was given; `null`: for ever.
    pub ttl: Option<String>,
    /// UTC.
    pub updated: Option<String>,
    /// The branch that wrote it.
    pub branch: String,
}

/// An event of recall memory.
#[derive(Clone, Debug, Serialize)]
pub struct RecallEvent {
    /// Which of several journals it is in; not there where one was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub journal: Option<String>,
    pub id: u64,
    /// The branch it is of.
    pub branch: String,
    pub kind: String,
    pub text: String,
    pub tags: Vec<String>,
    /// When: Unix seconds, and UTC.
    pub ts: f64,
    pub at: Option<String>,
    pub task_hint: Option<String>,
    pub memory_size: Option<u64>,
}

/// Inherited events that became one text.
#[derive(Clone, Debug, Serialize)]
pub struct RecallSummary {
    pub id: u64,
    /// The branch that made it.
    pub branch: String,
    pub kind: String,
    pub text: String,
    /// The events it stands for.
    pub events: Vec<u64>,
    pub ts: f64,
    pub at: Option<String>,
}

/// A record of archival memory.
#[derive(Clone, Debug, Serialize)]
pub struct Record {
    pub id: u64,
    /// The branch it is of.
    pub branch: String,
    pub text: String,
    pub tags: Vec<String>,
    pub ts: f64,
    pub at: Option<String>,
}

impl CoreValue {
    pub fn of(found: &query::CoreValue) -> Self {
        Self {
            key: found.key.clone(),
            value: found.value.clone(),
            importance: found.importance,
            ttl: found.ttl.clone(),
            updated: time::utc(found.updated_ms),
            branch: found.branch.clone(),
        }
    }
}

impl RecallEvent {
    pub fn of(found: &query::RecallEvent) -> Self {
        Self {
            journal: None,
            id: found.id,
            branch: found.branch.clone(),
            kind: found.kind.clone(),
            text: found.text.clone(),
            tags: found.tags.clone(),
            ts: seconds(found.at_ms),
            at: time::utc(found.at_ms),
            task_hint: found.task_hint.clone(),
            memory_size: found.memory_size,
        }
    }
}

impl RecallSummary {
    pub fn of(found: &query::RecallSummary) -> Self {
        Self {
            id: found.id,
            branch: found.branch.clone(),
            kind: found.kind.clone(),
            text: found.text.clone(),
            events: found.events.clone(),
            ts: seconds(found.at_ms),
            at: time::utc(found.at_ms),
        }
    }
}

impl Record {
    pub fn of(found: &query::ArchivalRecord) -> Self {
        Self {
            id: found.id,
            branch: found.branch.clone(),
            text: found.text.clone(),
            tags: found.tags.clone(),
            ts: seconds(found.at_ms),
            at: time::utc(found.at_ms),
        }
    }
}
