//! Which repository a memory is of, as it was recorded.

use crate::event::{RepoHash, Sequence};

/// A repository, as it was recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RepoIdentity {
    pub repo: RepoHash,
    /// The working tree's top folder; `None` where the event that told it is lost.
    pub path: Option<String>,
    /// The URL of `origin` without credentials.
    pub remote: Option<String>,
    pub branch: Option<String>,
    /// The event that identified it.
    pub identified: Option<Sequence>,
    /// The last event about it, or about one that it is linked with.
    pub last: Sequence,
}
