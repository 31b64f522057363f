//! How often the same was tried, and how often it failed.

use crate::execution::query::ExecutionSummary;

/// How often the same was tried, and how often it failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// The contract's name.
    pub tool: String,
    pub ok: u64,
    pub failed: u64,
    /// Never ran.
    pub refused: u64,
    pub interrupted: u64,
    /// When it was first tried, Unix milliseconds.
    pub first_ms: u64,
    pub last_ms: u64,
    /// The last executions, the newest first.
    pub last: Vec<ExecutionSummary>,
}

impl Pattern {
    /// All of them.
    pub fn executions(&self) -> u64 {
        self.ok + self.failed + self.refused + self.interrupted
    }

    /// Of those that ran to their end, the share that failed; 0 where none did.
    pub fn failure_rate(&self) -> f64 {
        let ran = self.ok + self.failed;
        if ran == 0 { 0.0 } else { self.failed as f64 / ran as f64 }
    }

    /// What they were about, as the newest of them had it.
    pub fn target(&self) -> Option<&str> {
        self.last.first()?.target.as_deref()
    }
}
