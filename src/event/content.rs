//! Bytes a tool printed or was given: inline, or by reference to a blob or an earlier event.

use bincode::{Decode, Encode};

/// Bytes a tool printed. Append-only: the position of a variant is its byte.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub enum Content {
    /// The bytes themselves, below [`super::limits::INLINE_BYTES_MAX`]. Not necessarily UTF-8.
    Inline(Vec<u8>),
    /// In `blobs/`, named by the blake3 of the bytes.
    Blob { hash: [u8; 32], len: u64 },
    /// Only the beginning and the end were kept; `len` is what there was.
    Truncated { head: Vec<u8>, tail: Vec<u8>, len: u64 },
    /// The same bytes as an inline content of the event at `sequence`, which comes before this
    /// one; `hash` is their blake3.
    Repeated { sequence: u64, hash: [u8; 32], len: u64 },
}
