//! How a journal is read.

use std::path::Path;

use annals_journal_format::storage::SourceStorage;

/// How a journal is read. Neither way changes a byte of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// Somebody may be writing: a bad frame at the tail is read again under a shared lock.
    Live,
    /// As it lies: no lock is taken.
    Evidence,
}

impl Reading {
    pub(super) fn storage(self, source: &Path) -> SourceStorage {
        match self {
            Self::Live => SourceStorage::open(),
            Self::Evidence => SourceStorage::guarding(source),
        }
    }
}
