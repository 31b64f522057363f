//! The end of a commit, kept outside of the journal, to read on from.

use crate::units::{JournalId, Mark, Position};

/// The end of a commit, kept outside of the journal, to read on from. A hint: what it names is
/// believed only if a whole commit with that mark ends there, whoever wrote it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bookmark {
    pub journal: JournalId,
    /// The first byte behind the commit.
    pub end: Position,
    pub mark: Mark,
}
