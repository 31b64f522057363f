//! A frame's header: trusted only after its own CRC.

use super::layout::*;
use super::{CrcSeed, Flags, kind};
use crate::limits::PAYLOAD_BYTES_MAX;
use crate::units::{Offset, Sequence};

/// A frame's header whose CRC and limits held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameHeader {
    /// Stored bytes of the payload, after compression.
    pub payload_bytes: u32,
    pub kind: u16,
    pub flags: Flags,
    /// The kind's schema number.
    pub version: u8,
    /// The event's own; for a control frame, that of the next event.
    pub sequence: Sequence,
    /// When it was recorded, Unix milliseconds.
    pub time_ms: u64,
    pub salt: [u8; 16],
}

impl FrameHeader {
    /// Reads the header at `offset`; `None` where marker, CRC or a limit does not hold.
    pub fn parse(bytes: &[u8], seed: &CrcSeed, offset: Offset) -> Option<Self> {
        let bytes = bytes.get(..HEADER_BYTES)?;
        if bytes[..HEADER_CRC_AT] != MARKER {
            return None;
        }
        if seed.crc(offset, &bytes[PAYLOAD_LEN_AT..]) != u32_at(bytes, HEADER_CRC_AT) {
            return None;
        }
        let header = Self {
            payload_bytes: u32_at(bytes, PAYLOAD_LEN_AT),
            kind: u16::from_le_bytes([bytes[KIND_AT], bytes[KIND_AT + 1]]),
            flags: Flags(bytes[FLAGS_AT]),
            version: bytes[VERSION_AT],
            sequence: Sequence(u64_at(bytes, SEQUENCE_AT)),
            time_ms: u64_at(bytes, TIME_AT),
            salt: array_at(bytes, SALT_AT),
        };
        let sound = u64::from(header.payload_bytes) <= PAYLOAD_BYTES_MAX;
        (sound && header.flags.is_known()).then_some(header)
    }

    /// Writes the header for a frame at `offset`.
    pub fn put(&self, out: &mut [u8], seed: &CrcSeed, offset: Offset) {
        out[MARKER_AT..HEADER_CRC_AT].copy_from_slice(&MARKER);
        out[PAYLOAD_LEN_AT..KIND_AT].copy_from_slice(&self.payload_bytes.to_le_bytes());
        out[KIND_AT..FLAGS_AT].copy_from_slice(&self.kind.to_le_bytes());
        out[FLAGS_AT] = self.flags.0;
        out[VERSION_AT] = self.version;
        out[SEQUENCE_AT..TIME_AT].copy_from_slice(&self.sequence.0.to_le_bytes());
        out[TIME_AT..SALT_AT].copy_from_slice(&self.time_ms.to_le_bytes());
        out[SALT_AT..HEADER_BYTES].copy_from_slice(&self.salt);
        let crc = seed.crc(offset, &out[PAYLOAD_LEN_AT..HEADER_BYTES]);
        out[HEADER_CRC_AT..PAYLOAD_LEN_AT].copy_from_slice(&crc.to_le_bytes());
    }

    /// Bytes of the whole frame.
    pub fn frame_bytes(&self) -> usize {
        frame_bytes(self.payload_bytes as usize, self.is_last())
    }

    pub fn is_first(&self) -> bool {
        self.flags.has(Flags::FIRST)
    }

    pub fn is_last(&self) -> bool {
        self.flags.has(Flags::LAST)
    }

    /// Whether the frame is the format's own and takes no sequence.
    pub fn is_control(&self) -> bool {
        kind::is_control(self.kind)
    }
}

pub(super) fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}

pub(super) fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(array_at(bytes, at))
}

pub(super) fn array_at<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    let mut array = [0; N];
    array.copy_from_slice(&bytes[at..at + N]);
    array
}
