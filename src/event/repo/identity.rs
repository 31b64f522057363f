//! What a repository's hash was made of.

use bincode::{Decode, Encode};

use super::RepoHash;

/// A repository was met, and what its hash was made of.
#[derive(Clone, Debug, PartialEq, Encode, Decode)]
pub struct RepoIdentified {
    pub repo: RepoHash,
    /// The working tree's top folder, canonical; not always UTF-8 on disk, here made so.
    pub path: String,
    /// The URL of `origin` without credentials; `None`: the hash is of the path alone.
    pub remote: Option<String>,
    /// The branch that is checked out, or the commit where none is.
    pub branch: Option<String>,
}
