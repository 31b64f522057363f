//! What applying a `<memory_update>` came to.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{Consolidated, Consolidation, Evicted, seconds};
use crate::event::Json;
use crate::memory as done;
use crate::output::time;
use crate::parse::reply;

/// What applying a `<memory_update>` came to; what it did not ask for is `null`.
#[derive(Debug, Serialize)]
pub struct Applied {
    /// What it asked for, by spec 003's keys, in order of application.
    pub asked: Vec<&'static str>,
    /// What its reads found; empty where it had none.
    pub reads: ReadResults,
    /// Whether it read: then the model is asked again, with `reads_text`.
    pub has_reads: bool,
    /// What a prompt is told of the reads.
    pub reads_text: String,
    pub recall_evict: Option<Evicted>,
    pub recall_summarize: Option<Consolidated>,
    pub consolidate: Option<Consolidation>,
    /// What of it could not be done, and was left out; the rest was done.
    pub refused: Vec<Refusal>,
    /// Spec 003's `operations_log`.
    pub operations_log: Json,
    /// UTC.
    pub began: Option<String>,
    pub ended: Option<String>,
}

/// What reads found; what was not read is `null`.
#[derive(Debug, Serialize)]
pub struct ReadResults {
    /// Keys with their values, `null` where there is none.
    pub core_get: Option<BTreeMap<String, Option<String>>>,
    pub archival_search: Option<Vec<FoundRecord>>,
    pub recall_search: Option<Vec<FoundEvent>>,
}

/// A record that a search found.
#[derive(Debug, Serialize)]
pub struct FoundRecord {
    pub id: u64,
    pub text: String,
    pub tags: Vec<String>,
}

/// An event that a search found.
#[derive(Debug, Serialize)]
pub struct FoundEvent {
    pub id: u64,
    pub kind: String,
    pub summary: String,
    pub tags: Vec<String>,
    /// Unix seconds.
    pub ts: f64,
}

/// An operation that was left out, and why.
#[derive(Clone, Debug, Serialize)]
pub struct Refusal {
    /// Which: `archival_update[2]`.
    pub at: String,
    pub why: String,
}

impl Applied {
    pub fn of(done: &done::Applied) -> Self {
        let refused = done.refused.iter();
        Self {
            asked: done.asked.iter().map(|operation| operation.key()).collect(),
            reads: ReadResults::of(&done.reads),
            has_reads: !done.reads.is_empty(),
            reads_text: done.reads.for_prompt(),
            recall_evict: done.recall_evict.as_ref().map(Evicted::of),
            recall_summarize: done.recall_summarize.as_ref().map(Consolidated::of),
            consolidate: done.consolidate.as_ref().map(Consolidation::of),
            refused: refused.map(|it| Refusal { at: it.at.clone(), why: it.why.clone() }).collect(),
            operations_log: done.operations.clone(),
            began: time::utc(done.began_ms),
            ended: time::utc(done.ended_ms),
        }
    }
}

impl ReadResults {
    fn of(found: &reply::ReadResults) -> Self {
        let record = |it: &reply::FoundRecord| FoundRecord {
            id: it.id,
            text: it.text.clone(),
            tags: it.tags.clone(),
        };
        let event = |it: &reply::FoundEvent| FoundEvent {
            id: it.id,
            kind: it.kind.clone(),
            summary: it.summary.clone(),
            tags: it.tags.clone(),
            ts: seconds(it.at_ms),
        };
        Self {
            core_get: found.core_get.as_ref().map(|it| it.iter().cloned().collect()),
            archival_search: found
                .archival_search
                .as_ref()
                .map(|it| it.iter().map(record).collect()),
            recall_search: found.recall_search.as_ref().map(|it| it.iter().map(event).collect()),
        }
    }
}
