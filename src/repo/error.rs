//! Why an operation on a repository's memory is refused, or fails.

use std::io;
use std::path::PathBuf;

use super::files::PublishError;
use crate::execution::query::QueryError;
use crate::fault::{CLOSE, Class, Fault, Listing, Remedy, Sorted};
use crate::journal::fault;
use crate::journal::{ProjectError, RecordError};
use crate::repo::entry::EntryKind;
use crate::store::catch_up::CatchUpError;
use crate::store::evidence::EvidenceError;
use crate::store::{FeedError, StoreError};

/// Why an operation on a repository's memory is refused, or fails. Nothing of it was recorded, but for
/// [`Self::Unread`].
#[derive(Debug, thiserror::Error)]
pub enum RepoError {
    #[error("the folder {} cannot be looked up", path.display())]
    Folder { path: PathBuf, source: io::Error },
    #[error(
        "{} cannot be read, and it says which repository this is: make it readable",
        path.display()
    )]
    GitFile { path: PathBuf, source: io::Error },
    #[error("{} says which repository this is, but {why}", path.display())]
    GitText { path: PathBuf, why: &'static str },
    #[error("{field} {why}")]
    Field { field: String, why: String },
    #[error("there is no {} {id}", kind.as_str())]
    NoEntry { kind: EntryKind, id: String },
    #[error("there is a {} {id} already", kind.as_str())]
    Exists { kind: EntryKind, id: String },
    #[error("another process has been changing the memory for too long: wait, or end it")]
    Busy,
    #[error("the lock of those who change the memory cannot be taken in {}", path.display())]
    Lock { path: PathBuf, source: io::Error },
    #[error("it was recorded, as event {sequence}, but cannot be read back")]
    Unread { sequence: u64, source: Box<RepoError> },
    #[error("it was recorded, as event {sequence}, and is gone again: another process removed it")]
    Gone { sequence: u64 },
    #[error(transparent)]
    Project(#[from] ProjectError),
    #[error(transparent)]
    Record(#[from] RecordError),
    #[error(transparent)]
    Feed(#[from] FeedError),
    #[error(transparent)]
    CatchUp(#[from] CatchUpError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Query(#[from] QueryError),
    #[error(transparent)]
    Stores(#[from] EvidenceError),
    #[error(transparent)]
    Publish(#[from] PublishError),
    #[error(
        "this journal was made elsewhere: the files here are kept by the one that was made here"
    )]
    Elsewhere,
}

impl Fault for RepoError {
    fn sorted(&self) -> Sorted {
        match self {
            Self::Field { .. } => Class::Argument.alone(),
            Self::NoEntry { kind, .. } => {
                Class::Missing.with(Remedy::List(Listing::Entries(kind.as_str())))
            }
            Self::Exists { kind, .. } => Class::Refused.with(Remedy::EditEntry(kind.as_str())),
            Self::GitText { .. } | Self::Elsewhere => Class::Refused.alone(),
            Self::Busy => Class::Locked.alone(),
            Self::Unread { .. } => Class::Findings.with(Remedy::Status),
            Self::Gone { .. } => Class::Findings.alone(),
            Self::Folder { source, .. }
            | Self::GitFile { source, .. }
            | Self::Lock { source, .. } => fault::of_io(source),
            Self::Project(error) => error.sorted(),
            Self::Record(error) => error.sorted(),
            Self::Query(QueryError::Ambiguous { .. }) => {
                Class::Refused.with(Remedy::List(Listing::Repositories))
            }
            Self::Query(error) => error.sorted(),
            Self::Publish(error) if error.is_locked() => Class::Locked.with(CLOSE),
            Self::Store(error) => error.sorted(),
            Self::CatchUp(error) => error.sorted(),
            Self::Publish(PublishError::NoHome) => Class::Refused.alone(),
            error => fault::of_causes(error),
        }
    }
}

impl RepoError {
    /// Whether what was asked for cannot be done as it was asked (exit code 2), rather than that
    /// something failed.
    pub fn is_refusal(&self) -> bool {
        matches!(
            self,
            Self::GitText { .. }
                | Self::Field { .. }
                | Self::NoEntry { .. }
                | Self::Exists { .. }
                | Self::Elsewhere
        )
    }
}
