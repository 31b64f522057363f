//! What a memory query answers.

use crate::grounding::timeline::{FailureLoop, FailureRecord, TimelineEntry, TimelinePosition};

/// What a memory query answers; what was not asked for is empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MemoryAnswer {
    /// The query as it was understood, in spec 001's notation.
    pub query: String,
    /// The last event that this knows of.
    pub through_sequence: u64,
    pub position: Option<TimelinePosition>,
    /// The oldest first.
    pub executions: Vec<TimelineEntry>,
    /// There are more than were asked for, or looked through.
    pub more: bool,
    /// The newest first.
    pub pending: Vec<FailureRecord>,
    pub loops: Vec<FailureLoop>,
}

impl MemoryAnswer {
    /// How many rows it has.
    pub fn returned(&self) -> u64 {
        let rows = self.executions.len() + self.pending.len() + self.loops.len();
        rows as u64 + u64::from(self.position.is_some())
    }
}
