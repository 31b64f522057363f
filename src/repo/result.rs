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

impl<T> RepoDone<T> {
    /// The same of what it came to.
    pub fn map<U>(self, told: impl FnOnce(T) -> U) -> RepoDone<U> {
        RepoDone { done: told(self.done), repo: self.repo, sequence: self.sequence }
    }
}
