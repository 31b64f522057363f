//! What an operation came to.

use crate::event::{RepoHash, Sequence};

/// What an operation on a repository's memory came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RepoDone<T> {
    pub done: T,
    /// The repository that it was recorded for.
    pub repo: RepoHash,
    /// Its last event; `None` where nothing changed.
    pub sequence: Option<Sequence>,
}

impl<T> RepoDone<T> {}
