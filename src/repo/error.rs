//! Why an operation on a repository's memory is refused, or fails.

use std::io;
use std::path::PathBuf;

use super::files::PublishError;
use crate::execution::query::QueryError;
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
    #[error("there is no {} {id}: `annals repo {} list` has what there is", kind.as_str(), kind.as_str())]
    NoEntry { kind: EntryKind, id: String },
    #[error("there is a {} {id} already: `annals repo {} edit` changes it", kind.as_str(), kind.as_str())]
    Exists { kind: EntryKind, id: String },
    #[error("another process has been changing the memory for too long: wait, or end it")]
    Busy,
    #[error("the lock of those who change the memory cannot be taken in {}", path.display())]
    Lock { path: PathBuf, source: io::Error },
    #[error(
        "it was recorded, as event {sequence}, but cannot be read back: `annals status` says why"
    )]
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
