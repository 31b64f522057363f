//! Why a screen has nothing to show.

use std::io;

use crate::command::feed::FeedError;
use crate::command::{EvidenceError, JournalError, ProjectError};
use crate::query::QueryError;

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
