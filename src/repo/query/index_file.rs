//! An index of a repository's tree.

use crate::event::{IndexKind, Sequence};

/// The newest index of its kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexFile {
    pub kind: IndexKind,
    /// JSON: the whole file below `indexes/`.
    pub content: String,
    /// Files that it tells of.
    pub files: u64,
    /// blake3 of what it was made from.
    pub inputs: [u8; 32],
    /// Unix milliseconds.
    pub at_ms: u64,
    pub sequence: Sequence,
}
