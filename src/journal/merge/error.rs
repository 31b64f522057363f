//! Why journals were not merged.

use std::io;
use std::path::PathBuf;

use crate::fault::{Class, Fault, Remedy, Sorted};
use crate::journal::{JournalError, ProjectError};

#[derive(Debug, thiserror::Error)]
pub enum MergeError {
    #[error(transparent)]
    Project(#[from] ProjectError),
    #[error(transparent)]
    Journal(#[from] JournalError),
    #[error(
        "{} and {} are of one id and forked at @{sequence}: each has another record there. Nothing is merged",
        one.display(), other.display()
    )]
    Forked { one: PathBuf, other: PathBuf, sequence: u64 },
    #[error("{} records a project of its own: merge into a new folder", path.display())]
    OwnJournal { path: PathBuf },
    #[error("what was redacted before cannot be kept out: {0}")]
    Withheld(#[source] io::Error),
    #[error("{} is the journal that is merged into, or a copy of it", path.display())]
    Itself { path: PathBuf },
}

impl Fault for MergeError {
    fn sorted(&self) -> Sorted {
        match self {
            Self::Project(error) => error.sorted(),
            Self::Journal(error) => error.sorted(),
            Self::Forked { .. } => Class::Contradicted.with(Remedy::Do(
                "find out which of them is the one that was written, and leave the other out",
            )),
            Self::Withheld(source) => crate::journal::fault::of_io(source),
            Self::OwnJournal { .. } | Self::Itself { .. } => Class::Refused.alone(),
        }
    }
}
