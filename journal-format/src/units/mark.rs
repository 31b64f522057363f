//! Places in a journal.

use super::{Chain, Offset, SegmentNumber, Sequence};

/// The end of a commit: its last sequence and the chain there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Mark {
    pub sequence: Sequence,
    pub chain: Chain,
}

/// Where something starts in a journal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    pub segment: SegmentNumber,
    pub offset: Offset,
}
