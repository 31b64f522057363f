//! How a repository's tree looked.

use bincode::{Decode, Encode};

use super::RepoHash;
use crate::event::Content;

/// How a repository's tree looked: an index of it, as context packs show it.
#[derive(Clone, Debug, PartialEq, Encode, Decode)]
pub struct IndexStored {
    pub repo: RepoHash,
    pub index: IndexKind,
    /// JSON, the whole file below `indexes/`.
    pub content: Content,
    /// Files that it tells of.
    pub files: u64,
    /// blake3 that tells one content from another, its own or of what it was made from: the same, and
    /// nothing has to be stored again.
    pub inputs: [u8; 32],
}

/// Which index. Append-only: the position of a variant is its byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Encode, Decode)]
pub enum IndexKind {
    /// Folders, files, languages, what is defined where.
    RepoMap,
    /// What a code graph says of symbols.
    Symbols,
}

impl IndexKind {
    /// Every one.
    pub const ALL: &'static [Self] = &[Self::RepoMap, Self::Symbols];

    /// The name of its file below `indexes/`, without `.json`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::RepoMap => "repo-map",
            Self::Symbols => "symbols",
        }
    }
}
