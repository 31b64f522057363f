//! Places in a journal, as stores and surfaces name them.

use crate::event::Sequence;
use annals_journal_format::writer;

/// The end of a commit: its last event, and the chain there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    pub sequence: Sequence,
    pub chain: [u8; 32],
}

/// What one append made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Appended {
    pub first: Sequence,
    pub last: Sequence,
    pub mark: Mark,
}

impl From<annals_journal_format::Mark> for Mark {
    fn from(mark: annals_journal_format::Mark) -> Self {
        Self { sequence: Sequence(mark.sequence.0), chain: mark.chain.0 }
    }
}

impl From<writer::Appended> for Appended {
    fn from(appended: writer::Appended) -> Self {
        Self {
            first: Sequence(appended.first.0),
            last: Sequence(appended.last.0),
            mark: appended.mark.into(),
        }
    }
}
