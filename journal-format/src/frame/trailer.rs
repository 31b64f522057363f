//! What a commit's last frame adds.

use super::header::{array_at, u64_at};
use super::layout::*;
use crate::units::{Chain, Sequence};

/// What a commit's last frame adds, between body and end word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trailer {
    /// The sequence of the commit's first frame.
    pub first_sequence: Sequence,
    /// Bytes of the whole commit, all its frames.
    pub commit_bytes: u64,
    /// The highest sequence known to be on disk when this commit was written.
    pub durable: Sequence,
    /// `blake3(domain ‖ previous chain ‖ the commit's bytes up to this field)`.
    pub chain: Chain,
}

impl Trailer {
    /// Reads a trailer; `bytes` is at least [`TRAILER_BYTES`] long.
    pub fn parse(bytes: &[u8]) -> Self {
        Self {
            first_sequence: Sequence(u64_at(bytes, TRAILER_FIRST_SEQUENCE_AT)),
            commit_bytes: u64_at(bytes, TRAILER_COMMIT_BYTES_AT),
            durable: Sequence(u64_at(bytes, TRAILER_DURABLE_AT)),
            chain: Chain(array_at(bytes, TRAILER_CHAIN_AT)),
        }
    }

    /// Writes all but the chain, which covers these.
    pub fn put_before_chain(&self, out: &mut [u8]) {
        out[TRAILER_FIRST_SEQUENCE_AT..TRAILER_COMMIT_BYTES_AT]
            .copy_from_slice(&self.first_sequence.0.to_le_bytes());
        out[TRAILER_COMMIT_BYTES_AT..TRAILER_DURABLE_AT]
            .copy_from_slice(&self.commit_bytes.to_le_bytes());
        out[TRAILER_DURABLE_AT..TRAILER_CHAIN_AT].copy_from_slice(&self.durable.0.to_le_bytes());
    }
}
