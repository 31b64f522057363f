//! The same failure again and again.

use super::TimelineEntry;

/// The same tool on the same target, failing again and again with the same diagnostic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailureLoop {
    /// The newest of them.
    pub execution: TimelineEntry,
    /// How many in a row, with this diagnostic.
    pub failures: u64,
    /// Ordinals, the oldest first; of many, the newest few.
    pub executions: Vec<u64>,
}
