//! Why a store could not be caught up.

use super::RebuildReason;
use crate::event::Sequence;
use crate::execution::query::QueryError;
use crate::store::{FeedError, StoreError};
use crate::stores::StoreName;

/// Why a store could not be caught up. What was recorded stands; the store lags.
#[derive(Debug, thiserror::Error)]
pub enum CatchUpError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Feed(#[from] FeedError),
    #[error(transparent)]
    Query(#[from] QueryError),
    #[error("building {store} went wrong; the new one was not put in its place")]
    Panicked { store: StoreName },
    #[error(
        "{store} is kept as evidence, untouched: {reason}; `annals salvage --from-store . NEW-FILE` saves \
         what only it has, `annals repair` sets it aside and builds it anew, or says what must come first"
    )]
    Contradicts { store: StoreName, reason: RebuildReason },
    #[error("index.db has read up to event {read} only, and {wanted} is needed; try again")]
    IndexBehind { read: Sequence, wanted: Sequence },
    #[error("the journal changed while {store} was built from it ({reason}); try again")]
    Changed { store: StoreName, reason: RebuildReason },
}

impl CatchUpError {
    /// Whether someone else holds the store (exit code 4).
    pub fn is_locked(&self) -> bool {
        matches!(self, Self::Store(error) if error.is_locked())
    }

    /// Why the store is kept as it is, where it says something that its journal does not.
    pub fn evidence(&self) -> Option<RebuildReason> {
        match self {
            Self::Contradicts { reason, .. } => Some(*reason),
            _ => None,
        }
    }
}
