//! CRC-32 seeded with a segment's nonce and a frame's offset.

use crate::units::Offset;

/// CRC-32 (IEEE) of `nonce ‖ offset u64 ‖ bytes`: a frame that is stale, foreign, copied or
/// moved never passes, because its own offset and its segment's nonce are part of the sum.
#[derive(Clone, Debug)]
pub struct CrcSeed(crc32fast::Hasher);

impl CrcSeed {
    pub fn new(nonce: &[u8; 16]) -> Self {
        let mut hasher = crc32fast::Hasher::new();
        hasher.update(nonce);
        Self(hasher)
    }

    /// The sum of `bytes` in the frame that starts at `frame`.
    pub fn crc(&self, frame: Offset, bytes: &[u8]) -> u32 {
        let mut hasher = self.0.clone();
        hasher.update(&frame.0.to_le_bytes());
        hasher.update(bytes);
        hasher.finalize()
    }
}
