//! What a model is given of the timeline.

use super::{FailureLoop, FailureRecord, TimelineEntry, TimelinePosition};

/// What a model is given of the timeline: the header of spec 001, and what it should know.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TimelineBlock {
    pub position: TimelinePosition,
    /// The newest executions, the oldest first.
    pub recent: Vec<TimelineEntry>,
    /// The newest first.
    pub pending: Vec<FailureRecord>,
    pub loops: Vec<FailureLoop>,
}
