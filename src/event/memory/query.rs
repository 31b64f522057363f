//! A read of branch memory.

use bincode::{Decode, Encode};

use super::MemoryOrigin;

/// Memory was read.
#[derive(Clone, Debug, PartialEq, Encode, Decode)]
pub struct MemoryRead {
    pub branch: String,
    pub query: MemoryQuery,
    /// How much was found.
    pub results: u64,
    pub origin: MemoryOrigin,
}

/// What was asked for. Append-only: the position of a variant is its byte.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub enum MemoryQuery {
    /// Values; no keys: all of them.
    Core { keys: Vec<String> },
    /// Events that have these words.
    Recall { query: String, k: u64 },
    /// Records that have these words and all of these tags.
    Archival { query: String, k: u64, tags: Vec<String>, include_ancestors: bool },
    /// One record.
    Record { id: u64 },
    /// All three layers, or one: `all`, `core`, `recall`, `archival`.
    Node { scope: String },
}
