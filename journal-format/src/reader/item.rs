//! What a walk over entries gives.

use super::Entry;
use crate::scan::{ChainCheck, Finding};
use crate::units::{Mark, Position, Sequence};

/// What comes next in a journal.
#[derive(Debug)]
pub enum Item<'a> {
    Entry(Entry<'a>),
    /// The end of the commit whose entries came before (forward) or come after (backward).
    Commit(CommitEnd),
    Finding(Finding),
}

/// The end of a commit. A commit whose last frame is damaged has none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CommitEnd {
    pub mark: Mark,
    /// The first byte behind it.
    pub end: Position,
    /// The first sequence it was written with, whether or not that frame still holds.
    pub first: Sequence,
    /// Every frame of it is there.
    pub whole: bool,
    pub chain: ChainCheck,
}

impl CommitEnd {
    /// Whether the chain was recomputed here and came out the same.
    pub fn chain_holds(&self) -> bool {
        self.chain == ChainCheck::Holds
    }
}
