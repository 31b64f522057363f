//! A branch began.

use bincode::{Decode, Encode};

use super::MemoryOrigin;

/// A branch of memory began: it sees what its ancestors hold, and they see nothing of it.
#[derive(Clone, Debug, PartialEq, Encode, Decode)]
pub struct BranchForked {
    pub branch: String,
    /// `None` for a root.
    pub parent: Option<String>,
    /// The node of a search tree it stands for.
    pub node: Option<String>,
    /// Made because a fork named it as an ancestor that did not exist.
    pub auto_created: bool,
    /// What it was copied from, where it was forked from the past; the copies follow in the same
    /// commit, and its parent is `None`.
    pub copied_from: Option<CopiedFrom>,
    pub origin: MemoryOrigin,
}

/// A branch as it was seen after one event.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct CopiedFrom {
    pub branch: String,
    pub through_sequence: u64,
}
