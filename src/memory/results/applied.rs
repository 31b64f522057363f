//! What applying a `<memory_update>` came to.

use super::{Consolidated, Evicted, MemoryConsolidation};
use crate::event::Json;
use crate::parse::reply::{Operation, ReadResults};

/// What applying a `<memory_update>` came to.
#[derive(Clone, Debug, PartialEq)]
pub struct Applied {
    /// What it asked for, in order of application.
    pub asked: Vec<Operation>,
    /// What its reads found: the next round's prompt tells it.
    pub reads: ReadResults,
    pub recall_evict: Option<Evicted>,
    pub recall_summarize: Option<Consolidated>,
    pub consolidate: Option<MemoryConsolidation>,
    /// What of it could not be done, and was left out; the rest was done.
    pub refused: Vec<Refusal>,
    /// Spec 003's `operations_log`: a JSON array, as it is recorded.
    pub operations: Json,
    /// Unix milliseconds.
    pub began_ms: u64,
    pub ended_ms: u64,
}

/// An operation that was left out, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// `None` where it is no operation: a key that means nothing.
    pub operation: Option<Operation>,
    /// Which of several: `archival_update[2]`.
    pub at: String,
    pub why: String,
}
