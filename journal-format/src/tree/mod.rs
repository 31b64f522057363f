//! The tree over a journal's leaves (RFC 6962, SHA-256): its root vouches for every record, and a proof of a few
//! hashes shows that one is in it, or that a smaller tree is its beginning.
//!
//! ```text
//! leaf = SHA-256(00 ‖ …)           a frame's (FORMAT.md §6)
//! node = SHA-256(01 ‖ left ‖ right)
//! ```

mod builder;
mod leaves;
mod proof;
mod tile;

#[cfg(test)]
mod tests;

use sha2::{Digest, Sha256};

pub use builder::{Builder, Tiles};
pub use leaves::{LeafStep, leaves};
pub use proof::{ProofError, consistency, consistency_holds, inclusion, inclusion_holds, root};
pub use tile::{TILE_HASHES, TileAt, TileName};

pub type Hash = [u8; 32];

/// Keeps a node from being taken for a leaf.
const NODE_PREFIX: [u8; 1] = [1];

/// What stands above two hashes.
pub fn node(left: &Hash, right: &Hash) -> Hash {
    let mut hasher = Sha256::new();
    hasher.update(NODE_PREFIX);
    hasher.update(left);
    hasher.update(right);
    hasher.finalize().into()
}

/// The root over no leaf.
pub fn empty() -> Hash {
    Sha256::digest([]).into()
}
