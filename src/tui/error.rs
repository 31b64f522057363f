//! Why a screen has nothing to show.

use std::io;

use crate::execution::query::QueryError;
use crate::journal::{JournalError, ProjectError};
use crate::store::FeedError;
use crate::store::evidence::EvidenceError;

/// Why a screen has nothing to show.
#[derive(Debug, thiserror::Error)]
pub enum TuiError {
    #[error("the terminal does not answer")]
    Terminal(#[source] io::Error),
    #[error(transparent)]
    Query(#[from] QueryError),
    #[error(transparent)]
    Project(#[from] ProjectError),
    #[error(transparent)]
    Journal(#[from] JournalError),
    #[error(transparent)]
    Feed(#[from] FeedError),
    #[error(transparent)]
    Stores(#[from] EvidenceError),
}
