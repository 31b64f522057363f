//! Why a call of the façade fails.

use crate::journal::ProjectError;
use crate::repo::RepoError;
use crate::repo::context::ContextError;

/// Why a call of the façade fails. Nothing of the call was recorded, but where the error says so.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("{repo_hash:?} is no hash of a repository: give 64 hexadecimal digits")]
    RepoHash { repo_hash: String },
    #[error(transparent)]
    Project(#[from] ProjectError),
    #[error(transparent)]
    Repo(#[from] RepoError),
    #[error(transparent)]
    Context(#[from] ContextError),
}

/// What the façade's calls give.
pub type Result<T, E = Error> = std::result::Result<T, E>;
