//! An event with its place in the journal.

use super::{Event, Sequence};

/// An event with its place in the journal.
#[derive(Clone, Debug, PartialEq)]
pub struct Recorded {
    pub sequence: Sequence,
    /// When the journal took it, Unix milliseconds (the frame's own time).
    pub recorded_ms: u64,
    pub event: Event,
}
