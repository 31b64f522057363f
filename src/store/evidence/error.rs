//! Why a journal could not be asked as evidence.

use std::io;
use std::path::PathBuf;

use crate::execution::query::QueryError;
use crate::store::catch_up::CatchUpError;
use crate::store::{FeedError, StoreError};
use crate::stores::StoreName;

/// Why a journal could not be asked as evidence, or as it once stood.
#[derive(Debug, thiserror::Error)]
pub enum EvidenceError {
    #[error(transparent)]
    Feed(#[from] FeedError),
    #[error("{store} could not be built from the journal")]
    Build { store: StoreName, source: CatchUpError },
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Query(#[from] QueryError),
    #[error(
        "the stores of {} come to more than {bytes_max} bytes, of a journal of {bytes}: it tells more than \
         it holds, and nothing of them was kept",
        path.display()
    )]
    TooLarge { path: PathBuf, bytes: u64, bytes_max: u64 },
    #[error("{} could not be {doing}", path.display())]
    Io { path: PathBuf, doing: &'static str, source: io::Error },
}
