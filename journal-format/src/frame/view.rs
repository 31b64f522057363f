//! A frame in place: header, stored payload, trailer, all checked.

use super::layout::*;
use super::{CrcSeed, FrameHeader, Trailer};
use crate::units::Offset;

/// A frame in place, whose every check held.
#[derive(Clone, Copy, Debug)]
pub struct FrameView<'a> {
    pub header: FrameHeader,
    pub offset: Offset,
    /// The payload as stored: [`super::open_payload`] gives what was recorded.
    pub stored: &'a [u8],
    /// Present in a commit's last frame.
    pub trailer: Option<Trailer>,
}

/// What is wrong where a frame should start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrameFault {
    /// No header here: marker, CRC or a limit does not hold.
    Header,
    /// The header holds, but the frame's CRC, padding or end word does not.
    Frame { header: FrameHeader },
    /// The header holds, but the file ends inside the frame.
    Short { header: FrameHeader },
}

impl<'a> FrameView<'a> {
    /// Reads the frame that starts at the beginning of `bytes`, which lies at `offset`.
    pub fn parse(bytes: &'a [u8], seed: &CrcSeed, offset: Offset) -> Result<Self, FrameFault> {
        let header = FrameHeader::parse(bytes, seed, offset).ok_or(FrameFault::Header)?;
        Self::with_header(header, bytes, seed, offset)
    }

    /// As [`Self::parse`], where the header was read before.
    pub fn with_header(
        header: FrameHeader,
        bytes: &'a [u8],
        seed: &CrcSeed,
        offset: Offset,
    ) -> Result<Self, FrameFault> {
        let frame_bytes = header.frame_bytes();
        let Some(frame) = bytes.get(..frame_bytes) else {
            return Err(FrameFault::Short { header });
        };
        let end = frame_bytes - END_BYTES;
        let crc_at = end + END_CRC_AT;
        let sound = u32_of(frame, end + END_FRAME_BYTES_AT) as usize == frame_bytes
            && u32_of(frame, crc_at) == seed.crc(offset, &frame[..crc_at]);
        if !sound {
            return Err(FrameFault::Frame { header });
        }
        let payload_end = HEADER_BYTES + header.payload_bytes as usize;
        let trailer_at = HEADER_BYTES + body_bytes(header.payload_bytes as usize);
        Ok(Self {
            header,
            offset,
            stored: &frame[HEADER_BYTES..payload_end],
            trailer: header.is_last().then(|| Trailer::parse(&frame[trailer_at..])),
        })
    }

    /// Bytes of the whole frame.
    pub fn frame_bytes(&self) -> usize {
        self.header.frame_bytes()
    }
}

fn u32_of(bytes: &[u8], at: usize) -> u32 {
    super::header::u32_at(bytes, at)
}
