//! Facts about a repository's notes.

use bincode::{Decode, Encode};

use super::RepoHash;

/// A note was made, or changed.
#[derive(Clone, Debug, PartialEq, Encode, Decode)]
pub struct NoteAdded {
    pub repo: RepoHash,
    pub id: String,
    pub content: String,
    pub source: NoteSource,
    /// Unix milliseconds, where it was taken over from elsewhere.
    pub created_ms: Option<u64>,
}

/// A note was thrown away.
#[derive(Clone, Debug, PartialEq, Encode, Decode)]
pub struct NoteRemoved {
    pub repo: RepoHash,
    pub id: String,
}

/// Who made a note. Append-only: the position of a variant is its byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Encode, Decode)]
pub enum NoteSource {
    Manual,
    Agent,
    Tool,
}

impl NoteSource {
    /// Every one.
    pub const ALL: &'static [Self] = &[Self::Manual, Self::Agent, Self::Tool];

    /// The word in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Manual => "manual",
            Self::Agent => "agent",
            Self::Tool => "tool",
        }
    }

    /// Reads the word.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|source| source.as_str() == text)
    }
}
