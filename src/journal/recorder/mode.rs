//! How strictly a recorder judges.

use crate::event::Source;

/// How strictly a recorder judges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordMode {
    /// As it happens: what breaks the contract is refused, and each call is one durable commit.
    Live,
    /// What has happened: nothing is refused for its time or its tool, and commits are batches.
    Import,
}

impl RecordMode {
    /// The door that its own events come by.
    pub(super) fn source(self) -> Source {
        match self {
            Self::Live => Source::Live,
            Self::Import => Source::Import,
        }
    }
}
