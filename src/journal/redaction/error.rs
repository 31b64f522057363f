//! Why a redaction was not begun, or not carried out.

use std::io;
use std::path::PathBuf;

use crate::event::Sequence;
use crate::fault::{Class, Fault, Sorted};
use crate::journal::archive::MoveError;
use crate::journal::{JournalError, ProjectError, fault};

#[derive(Debug, thiserror::Error)]
pub enum RedactionError {
    #[error(transparent)]
    Project(#[from] ProjectError),
    #[error(transparent)]
    Journal(#[from] JournalError),
    #[error("a segment that holds what is to go could not be brought back: {0}")]
    Archive(#[from] MoveError),
    #[error("the journal has no event {sequence}")]
    Missing { sequence: Sequence },
    #[error("event {sequence} tells of the journal itself and is never redacted")]
    Kept { sequence: Sequence },
    #[error("nothing is left to redact")]
    Nothing,
    #[error("{count} records are more than one order takes ({max}, with those of their commits)")]
    TooMany { count: usize, max: usize },
    #[error("{} could not be {did}", path.display())]
    Io { path: PathBuf, did: &'static str, source: io::Error },
}

impl Fault for RedactionError {
    fn sorted(&self) -> Sorted {
        match self {
            Self::Project(error) => error.sorted(),
            Self::Journal(error) => error.sorted(),
            Self::Archive(error) => error.sorted(),
            Self::Missing { .. } => Class::Missing.alone(),
            Self::Kept { .. } | Self::Nothing | Self::TooMany { .. } => Class::Refused.alone(),
            Self::Io { source, .. } => fault::of_io(source),
        }
    }
}
