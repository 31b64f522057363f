//! A failure that no later success has resolved.

use super::TimelineEntry;

/// A failure that no later success of the same tool on the same target has resolved (ruling 10).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailureRecord {
    /// The newest of them.
    pub execution: TimelineEntry,
    /// How often it failed since it last succeeded.
    pub failures: u64,
    /// When the first of these was, Unix milliseconds.
    pub since_ms: u64,
}
