//! Facts about archival memory: texts with tags, found by search.

use bincode::{Decode, Encode};

use super::MemoryOrigin;
use crate::event::Content;

/// A text was archived.
#[derive(Clone, Debug, PartialEq, Encode, Decode)]
pub struct ArchivalWritten {
    /// Its number in `archival`, given once in a journal, never again.
    pub id: u64,
    pub branch: String,
    pub text: String,
    pub tags: Vec<String>,
    /// All of it, where `text` had to be cut; now a longer text goes on in further events instead.
    pub whole: Option<Content>,
    pub origin: MemoryOrigin,
}

/// A record was changed; what is `None` stays as it was.
#[derive(Clone, Debug, PartialEq, Encode, Decode)]
pub struct ArchivalUpdated {
    pub id: u64,
    /// The branch it is of.
    pub branch: String,
    pub text: Option<String>,
    pub tags: Option<Vec<String>>,
    /// All of the text, where it had to be cut; now the rest goes on in further events instead.
    pub whole: Option<Content>,
    pub origin: MemoryOrigin,
}
