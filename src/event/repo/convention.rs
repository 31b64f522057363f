//! Facts about a repository's conventions.

use bincode::{Decode, Encode};

use super::RepoHash;

/// A convention holds from now on, or was changed.
#[derive(Clone, Debug, PartialEq, Encode, Decode)]
pub struct ConventionUpserted {
    pub repo: RepoHash,
    pub id: String,
    pub title: String,
    pub content: String,
    pub tags: Vec<String>,
    /// Unix milliseconds, where it was taken over from elsewhere; else the event's own time, the
    /// first one's for when it was made.
    pub created_ms: Option<u64>,
    pub updated_ms: Option<u64>,
}

/// A convention holds no longer.
#[derive(Clone, Debug, PartialEq, Encode, Decode)]
pub struct ConventionRemoved {
    pub repo: RepoHash,
    pub id: String,
}
