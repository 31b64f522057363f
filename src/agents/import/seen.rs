//! What one command has seen already, by hash, in bounded memory.

use std::collections::HashSet;

/// What one command has seen already. Above its limit it forgets everything: what repeats then is
/// still noticed by the recorder, only later.
#[derive(Debug)]
pub struct Seen {
    hashes: HashSet<u128>,
    len_max: usize,
}

impl Seen {
    pub fn new(len_max: usize) -> Self {
        Self { hashes: HashSet::new(), len_max }
    }

    /// Whether this hash is seen for the first time.
    pub fn is_new(&mut self, hash: u128) -> bool {
        if self.hashes.len() >= self.len_max {
            self.hashes.clear();
        }
        self.hashes.insert(hash)
    }

    pub fn contains(&self, hash: u128) -> bool {
        self.hashes.contains(&hash)
    }
}

/// The first half of the hash of the parts, each with its length before it.
pub fn hash(parts: &[&[u8]]) -> u128 {
    let mut hasher = blake3::Hasher::new();
    for part in parts {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part);
    }
    let mut half = [0; 16];
    half.copy_from_slice(&hasher.finalize().as_bytes()[..16]);
    u128::from_le_bytes(half)
}
