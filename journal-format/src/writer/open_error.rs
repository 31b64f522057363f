//! Why a journal could not be opened for writing.

use std::io;
use std::path::PathBuf;

use super::AppendError;
use crate::lock::LockError;
use crate::segment::HeaderFault;

/// Why a journal could not be made or opened for writing.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    #[error("{} holds no journal: make one, or name the folder that holds it", path.display())]
    NoJournal { path: PathBuf },
    #[error("{} already holds a journal: open it instead", path.display())]
    Exists { path: PathBuf },
    #[error(
        "cannot append to {}: {fault}; read it with verify and keep what is whole with salvage",
        path.display()
    )]
    Header { path: PathBuf, fault: HeaderFault },
    #[error("{} does not hold the segment that its name says: move it away", path.display())]
    Misnamed { path: PathBuf },
    #[error(
        "{} is another journal's than the segments beside it: move it away, then try again",
        path.display()
    )]
    Foreign { path: PathBuf },
    #[error("cannot append to the journal in {}", path.display())]
    Tail { path: PathBuf, source: Box<AppendError> },
    #[error(transparent)]
    Lock(#[from] LockError),
    #[error("cannot {doing} {}", path.display())]
    Io { doing: &'static str, path: PathBuf, source: io::Error },
}

impl OpenError {
    pub(crate) fn io(
        doing: &'static str,
        path: impl Into<PathBuf>,
    ) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |source| Self::Io { doing, path, source }
    }
}
