//! What happened in a session since its step began.

use serde::{Deserialize, Serialize};

use super::GroundingEntry;

/// What happened in a session since its step began; where none did, since the last one ended.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StepSoFar {
    /// The sequence of its `StepBegun`; `None` where none was marked.
    pub began: Option<u64>,
    pub title: Option<String>,
    pub executions: u64,
    pub ok: u64,
    pub failed: u64,
    pub refused: u64,
    pub interrupted: u64,
    pub mutations: u64,
    pub checks_passed: u64,
    /// The first failures, with their first diagnostics.
    pub failures: Vec<GroundingEntry>,
    /// Files that were changed, in order, each once; of many, the first few.
    pub changed: Vec<String>,
    /// How many more were changed than `changed` has, a file perhaps more than once.
    pub changed_more: u64,
}

impl StepSoFar {
    /// Failures that are kept.
    pub const FAILURES_MAX: usize = 8;
    /// Files that are kept.
    pub const CHANGED_MAX: usize = 64;

    pub(super) fn change(&mut self, path: &str) {
        if self.changed.iter().any(|known| known == path) {
            return;
        }
        match self.changed.len() < Self::CHANGED_MAX {
            true => self.changed.push(path.to_owned()),
            false => self.changed_more = self.changed_more.saturating_add(1),
        }
    }
}
