//! Places in a journal.

use super::{Chain, JournalId, Offset, SegmentNumber, Sequence};

/// The end of a commit: its last sequence and the chain there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Mark {
    pub sequence: Sequence,
    pub chain: Chain,
}

/// An event that somebody has seen in a journal, and remembers outside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seen {
    pub journal: JournalId,
    pub sequence: Sequence,
}

impl Seen {
    /// The sequence, where it is this journal's.
    pub fn of(seen: Option<Self>, journal: JournalId) -> Sequence {
        seen.filter(|it| it.journal == journal).map_or(Sequence(0), |it| it.sequence)
    }
}

/// Where something starts in a journal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    pub segment: SegmentNumber,
    pub offset: Offset,
}
