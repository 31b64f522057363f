//! Why a call of the façade fails.

use crate::debug::DebugError;
use crate::execution::query::QueryError;
use crate::journal::ProjectError;
use crate::store::evidence::EvidenceError;
use crate::store::{FeedError, StoreError};

/// Why a call of the façade fails. Nothing of the call was recorded, but where the error says so.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("{given:?} is no {what} of the contract's schema")]
    Word { what: &'static str, given: String },
    #[error(
        "nothing that {command:?} printed says how many tests ran: record the execution with its results"
    )]
    NotUnderstood { command: String },
    #[error(transparent)]
    Project(#[from] ProjectError),
    #[error(transparent)]
    Debug(#[from] DebugError),
    #[error(transparent)]
    Feed(#[from] FeedError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Stores(#[from] EvidenceError),
    #[error(transparent)]
    Query(#[from] QueryError),
}

/// What the façade's calls give.
pub type Result<T, E = Error> = std::result::Result<T, E>;
