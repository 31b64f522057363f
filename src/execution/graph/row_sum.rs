//! A digest of rows in whatever order they come, in no more memory for many than for few.

use crate::store::Digest;

/// Sums of the rows' hashes, lane by lane, and how many there are. A hash is 64 bytes: the blake3 of
/// the row, and the blake3 of that.
#[derive(Default)]
pub(super) struct RowSum {
    lanes: [u64; 8],
    count: u64,
}

impl RowSum {
    /// Adds a row; the same row twice is not the same as once.
    pub fn add(&mut self, row: &[u8]) {
        let first = blake3::hash(row);
        let second = blake3::hash(first.as_bytes());
        let bytes = [*first.as_bytes(), *second.as_bytes()];
        for (lane, bytes) in self.lanes.iter_mut().zip(bytes.as_flattened().as_chunks().0) {
            *lane = lane.wrapping_add(u64::from_le_bytes(*bytes));
        }
        self.count += 1;
    }

    /// The digest of the rows, after what `hasher` has taken already.
    pub fn finish(self, mut hasher: blake3::Hasher) -> Digest {
        hasher.update(&self.count.to_le_bytes());
        for lane in self.lanes {
            hasher.update(&lane.to_le_bytes());
        }
        Digest(*hasher.finalize().as_bytes())
    }
}
