//! A frame's leaf: what stands for it in a tree, and outlives its redaction (FORMAT.md §6).

use sha2::{Digest, Sha256};

use super::Flags;
use super::header::{array_at, u32_at};
use super::layout::*;

/// Keeps a leaf from being taken for a node of the tree (RFC 6962).
pub(super) const LEAF_PREFIX: [u8; 1] = [0];

/// Bytes of a header that a leaf is made of.
const HEADER_PART_BYTES: usize = SALT_AT - PAYLOAD_LEN_AT;

/// What a frame's leaf is made of: the same before and after it is redacted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LeafParts {
    header: [u8; HEADER_PART_BYTES],
    inner: [u8; 32],
}

impl LeafParts {
    /// Of a valid frame, given its bytes.
    pub fn of(frame: &[u8]) -> Self {
        let mut header: [u8; HEADER_PART_BYTES] = array_at(frame, PAYLOAD_LEN_AT);
        let flags = &mut header[FLAGS_AT - PAYLOAD_LEN_AT];
        *flags = Flags(*flags).without(Flags::REDACTED).0;
        Self { header, inner: inner_hash(frame) }
    }

    pub fn leaf(&self) -> [u8; 32] {
        let mut hasher = Sha256::new();
        hasher.update(LEAF_PREFIX);
        hasher.update(self.header);
        hasher.update(self.inner);
        hasher.finalize().into()
    }

    /// Whether this is its leaf, or was where its commit had other frames: what salvaging changes.
    pub fn is_or_was(&self, leaf: &[u8; 32]) -> bool {
        let ends = [Flags::default(), Flags::FIRST, Flags::LAST, Flags::FIRST.with(Flags::LAST)];
        ends.into_iter().any(|ends| {
            let mut other = *self;
            let flags = &mut other.header[FLAGS_AT - PAYLOAD_LEN_AT];
            *flags = Flags(*flags).without(Flags::FIRST).without(Flags::LAST).with(ends).0;
            other.leaf() == *leaf
        })
    }
}

/// The leaf of a valid frame, given its bytes: the same before and after it is redacted.
pub fn leaf(frame: &[u8]) -> [u8; 32] {
    LeafParts::of(frame).leaf()
}

/// `blake3(salt ‖ stored payload)` of a valid frame; of a redacted one, what it keeps of it.
pub fn inner_hash(frame: &[u8]) -> [u8; 32] {
    if Flags(frame[FLAGS_AT]).has(Flags::REDACTED) {
        return array_at(frame, SALT_AT);
    }
    let payload_end = HEADER_BYTES + u32_at(frame, PAYLOAD_LEN_AT) as usize;
    *blake3::hash(&frame[SALT_AT..payload_end]).as_bytes()
}

const _: () = assert!(HEADER_BYTES + BODY_BYTES_MIN - SALT_AT == 32);
