//! Why a journal that may not be written could not be asked.

use std::io;
use std::path::PathBuf;

use crate::fault::{Class, Fault, Remedy, Sorted};
use crate::journal::fault;
use crate::store::catch_up::CatchUpError;
use crate::store::{FeedError, StoreError, StoreName};

#[derive(Debug, thiserror::Error)]
pub enum EvidenceError {
    #[error(transparent)]
    Feed(#[from] FeedError),
    #[error("{store} could not be built from the journal")]
    Build { store: StoreName, source: CatchUpError },
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(
        "the stores of {} come to more than {bytes_max} bytes, of a journal of {bytes}: it tells more than \
         it holds, and nothing of them was kept",
        path.display()
    )]
    TooLarge { path: PathBuf, bytes: u64, bytes_max: u64 },
    #[error("{} could not be {doing}", path.display())]
    Io { path: PathBuf, doing: &'static str, source: io::Error },
}

impl Fault for EvidenceError {
    fn sorted(&self) -> Sorted {
        match self {
            Self::Feed(error) => error.sorted(),
            Self::Build { source, .. } => source.sorted(),
            Self::Store(error) => error.sorted(),
            Self::TooLarge { .. } => Class::Refused.with(Remedy::AskJournal),
            Self::Io { source, .. } => fault::of_io(source),
        }
    }
}
