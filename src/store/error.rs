//! What can go wrong with a store.

use std::io;
use std::path::{Path, PathBuf};

use rusqlite::ErrorCode;

use crate::fault::{CLOSE, Class, Fault, Remedy, Sorted};
use crate::journal::enclosure;
use crate::journal::fault;

#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error("{path} does not exist")]
    Missing { path: PathBuf },
    #[error("{path} cannot be read as a database while {doing}")]
    Unreadable { path: PathBuf, doing: &'static str, source: rusqlite::Error },
    #[error("{path}: {object} is not as the schema says")]
    SchemaDiffers { path: PathBuf, object: String },
    #[error("{path} was made by another version of annals: it is out of date")]
    OtherVersion { path: PathBuf },
    #[error("{path}: its files are not as they were left")]
    FilesDiffer { path: PathBuf, source: io::Error },
    #[error(
        "{path} cannot be written: {why}; nothing in it was changed, and it is tried again next time"
    )]
    NoGraph { path: PathBuf, why: &'static str },
    #[error(
        "{path} cannot be read as a graph while {doing}; it is magellan's too, so it was left as it is: \
         move it away, and a repair makes another"
    )]
    GraphDamaged { path: PathBuf, doing: &'static str, source: rusqlite::Error },
    #[error("{path} is empty, and nobody's data")]
    Empty { path: PathBuf },
    #[error("{path}: it does not hold what the journal says")]
    Differs { path: PathBuf },
    #[error("{path} is in use by another program ({doing}); close it and try again")]
    Locked { path: PathBuf, doing: &'static str },
    #[error("{path}: {doing} failed")]
    Sql { path: PathBuf, doing: &'static str, source: rusqlite::Error },
    #[error("{path}: {doing} failed")]
    Io { path: PathBuf, doing: &'static str, source: io::Error },
}

impl Fault for StoreError {
    fn sorted(&self) -> Sorted {
        match self {
            Self::Locked { .. } => Class::Locked.with(CLOSE),
            error if error.wants_rebuild() => Class::Findings.with(Remedy::Repair),
            error => fault::of_causes(error),
        }
    }
}

/// What a store gives.
pub type Result<T, E = StoreError> = std::result::Result<T, E>;

impl StoreError {
    pub(crate) fn sql(path: &Path, doing: &'static str, source: rusqlite::Error) -> Self {
        let path = path.to_owned();
        match source.sqlite_error_code() {
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
                Self::Locked { path, doing }
            }
            Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt) => {
                Self::Unreadable { path, doing, source }
            }
            _ => Self::Sql { path, doing, source },
        }
    }

    pub(crate) fn io(path: &Path, doing: &'static str, source: io::Error) -> Self {
        Self::Io { path: path.to_owned(), doing, source }
    }

    /// As [`Self::sql`], for a file that is not ours to replace.
    pub(crate) fn of_graph(path: &Path, doing: &'static str, source: rusqlite::Error) -> Self {
        match Self::sql(path, doing, source) {
            Self::Unreadable { path, doing, source } => Self::GraphDamaged { path, doing, source },
            other => other,
        }
    }

    /// Whether only building the store anew can help.
    pub fn wants_rebuild(&self) -> bool {
        matches!(
            self,
            Self::Missing { .. }
                | Self::Empty { .. }
                | Self::Unreadable { .. }
                | Self::SchemaDiffers { .. }
                | Self::OtherVersion { .. }
                | Self::FilesDiffer { .. }
                | Self::Differs { .. }
        )
    }

    /// Whether something that is no store of ours has its name, or a name beside it.
    pub fn is_in_the_way(&self) -> bool {
        matches!(self, Self::Io { source, .. } if enclosure::is_in_the_way(source))
    }

    /// Whether the machine failed, which says nothing of what the store holds.
    pub(crate) fn is_of_machine(&self) -> bool {
        use ErrorCode::{CannotOpen, DiskFull, OutOfMemory, PermissionDenied, SystemIoFailure};
        match self {
            Self::Io { .. } => true,
            Self::Sql { source, .. } => matches!(
                source.sqlite_error_code(),
                Some(CannotOpen | DiskFull | OutOfMemory | PermissionDenied | SystemIoFailure)
            ),
            _ => false,
        }
    }

    /// Whether someone else holds the store (exit code 4).
    pub fn is_locked(&self) -> bool {
        matches!(self, Self::Locked { .. })
    }
}

/// An error with what caused it: only the cause says what to do.
pub(crate) fn with_cause(error: &dyn std::error::Error) -> String {
    match error.source() {
        Some(source) => format!("{error}: {source}"),
        None => error.to_string(),
    }
}
