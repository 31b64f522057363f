//! A segment's nonce, found again from its frames.
//!
//! Of the nonce only its CRC enters a frame's sums: 32 bits. A CRC can be run backward over known
//! bytes, so one header whose own sum is known tells that state, and the sum of the whole frame,
//! which is another, tells whether it is right. Any sixteen bytes with that CRC serve as well.

use std::io;

use crate::frame::{CrcSeed, FrameView, layout};
use crate::limits::HEADER_PAGE_BYTES;
use crate::scan::Bytes;
use crate::units::Offset;

const POLYNOMIAL: u32 = 0xEDB8_8320;
/// How many places that look like a frame are tried.
const TRIES_MAX: usize = 256;
const STRIDE_BYTES: usize = 256 << 10;

/// Sixteen bytes that check this segment's frames as its nonce did; `None` where no frame is
/// whole among the first that look like one.
pub fn find_nonce(bytes: &mut impl Bytes) -> io::Result<Option<[u8; 16]>> {
    let (len, mut tries) = (bytes.len(), 0);
    let mut at = HEADER_PAGE_BYTES;
    while at + layout::FRAME_BYTES_MIN as u64 <= len && tries < TRIES_MAX {
        let stride = bytes.bytes(at, STRIDE_BYTES)?;
        let stride = &stride[..stride.len().min(STRIDE_BYTES)];
        let starts = (0..stride.len().saturating_sub(layout::MARKER.len())).step_by(8);
        let found: Vec<u64> = starts
            .filter(|start| stride[*start..].starts_with(&layout::MARKER))
            .map(|start| at + start as u64)
            .take(TRIES_MAX - tries)
            .collect();
        at += STRIDE_BYTES as u64;
        for offset in found {
            tries += 1;
            if let Some(nonce) = nonce_at(bytes, Offset(offset))? {
                return Ok(Some(nonce));
            }
        }
    }
    Ok(None)
}

fn nonce_at(bytes: &mut impl Bytes, offset: Offset) -> io::Result<Option<[u8; 16]>> {
    let header = bytes.bytes(offset.0, layout::HEADER_BYTES)?;
    let Some(header) = header.first_chunk::<{ layout::HEADER_BYTES }>() else { return Ok(None) };
    let Some(sum) = header[layout::HEADER_CRC_AT..].first_chunk::<4>() else { return Ok(None) };
    let mut register = !u32::from_le_bytes(*sum);
    register = before(register, &header[layout::PAYLOAD_LEN_AT..]);
    register = before(register, &offset.0.to_le_bytes());
    let nonce = sixteen_bytes(register);
    let seed = CrcSeed::new(&nonce);
    let Some(header) = crate::frame::FrameHeader::parse(header, &seed, offset) else {
        return Ok(None);
    };
    let frame = bytes.bytes(offset.0, header.frame_bytes())?;
    Ok(FrameView::parse(frame, &seed, offset).is_ok().then_some(nonce))
}

/// The CRC register before these bytes went through it.
fn before(mut register: u32, bytes: &[u8]) -> u32 {
    for byte in bytes.iter().rev() {
        for _ in 0..8 {
            register = match register & 0x8000_0000 {
                0 => register << 1,
                _ => (register ^ POLYNOMIAL) << 1 | 1,
            };
        }
        register ^= u32::from(*byte);
    }
    register
}

/// Bytes that leave the register as a nonce did: twelve zeros, and the four that make it so.
fn sixteen_bytes(register: u32) -> [u8; 16] {
    let mut nonce = [0; 16];
    let after_zeros = !crc32fast::hash(&nonce[..12]);
    let four = before(register, &[0; 4]) ^ after_zeros;
    nonce[12..].copy_from_slice(&four.to_le_bytes());
    nonce
}
