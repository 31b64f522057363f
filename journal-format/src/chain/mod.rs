//! The hash chain over commits.

use crate::units::{Chain, JournalId};

/// Separates the chain's hashes from every other use of blake3.
pub const DOMAIN: &[u8; 16] = b"annals chain v1\0";

/// The chain before a journal's first commit.
pub fn genesis(journal: JournalId) -> Chain {
    link(Chain([0; 32]), &journal.0)
}

/// `blake3(domain ‖ previous ‖ bytes)`: one pass over the whole commit, because blake3 is six
/// times faster over blocks than over single records.
pub fn link(previous: Chain, bytes: &[u8]) -> Chain {
    let mut hasher = blake3::Hasher::new();
    hasher.update(DOMAIN).update(&previous.0).update(bytes);
    Chain(*hasher.finalize().as_bytes())
}
