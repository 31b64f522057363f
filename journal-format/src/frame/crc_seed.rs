//! CRC-32 seeded with a segment's nonce and a frame's offset.

use super::crc_short;
use crate::units::Offset;

/// Below this, crc32fast has no vector code.
const SHORT_BYTES_MAX: usize = 64;

/// CRC-32 (IEEE) of `nonce ‖ offset u64 ‖ bytes`: a frame that is stale, foreign, copied or
/// moved never passes, because its own offset and its segment's nonce are part of the sum.
#[derive(Clone, Copy, Debug)]
pub struct CrcSeed(u32);

impl CrcSeed {
    pub fn new(nonce: &[u8; 16]) -> Self {
        Self(crc_short::extend(0, nonce))
    }

    /// The sum of `bytes` in the frame that starts at `frame`.
    pub fn crc(&self, frame: Offset, bytes: &[u8]) -> u32 {
        let seeded = crc_short::extend(self.0, &frame.0.to_le_bytes());
        if bytes.len() < SHORT_BYTES_MAX {
            return crc_short::extend(seeded, bytes);
        }
        let mut hasher = crc32fast::Hasher::new_with_initial(seeded);
        hasher.update(bytes);
        hasher.finalize()
    }
}
