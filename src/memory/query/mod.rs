//! What a branch of memory sees: its own and what its ancestors hold (spec 003, ruling 11).
//!
//! Everything here is read through a [`MemoryView`]: a reader's connection, or a writer's with what it
//! has not committed yet, so that what decides an operation and what answers a question is the same
//! code. Reads go along an index, in bounded steps, newest first.

mod archival;
mod branches;
mod chain;
mod core;
mod core_gone;
mod diff;
mod hidden;
mod log;
mod newest;
mod node_read;
mod pressure;
mod recall;
mod recall_search;
mod render;
mod search;
mod seconds;
mod ttl;
mod why;

pub use crate::memory::store::MemoryView;
pub use archival::{ArchivalRecord, record, same_record};
pub use branches::{BranchSummary, branches};
pub use chain::{CHAIN_LEN_MAX, ChainLink, branch_of, chain};
pub use core::{CoreValue, core, own_core};
pub use core_gone::{CoreGone, GoneKey, NAMED_MAX, core_gone};
pub use diff::{DIFF_ITEMS_MAX, Difference, MemoryDiff, MemorySide, diff};
pub use log::{MemoryChange, MemoryLog, MemoryOp};
pub use node_read::{NodeMemory, NodeScope, node_read};
pub use pressure::{MemorySizes, Pressure, pressure};
pub use recall::{
    Recall, RecallCounts, RecallEvent, RecallSummary, inherited_events, own_events, recall,
    recall_counts, same_event,
};
pub use recall_search::recall_search;
pub use render::{Render, Rendered, render};
pub use search::{ArchivalSearch, QUERY_CHARS_MAX, SEARCH_RECORDS_MAX, TERMS_MAX, search};
pub use ttl::{is_seconds, is_while};
pub use why::{Why, WhyStep, WhyValue};

#[cfg(test)]
mod tests;
