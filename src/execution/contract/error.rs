//! Why a call of the façade fails.

use crate::execution::query::QueryError;
use crate::journal::{ProjectError, RecordError};
use crate::store::FeedError;
use crate::store::evidence::EvidenceError;

/// Why a call of the façade fails. A failed record is never a reason to treat the tool's own
/// result otherwise.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// For callers: the verdict that spec 000's example returns where
    /// `has_failed_recently` says so. Nothing here returns it by itself.
    #[error("this action failed recently: see why with `annals log --failed`, then try another")]
    KnownAntiPattern,
    #[error("the call's arguments cannot be written as JSON")]
    Arguments { source: serde_json::Error },
    #[error("the diagnostics cannot be written as JSON")]
    Diagnostics { source: serde_json::Error },
    #[error(transparent)]
    Project(#[from] ProjectError),
    #[error(transparent)]
    Record(#[from] RecordError),
    #[error(transparent)]
    Feed(#[from] FeedError),
    #[error(transparent)]
    Stores(#[from] EvidenceError),
    #[error(transparent)]
    Query(#[from] QueryError),
}

/// What the façade's calls give.
pub type Result<T, E = Error> = std::result::Result<T, E>;
