//! How full memory is, what matters in it, and what was done about it.

use serde::Serialize;

use crate::memory::query;
use crate::{event, memory as done};

/// How full a branch's memory is.
#[derive(Clone, Debug, Serialize)]
pub struct Pressure {
    /// Which of several journals it is in; `null` where one was asked.
    pub journal: Option<String>,
    pub branch: String,
    /// `low`, `medium`, `high` or `critical`.
    pub level: &'static str,
    /// 0.6 of core's share and 0.4 of recall's: 0 to 1.
    pub overall: f64,
    /// Characters of the branch's own core, as lines, and its budget.
    pub core_used: u64,
    pub core_max: u64,
    pub core_entries: u64,
    /// Events it sees, and its window.
    pub recall_count: u64,
    pub recall_max: u64,
    /// Records it sees, and their characters.
    pub archival_count: u64,
    pub archival_chars: u64,
    pub recommendations: Vec<&'static str>,
}

/// What putting a branch's memory in order came to.
#[derive(Clone, Debug, Serialize)]
pub struct Consolidation {
    pub actions_taken: Vec<String>,
    pub freed_chars: u64,
    pub core_items_evicted: u64,
    pub recall_events_consolidated: u64,
    /// `low`, `medium`, `high` or `critical`.
    pub new_pressure_level: &'static str,
    /// Why the importance was not evaluated anew, where that failed.
    pub importance_failed: Option<String>,
}

/// What a key is worth, 1 to 5.
#[derive(Clone, Debug, Serialize)]
pub struct Importance {
    pub key: String,
    pub score: u8,
    pub reason: String,
}

impl Pressure {
    pub fn of(branch: &str, found: &query::Pressure) -> Self {
        Self {
            journal: None,
            branch: branch.to_owned(),
            level: found.level.as_str(),
            overall: found.overall,
            core_used: found.core_used,
            core_max: found.core_max,
            core_entries: found.core_entries,
            recall_count: found.recall_count,
            recall_max: found.recall_max,
            archival_count: found.archival_count,
            archival_chars: found.archival_chars,
            recommendations: found.recommendations.clone(),
        }
    }
}

impl Consolidation {
    pub fn of(done: &done::MemoryConsolidation) -> Self {
        Self {
            actions_taken: done.actions_taken.clone(),
            freed_chars: done.freed_chars,
            core_items_evicted: done.core_items_evicted,
            recall_events_consolidated: done.recall_events_consolidated,
            new_pressure_level: done.new_pressure_level.as_str(),
            importance_failed: done.importance_failed.clone(),
        }
    }
}

impl Importance {
    pub fn of(item: &event::Importance) -> Self {
        Self { key: item.key.clone(), score: item.score, reason: item.reason.clone() }
    }
}
