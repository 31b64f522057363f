//! Why the files of repositories' memory could not be published.

use crate::execution::query::QueryError;
use crate::store::StoreError;

/// Why the files of repositories' memory could not be published. What was recorded stands.
#[derive(Debug, thiserror::Error)]
pub enum PublishError {
    #[error(
        "there is no HOME to keep repositories' files in: set it, or `[repo] home` in \
         .annals/config.toml to a folder"
    )]
    NoHome,
    #[error(transparent)]
    Store { source: StoreError },
    #[error(transparent)]
    Query(#[from] QueryError),
}

impl PublishError {
    /// Whether somebody else holds a folder, or the index (exit code 4).
    pub fn is_locked(&self) -> bool {
        match self {
            Self::Store { source } | Self::Query(QueryError::Store(source)) => source.is_locked(),
            _ => false,
        }
    }
}
