//! What can be wrong with an archive.

use std::io;
use std::path::{Path, PathBuf};

/// An archive does not give what a manifest says that it has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{} {what}", path.display())]
pub struct ArchiveFault {
    pub path: PathBuf,
    pub what: String,
    /// It is there, and it is not what was archived.
    pub is_wrong: bool,
    /// Nothing of that name is there: it is gone, or all of the archive is away.
    pub is_missing: bool,
}

impl ArchiveFault {
    pub(super) fn wrong(path: &Path, what: impl Into<String>) -> Self {
        Self { path: path.to_owned(), what: what.into(), is_wrong: true, is_missing: false }
    }

    pub(super) fn unread(path: &Path, did: &str, error: &io::Error) -> Self {
        let what = format!("could not be {did}: {error}");
        let is_missing = error.kind() == io::ErrorKind::NotFound;
        Self { path: path.to_owned(), what, is_wrong: false, is_missing }
    }

    /// The fault that an error is of.
    pub fn of(error: &io::Error) -> Option<&Self> {
        error.get_ref()?.downcast_ref()
    }
}

impl From<ArchiveFault> for io::Error {
    fn from(fault: ArchiveFault) -> Self {
        Self::other(fault)
    }
}

/// Why a segment was not archived, or not brought back.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    #[error("the archive does not give what it should: {0}")]
    Fault(#[from] ArchiveFault),
    #[error("{} could not be {did}", path.display())]
    Io { path: PathBuf, did: &'static str, source: io::Error },
    #[error("{} cannot be archived: {what}", path.display())]
    Refused { path: PathBuf, what: &'static str },
    #[error("{} is there already, of another copy of this segment", path.display())]
    Other { path: PathBuf },
}

impl ArchiveError {
    pub(super) fn io(path: &Path, did: &'static str) -> impl FnOnce(io::Error) -> Self {
        move |source| match ArchiveFault::of(&source) {
            Some(fault) => fault.clone().into(),
            None => Self::Io { path: path.to_owned(), did, source },
        }
    }
}
