//! Payload ↔ stored bytes: compression where it pays, masking where zeros would lie.

use std::borrow::Cow;
use std::cell::RefCell;

use zstd::bulk::{Compressor, Decompressor};

use super::header::u32_at;
use super::{Flags, FrameHeader};
use crate::limits::{PAYLOAD_BYTES_MAX, ZERO_RUN_BYTES_MAX};

/// Why stored bytes do not give a payload although their CRC holds.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PayloadError {
    #[error("the payload was redacted")]
    Redacted,
    #[error("the compressed payload claims {bytes} bytes; at most {bytes_max} are allowed")]
    TooLarge { bytes: u64, bytes_max: u64 },
    #[error("the compressed payload does not decompress to the {bytes} bytes it claims")]
    NotZstd { bytes: u64 },
}

/// A payload as it will lie in its frame.
#[derive(Debug)]
pub struct StoredPayload<'a> {
    pub bytes: Cow<'a, [u8]>,
    pub flags: Flags,
}

/// Compresses a payload of at least `compress_bytes_min` bytes where that pays, then masks what
/// still holds a long run of zeros: no frame ever contains a whole zero sector, which is how a
/// sector that was never written is told from one that was.
pub fn store_payload<'a>(
    payload: &'a [u8],
    salt: &[u8; 16],
    compress_bytes_min: Option<usize>,
) -> StoredPayload<'a> {
    let mut stored = StoredPayload { bytes: Cow::Borrowed(payload), flags: Flags::default() };
    if compress_bytes_min.is_some_and(|min| payload.len() >= min)
        && let Some(smaller) = compress(payload)
    {
        stored = StoredPayload { bytes: Cow::Owned(smaller), flags: Flags::COMPRESSED };
    }
    if has_zero_run(&stored.bytes) {
        mask(stored.bytes.to_mut(), salt);
        stored.flags = stored.flags.with(Flags::MASKED);
    }
    stored
}

/// The payload that a frame's stored bytes hold.
#[inline]
pub fn open_payload<'a>(
    header: &FrameHeader,
    stored: &'a [u8],
) -> Result<Cow<'a, [u8]>, PayloadError> {
    const ODD: Flags = Flags::REDACTED.with(Flags::MASKED).with(Flags::COMPRESSED);
    match header.flags.0 & ODD.0 {
        0 => Ok(Cow::Borrowed(stored)),
        _ => open_odd(header, stored),
    }
}

fn open_odd<'a>(header: &FrameHeader, stored: &'a [u8]) -> Result<Cow<'a, [u8]>, PayloadError> {
    if header.flags.has(Flags::REDACTED) {
        return Err(PayloadError::Redacted);
    }
    let mut bytes = Cow::Borrowed(stored);
    if header.flags.has(Flags::MASKED) {
        mask(bytes.to_mut(), &header.salt);
    }
    if header.flags.has(Flags::COMPRESSED) {
        bytes = Cow::Owned(decompress(&bytes)?);
    }
    Ok(bytes)
}

const RAW_LEN_BYTES: usize = 4;
const ZSTD_LEVEL: i32 = 3;

fn compress(payload: &[u8]) -> Option<Vec<u8>> {
    let raw_len = u32::try_from(payload.len()).ok()?;
    let mut out = Vec::with_capacity(RAW_LEN_BYTES + payload.len() / 2);
    out.extend_from_slice(&raw_len.to_le_bytes());
    // A payload that zstd cannot take is stored as it is.
    let packed = with_compressor(|zstd| zstd.compress(payload))?.ok()?;
    out.extend_from_slice(&packed);
    let pays = out.len() + payload.len() / 16 < payload.len();
    (pays && payload.len() <= raw_bytes_max(out.len())).then_some(out)
}

fn decompress(stored: &[u8]) -> Result<Vec<u8>, PayloadError> {
    if stored.len() < RAW_LEN_BYTES {
        return Err(PayloadError::NotZstd { bytes: 0 });
    }
    let bytes = u64::from(u32_at(stored, 0));
    let bytes_max = PAYLOAD_BYTES_MAX.min(raw_bytes_max(stored.len()) as u64);
    if bytes > bytes_max {
        return Err(PayloadError::TooLarge { bytes, bytes_max });
    }
    let raw = with_decompressor(|zstd| zstd.decompress(&stored[RAW_LEN_BYTES..], bytes as usize))
        .and_then(Result::ok)
        .ok_or(PayloadError::NotZstd { bytes })?;
    if raw.len() as u64 != bytes {
        return Err(PayloadError::NotZstd { bytes });
    }
    Ok(raw)
}

// A context costs more to make than most payloads to compress: each thread keeps its own.
thread_local! {
    static COMPRESSOR: RefCell<Option<Compressor<'static>>> = const { RefCell::new(None) };
    static DECOMPRESSOR: RefCell<Option<Decompressor<'static>>> = const { RefCell::new(None) };
}

/// `None` where zstd cannot have the memory for a context.
fn with_compressor<T>(work: impl FnOnce(&mut Compressor<'static>) -> T) -> Option<T> {
    COMPRESSOR.with_borrow_mut(|kept| {
        if kept.is_none() {
            *kept = Compressor::new(ZSTD_LEVEL).ok();
        }
        kept.as_mut().map(work)
    })
}

fn with_decompressor<T>(work: impl FnOnce(&mut Decompressor<'static>) -> T) -> Option<T> {
    DECOMPRESSOR.with_borrow_mut(|kept| {
        if kept.is_none() {
            // Out of memory: the payload then counts as one that does not open.
            *kept = Decompressor::new().ok();
        }
        kept.as_mut().map(work)
    })
}

/// The longest payload that so many stored bytes may stand for: a journal of bombs cannot make
/// its reader work for more than this.
fn raw_bytes_max(stored_bytes: usize) -> usize {
    (64 << 10) + 1024 * stored_bytes
}

/// XOR with the salt repeated; its own inverse. Nobody knows the salt before it is drawn, so no
/// payload can be made that masks to zeros.
fn mask(bytes: &mut [u8], salt: &[u8; 16]) {
    for block in bytes.chunks_mut(salt.len()) {
        for (byte, key) in block.iter_mut().zip(salt) {
            *byte ^= key;
        }
    }
}

/// Whether a run of zeros is longer than [`ZERO_RUN_BYTES_MAX`]: looks only at every 240th byte
/// until it meets a zero.
fn has_zero_run(bytes: &[u8]) -> bool {
    const STEP: usize = ZERO_RUN_BYTES_MAX / 2;
    let mut at = STEP;
    while at < bytes.len() {
        if bytes[at] == 0 {
            let before = bytes[..at].iter().rev().take_while(|byte| **byte == 0).count();
            let after = bytes[at..].iter().take_while(|byte| **byte == 0).count();
            if before + after > ZERO_RUN_BYTES_MAX {
                return true;
            }
            at += after;
        }
        at += STEP;
    }
    false
}
