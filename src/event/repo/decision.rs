//! Facts about what was decided for a repository.

use bincode::{Decode, Encode};

use super::RepoHash;

/// Something was decided, or a decision was told anew.
#[derive(Clone, Debug, PartialEq, Encode, Decode)]
pub struct DecisionRecorded {
    pub repo: RepoHash,
    pub id: String,
    pub summary: String,
    pub rationale: String,
    /// Files, folders or patterns of them, relative to the top folder.
    pub impacted_paths: Vec<String>,
    /// Unix milliseconds, where it was taken over from elsewhere.
    pub created_ms: Option<u64>,
}

/// A decision was taken back.
#[derive(Clone, Debug, PartialEq, Encode, Decode)]
pub struct DecisionRemoved {
    pub repo: RepoHash,
    pub id: String,
}
