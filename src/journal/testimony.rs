//! What is known of a journal's end by what lies outside its segments.

use annals_journal_format as format;

use super::{Bookmark, Witness};
use crate::event::Sequence;

/// What is known of a journal's end by what lies outside its segments.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Testimony {
    /// What its `LOCK` said when it was last looked at, where it says nothing any more.
    pub lock: Option<Witness>,
    /// An event that it had: one beyond its end is lost.
    pub seen: Option<Seen>,
}

impl Testimony {
    /// Takes also what was seen outside.
    pub fn see(&mut self, at: Option<&Bookmark>) {
        let Some(at) = at else { return };
        let sequence = self.seen.map_or(at.mark.sequence, |it| it.sequence.max(at.mark.sequence));
        self.seen = Some(Seen { journal: at.journal, sequence });
    }
}

/// An event that somebody has seen in a journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seen {
    pub journal: [u8; 16],
    pub sequence: Sequence,
}

impl From<Seen> for format::Seen {
    fn from(seen: Seen) -> Self {
        let journal = format::JournalId(seen.journal);
        Self { journal, sequence: format::Sequence(seen.sequence.0) }
    }
}
