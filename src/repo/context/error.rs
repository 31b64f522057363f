//! Why what is known of a tree could not be brought up to date, or a pack not be made.

use crate::execution::query::QueryError;
use crate::journal::{ProjectError, RecordError};
use crate::repo::RepoError;
use crate::repo::tree::TreeMapError;
use crate::store::FeedError;
use crate::store::evidence::EvidenceError;

/// Why what is known of a tree could not be brought up to date, or a pack not be made.
#[derive(Debug, thiserror::Error)]
pub enum ContextError {
    #[error(transparent)]
    Repo(#[from] RepoError),
    #[error(transparent)]
    Tree(#[from] TreeMapError),
    #[error(transparent)]
    Record(#[from] RecordError),
    #[error(transparent)]
    Project(#[from] ProjectError),
    #[error(transparent)]
    Query(#[from] QueryError),
    #[error(transparent)]
    Stores(#[from] EvidenceError),
    #[error(transparent)]
    Feed(#[from] FeedError),
    #[error("the map of the tree could not be written as JSON")]
    Json(#[from] serde_json::Error),
}
