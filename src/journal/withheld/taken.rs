//! The very records that orders took, by keyed digests of their leaves: an older copy or bundle that has one of them
//! whole is known by that, whatever the record tells of.

use std::collections::HashSet;
use std::io;
use std::path::Path;
use std::sync::OnceLock;

use super::{Withheld, append};
use crate::event::wire::{hex_text, unhex};

const LEAF: &str = "annals leaf";
const DIGEST_BYTES: usize = 16;
/// Records of one line at most.
const LINE_MAX: usize = 1 << 10;

/// What its lines say; who only records never asks.
#[derive(Default)]
pub(super) struct Taken {
    lines: Vec<String>,
    known: OnceLock<HashSet<[u8; DIGEST_BYTES]>>,
}

impl Taken {
    pub fn line(&mut self, digests: &str) {
        self.lines.push(digests.to_owned());
    }

    fn known(&self) -> &HashSet<[u8; DIGEST_BYTES]> {
        self.known.get_or_init(|| {
            let digests = self.lines.iter().flat_map(|it| it.as_bytes().chunks(2 * DIGEST_BYTES));
            // What a crash cut is no digest.
            digests.filter_map(|it| unhex(std::str::from_utf8(it).ok()?)).collect()
        })
    }
}

impl Withheld {
    /// Whether an order took the record of this leaf.
    pub fn has_taken(&self, leaf: &[u8; 32]) -> bool {
        let known = self.taken.known();
        !known.is_empty() && known.contains(&self.leaf(leaf))
    }

    fn leaf(&self, leaf: &[u8; 32]) -> [u8; DIGEST_BYTES] {
        let mut digest = [0; DIGEST_BYTES];
        digest.copy_from_slice(&self.values.digest_of(LEAF, &[leaf])[..DIGEST_BYTES]);
        digest
    }
}

/// Keeps which records an order takes, beside what [`super::keep`] kept of it. Durable before it returns.
pub fn keep_leaves(path: &Path, leaves: &[[u8; 32]]) -> io::Result<()> {
    let known = Withheld::read(path)?.ok_or(io::ErrorKind::NotFound)?;
    let mut digests: Vec<_> = leaves.iter().map(|it| known.leaf(it)).collect();
    digests.sort_unstable();
    digests.dedup();
    digests.retain(|it| !known.taken.known().contains(it));
    let mut lines = String::new();
    for some in digests.chunks(LINE_MAX) {
        lines += &format!("leaves {}\n", hex_text(some.as_flattened()));
    }
    append(path, &lines)
}
