//! The hash chain over commits.

use crate::units::{Chain, JournalId};

/// Separates the chain's hashes from every other use of blake3.
pub const DOMAIN: &[u8; 16] = b"annals chain v1\0";

/// The chain before a journal's first commit.
pub fn genesis(journal: JournalId) -> Chain {
    link(Chain([0; 32]), &journal.0)
}

/// So many of the first bytes are hashed in one piece, a power of two: blake3 takes kilobytes side
/// by side only where it is given them together, and from a place that divides by how many they are.
const FIRST_BYTES: usize = 32 << 10;

/// `blake3(domain ‖ previous ‖ bytes)`: one pass over the whole commit, because blake3 is six
/// times faster over blocks than over single records.
pub fn link(previous: Chain, bytes: &[u8]) -> Chain {
    let prefix = DOMAIN.len() + previous.0.len();
    let (first, rest) = bytes.split_at(bytes.len().min(FIRST_BYTES - prefix));
    let mut hasher = blake3::Hasher::new();
    hasher.update(&[DOMAIN.as_slice(), &previous.0, first].concat()).update(rest);
    Chain(*hasher.finalize().as_bytes())
}
