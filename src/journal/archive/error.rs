//! Why a segment was not moved.

use annals_journal_format::archive::ArchiveError;

use crate::fault::{Class, Fault, Remedy, Sorted};
use crate::journal::tlog::TlogError;
use crate::journal::{JournalError, ProjectError, fault};

#[derive(Debug, thiserror::Error)]
pub enum MoveError {
    #[error(transparent)]
    Project(#[from] ProjectError),
    #[error(transparent)]
    Journal(#[from] JournalError),
    #[error(transparent)]
    Tlog(#[from] TlogError),
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    #[error("{what}")]
    Refused { what: String },
    #[error("nothing was archived, since the journal is damaged: {what}")]
    Damaged { what: String },
}

impl MoveError {
    /// The segment here cannot be copied as it is: not that it could not be read or sent.
    pub fn is_of_the_segment(&self) -> bool {
        matches!(self, Self::Archive(ArchiveError::Refused { .. }) | Self::Damaged { .. })
    }

    /// What lies there is missing, or is another than was said: not that it is out of reach.
    pub fn is_other(&self) -> bool {
        matches!(self, Self::Archive(ArchiveError::Fault(fault)) if fault.is_wrong || fault.is_missing)
    }
}

impl Fault for MoveError {
    fn sorted(&self) -> Sorted {
        match self {
            Self::Project(error) => error.sorted(),
            Self::Journal(error) => error.sorted(),
            Self::Tlog(error) => error.sorted(),
            Self::Archive(ArchiveError::Fault(fault)) => fault::of_archive(fault),
            Self::Archive(ArchiveError::Io { source, .. }) => fault::of_io(source),
            Self::Archive(ArchiveError::Refused { .. }) => Class::Damaged.with(Remedy::Verify),
            Self::Archive(ArchiveError::Other { .. }) => {
                Class::Refused.with(Remedy::Do("name another folder"))
            }
            Self::Refused { .. } => Class::Refused.alone(),
            Self::Damaged { .. } => Class::Damaged.with(Remedy::Verify),
        }
    }
}
