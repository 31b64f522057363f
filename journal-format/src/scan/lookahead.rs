//! One look over the rest of a segment, once something in it does not hold.

use std::io;

use super::Bytes;
use crate::frame::{CrcSeed, FrameHeader, FrameView, layout};
use crate::units::{Offset, Sequence};

const STRIDE_BYTES: usize = 256 << 10;

/// What stands behind the first bad extent. Made once a scan, so that no pattern of damage makes
/// a scan quadratic.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lookahead {
    /// The last offset at which a commit's first frame stands whole.
    pub last_commit_at: Option<Offset>,
    /// The highest `durable` that a sound trailer carries.
    pub durable: Sequence,
    /// The highest sequence that a sound header carries.
    pub sequence: Sequence,
    /// The first byte of the zeros that end the segment, rounded up to a multiple of eight.
    pub zeros_from: Offset,
}

impl Lookahead {
    pub fn new(
        bytes: &mut impl Bytes,
        seed: &CrcSeed,
        from: Offset,
        end: Offset,
    ) -> io::Result<Self> {
        let mut seen = Self { zeros_from: zeros_from(bytes, from, end)?, ..Self::default() };
        let mut at = from;
        // Forged headers may claim long frames that overlap: no more is summed than this.
        let mut budget = 4 * (seen.zeros_from.0 - from.0);
        while let Some((offset, header)) = next_header(bytes, seed, at, seen.zeros_from)? {
            at = Offset(offset.0 + 8);
            if !header.is_control() {
                seen.sequence = seen.sequence.max(header.sequence);
            }
            let frame_bytes = header.frame_bytes() as u64;
            if frame_bytes > budget {
                continue;
            }
            budget -= frame_bytes;
            let frame = bytes.bytes(offset.0, header.frame_bytes())?;
            if let Ok(frame) = FrameView::parse(frame, seed, offset) {
                at = Offset(offset.0 + frame.frame_bytes() as u64);
                if header.is_first() {
                    seen.last_commit_at = Some(offset);
                }
                if let Some(trailer) = frame.trailer {
                    seen.durable = seen.durable.max(trailer.durable);
                }
            }
        }
        Ok(seen)
    }
}

/// The next offset, `from` included, at which a sound header stands.
pub fn next_header(
    bytes: &mut impl Bytes,
    seed: &CrcSeed,
    from: Offset,
    end: Offset,
) -> io::Result<Option<(Offset, FrameHeader)>> {
    let mut at = from.0.next_multiple_of(8);
    while at + layout::HEADER_BYTES as u64 <= end.0 {
        let stride = bytes.bytes(at, STRIDE_BYTES)?;
        let stride = &stride[..stride.len().min(STRIDE_BYTES).min((end.0 - at) as usize)];
        if stride.len() < layout::HEADER_BYTES {
            return Ok(None);
        }
        let starts = stride.len() - layout::HEADER_BYTES;
        for start in (0..=starts).step_by(8) {
            if stride[start..start + 4] == layout::MARKER {
                let offset = Offset(at + start as u64);
                if let Some(header) = FrameHeader::parse(&stride[start..], seed, offset) {
                    return Ok(Some((offset, header)));
                }
            }
        }
        at += (starts as u64 / 8 + 1) * 8;
        if last_written(stride).is_none() {
            // No header begins in a hole.
            at = at.max(bytes.data_from(at) / 8 * 8);
        }
    }
    Ok(None)
}

/// Where the zeros that end `from..end` begin, rounded up to a multiple of eight.
fn zeros_from(bytes: &mut impl Bytes, from: Offset, end: Offset) -> io::Result<Offset> {
    let (mut at, mut zeros) = (from.0, from.0);
    while at < end.0 {
        let stride = bytes.bytes(at, STRIDE_BYTES)?;
        let stride = &stride[..stride.len().min(STRIDE_BYTES).min((end.0 - at) as usize)];
        if stride.is_empty() {
            break;
        }
        let next = at + stride.len() as u64;
        at = match last_written(stride) {
            Some(last) => {
                zeros = (at + last as u64 + 1).next_multiple_of(8);
                next
            }
            None => next.max(bytes.data_from(next)),
        };
    }
    Ok(Offset(zeros.min(end.0.max(from.0))))
}

/// The last byte that is not zero. A block at a time: prepared space is megabytes of zeros.
fn last_written(bytes: &[u8]) -> Option<usize> {
    const BLOCK_BYTES: usize = 4096;
    let mut end = bytes.len();
    for block in bytes.rchunks(BLOCK_BYTES) {
        let start = end - block.len();
        if block.iter().fold(0, |all, byte| all | byte) != 0 {
            return block.iter().rposition(|byte| *byte != 0).map(|at| start + at);
        }
        end = start;
    }
    None
}
