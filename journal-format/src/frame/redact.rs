//! Destroying what one frame holds, and nothing that vouches for it (FORMAT.md §6).

use super::header::u32_at;
use super::layout::*;
use super::{CrcSeed, Flags, inner_hash};
use crate::units::Offset;

/// What stands where nothing is left.
pub(super) const GONE: u8 = 0xFF;

/// Puts the inner hash in the place of salt and payload of a valid frame, given its bytes, which lie at
/// `offset`. Its length, its place and its leaf stay; one that was redacted before stays as it is.
pub fn redact(frame: &mut [u8], seed: &CrcSeed, offset: Offset) {
    let body_end = HEADER_BYTES + body_bytes(u32_at(frame, PAYLOAD_LEN_AT) as usize);
    let inner = inner_hash(frame);
    frame[SALT_AT..SALT_AT + inner.len()].copy_from_slice(&inner);
    frame[SALT_AT + inner.len()..body_end].fill(GONE);
    frame[FLAGS_AT] = Flags(frame[FLAGS_AT]).with(Flags::REDACTED).0;
    let header_crc = seed.crc(offset, &frame[PAYLOAD_LEN_AT..HEADER_BYTES]);
    frame[HEADER_CRC_AT..PAYLOAD_LEN_AT].copy_from_slice(&header_crc.to_le_bytes());
    let crc_at = frame.len() - END_BYTES + END_CRC_AT;
    let crc = seed.crc(offset, &frame[..crc_at]);
    frame[crc_at..].copy_from_slice(&crc.to_le_bytes());
}
