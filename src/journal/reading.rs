//! How a journal is read.

use std::path::Path;

use annals_journal_format::bundle::is_bundle;
use annals_journal_format::storage::SourceStorage;

use super::JournalError;

/// How a journal is read. Neither way changes a byte of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// Somebody may be writing: a bad frame at the tail is read again under a shared lock.
    Live,
    /// As it lies: no lock is taken. A bundle is always read so.
    Evidence,
}

impl Reading {
    pub(super) fn storage(self, source: &Path) -> Result<SourceStorage, JournalError> {
        match self {
            Self::Live if !is_bundle(source) => Ok(SourceStorage::open()),
            Self::Live | Self::Evidence => Ok(SourceStorage::guarding(source)?),
        }
    }
}
