//! Why a store could not be caught up.

use super::RebuildReason;
use crate::command::feed::FeedError;
use crate::query::QueryError;
use crate::store::{StoreError, StoreName};

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
    #[error("the journal changed while {store} was built from it ({reason}); try again")]
    Changed { store: StoreName, reason: RebuildReason },
}

impl CatchUpError {
    /// Whether someone else holds the store (exit code 4).
    pub fn is_locked(&self) -> bool {
        matches!(self, Self::Store(error) if error.is_locked())
    }
}
