//! One entry of spec 003's `operations_log`.

use serde::Serialize;

use crate::memory::MemoryConsolidation;

/// An operation, and when it was done.
#[derive(Serialize)]
pub(super) struct Entry<'e> {
    pub r#type: &'static str,
    /// Unix seconds.
    pub timestamp: f64,
    #[serde(flatten)]
    pub what: What<'e>,
}

/// What was done, in the fields that spec 003 logs of it.
#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum What<'e> {
    CoreSet {
        key: &'e str,
        value: &'e str,
        importance: u8,
        ttl: Option<&'e str>,
    },
    CoreGet {
        key: &'e str,
        value: Option<&'e str>,
    },
    CoreDelete {
        key: &'e str,
    },
    ArchivalWrite {
        text: &'e str,
        tags: &'e [String],
    },
    ArchivalUpdate {
        id: u64,
        text: Option<&'e str>,
        tags: Option<&'e [String]>,
    },
    ArchivalSearch {
        query: &'e str,
        k: u64,
        tags_filter: Option<&'e [String]>,
        #[serde(flatten)]
        results: Found<'e>,
    },
    RecallAppend {
        kind: &'e str,
        content: &'e str,
    },
    RecallSearch {
        query: &'e str,
        k: u64,
        #[serde(flatten)]
        results: Found<'e>,
    },
    RecallEvict {
        evicted_count: usize,
        archived_count: usize,
    },
    RecallSummarize {
        status: &'static str,
        events_consolidated: u64,
    },
    Consolidate {
        status: &'static str,
        details: Details<'e>,
    },
    /// Means nothing, and why.
    LeftOut {
        at: &'e str,
        error: &'e str,
    },
    /// Left out, and why.
    Refused {
        #[serde(skip)]
        r#type: &'static str,
        id: u64,
        error: &'e str,
    },
}

/// What a search found.
#[derive(Serialize)]
pub(super) struct Found<'e> {
    pub results_count: usize,
    /// `None` where there is no room for them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub results: Option<Vec<FoundOf<'e>>>,
}

/// One finding.
#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum FoundOf<'e> {
    Record { id: u64, text: &'e str, tags: &'e [String] },
    Event { id: u64, kind: &'e str, summary: &'e str, ts: f64 },
}

/// What `auto_consolidate_memory` returns in spec 003.
#[derive(Serialize)]
pub(super) struct Details<'e> {
    actions_taken: &'e [String],
    freed_chars: u64,
    core_items_evicted: u64,
    recall_events_consolidated: u64,
    new_pressure_level: &'static str,
}

impl<'e> Found<'e> {
    pub fn of(results: Vec<FoundOf<'e>>) -> Self {
        Self { results_count: results.len(), results: Some(results) }
    }
}

impl<'e> FoundOf<'e> {
    pub fn event(id: u64, kind: &'e str, summary: &'e str, at_ms: u64) -> Self {
        Self::Event { id, kind, summary, ts: seconds(at_ms) }
    }
}

impl<'e> What<'e> {
    pub fn consolidate(done: &'e MemoryConsolidation) -> Self {
        let details = Details {
            actions_taken: &done.actions_taken,
            freed_chars: done.freed_chars,
            core_items_evicted: done.core_items_evicted,
            recall_events_consolidated: done.recall_events_consolidated,
            new_pressure_level: done.new_pressure_level.as_str(),
        };
        Self::Consolidate { status: "success", details }
    }

    /// The word that spec 003 has for it.
    pub fn name(&self) -> &'static str {
        match self {
            Self::CoreSet { .. } => "core_set",
            Self::CoreGet { .. } => "core_get",
            Self::CoreDelete { .. } => "core_delete",
            Self::ArchivalWrite { .. } => "archival_write",
            Self::ArchivalUpdate { .. } => "archival_update",
            Self::ArchivalSearch { .. } => "archival_search",
            Self::RecallAppend { .. } => "recall_append",
            Self::RecallSearch { .. } => "recall_search",
            Self::RecallEvict { .. } => "recall_evict",
            Self::RecallSummarize { .. } => "recall_summarize",
            Self::Consolidate { .. } => "consolidate",
            Self::LeftOut { .. } => "left_out",
            Self::Refused { r#type, .. } => r#type,
        }
    }

    /// The same without what was found.
    pub fn without_results(self) -> Self {
        let counted =
            |found: Found<'e>| Found { results_count: found.results_count, results: None };
        match self {
            Self::ArchivalSearch { query, k, tags_filter, results } => {
                Self::ArchivalSearch { query, k, tags_filter, results: counted(results) }
            }
            Self::RecallSearch { query, k, results } => {
                Self::RecallSearch { query, k, results: counted(results) }
            }
            other => other,
        }
    }
}

pub(super) fn seconds(at_ms: u64) -> f64 {
    at_ms as f64 / 1_000.0
}
