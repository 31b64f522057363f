//! Why tables were not exported.

use std::io;
use std::path::{Path, PathBuf};

use parquet::errors::ParquetError;

use crate::event::Sequence;
use crate::fault::{Class, Fault, Remedy, Sorted};
use crate::journal::JournalError;
use crate::journal::archive::TargetError;
use crate::journal::fault::of_io;
use crate::store::StoreError;
use crate::store::sql::SqlError;

pub type Result<T, E = ExportError> = std::result::Result<T, E>;

#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    #[error("could not {doing} {}", path.display())]
    Io { doing: &'static str, path: PathBuf, source: io::Error },
    #[error("{} could not be written as Parquet", path.display())]
    Parquet { path: PathBuf, source: ParquetError },
    #[error("{} is no list of what this journal exported there: {what}", path.display())]
    Manifest { path: PathBuf, what: String },
    #[error(
        "{} has another history of this journal, up to event {at}: a copy of it went on elsewhere, or this one \
         was put back",
        path.display()
    )]
    Forked { path: PathBuf, at: Sequence },
    #[error(transparent)]
    Target(#[from] TargetError),
    #[error(transparent)]
    Journal(#[from] JournalError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("a store does not answer: {message}")]
    Asked { message: String },
}

impl ExportError {
    pub fn io(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Io { doing, path: path.to_owned(), source }
    }
}

impl From<SqlError<Self>> for ExportError {
    fn from(error: SqlError<Self>) -> Self {
        match error {
            SqlError::Taken(error) => error,
            other => Self::Asked { message: other.to_string() },
        }
    }
}

impl Fault for ExportError {
    fn sorted(&self) -> Sorted {
        match self {
            Self::Io { source, .. } => of_io(source),
            Self::Parquet { .. } => Class::Io.alone(),
            Self::Manifest { .. } | Self::Forked { .. } => Class::Refused.alone(),
            Self::Target(source) => source.sorted(),
            Self::Journal(source) => source.sorted(),
            Self::Store(source) => source.sorted(),
            Self::Asked { .. } => Class::Findings.with(Remedy::Repair),
        }
    }
}
