//! Branch memory (spec 003), as `memory` and the pipe print it.

mod applied;
mod branch;
mod diff;
mod done;
mod moved;
mod node;
mod op;
mod pressure;
mod record;
mod rendered;

pub use applied::{Applied, ReadResults, Refusal};
pub use branch::{Branch, Forked};
pub use diff::{Difference, MemoryDiff};
pub use done::{ArchivalDone, Consolidated, CoreDone, CoreGone, Evicted, NodeWritten, RecallDone};
pub use moved::{Exported, GoneKey, Imported};
pub use node::{NodeMemory, Shown};
pub use op::{Cause, Op, Why};
pub use pressure::{Consolidation, Importance, Pressure};
pub use record::{CoreValue, RecallEvent, RecallSummary, Record};
pub use rendered::Rendered;

/// Milliseconds as spec 003's seconds.
pub fn seconds(at_ms: u64) -> f64 {
    // Beyond 2^53 milliseconds a last digit is lost: in some 280 000 years.
    at_ms as f64 / 1_000.0
}
