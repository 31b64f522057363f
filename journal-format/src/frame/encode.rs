//! Records → one commit's bytes.

use super::layout::*;
use super::{CrcSeed, Flags, FrameHeader, Trailer};
use crate::chain;
use crate::units::{Chain, Offset, Sequence};

/// A frame before it is placed: everything but sequence, offset and checksums.
#[derive(Clone, Copy, Debug)]
pub struct Draft<'a> {
    pub kind: u16,
    pub version: u8,
    /// COMPRESSED, MASKED, SKIPPABLE as they apply; FIRST and LAST are set when placed.
    pub flags: Flags,
    pub time_ms: u64,
    pub salt: [u8; 16],
    /// The payload as it will be stored.
    pub stored: &'a [u8],
}

/// Bytes of the commit that these drafts make.
pub fn commit_bytes(drafts: &[Draft<'_>]) -> usize {
    let last = drafts.len().saturating_sub(1);
    drafts
        .iter()
        .enumerate()
        .map(|(index, draft)| frame_bytes(draft.stored.len(), index == last))
        .sum()
}

/// Appends one commit to `out`, to be written at `offset`; returns the chain at its end.
///
/// Event frames are numbered from `first_sequence`; control frames all carry it and take none.
pub fn encode_commit(
    drafts: &[Draft<'_>],
    out: &mut Vec<u8>,
    seed: &CrcSeed,
    offset: Offset,
    first_sequence: Sequence,
    durable: Sequence,
    previous: Chain,
) -> Chain {
    let start = out.len();
    let commit_bytes = commit_bytes(drafts);
    out.resize(start + commit_bytes, 0);
    let commit = &mut out[start..];
    let (mut at, mut sequence, mut chain) = (0, first_sequence, previous);
    for (index, draft) in drafts.iter().enumerate() {
        let mut flags = draft.flags.without(Flags::FIRST).without(Flags::LAST);
        if index == 0 {
            flags = flags.with(Flags::FIRST);
        }
        let is_last = index + 1 == drafts.len();
        if is_last {
            flags = flags.with(Flags::LAST);
        }
        let header = FrameHeader {
            payload_bytes: draft.stored.len() as u32,
            kind: draft.kind,
            flags,
            version: draft.version,
            sequence,
            time_ms: draft.time_ms,
            salt: draft.salt,
        };
        let frame_at = Offset(offset.0 + at as u64);
        let frame_end = at + header.frame_bytes();
        header.put(&mut commit[at..], seed, frame_at);
        let payload_at = at + HEADER_BYTES;
        commit[payload_at..payload_at + draft.stored.len()].copy_from_slice(draft.stored);
        if is_last {
            let trailer_at = payload_at + body_bytes(draft.stored.len());
            let chain_at = trailer_at + TRAILER_CHAIN_AT;
            let trailer =
                Trailer { first_sequence, commit_bytes: commit_bytes as u64, durable, chain };
            trailer.put_before_chain(&mut commit[trailer_at..]);
            chain = chain::link(previous, &commit[..chain_at]);
            commit[chain_at..chain_at + 32].copy_from_slice(&chain.0);
        }
        let end_at = frame_end - END_BYTES;
        let frame_len = (frame_end - at) as u32;
        commit[end_at..end_at + END_CRC_AT].copy_from_slice(&frame_len.to_le_bytes());
        let crc = seed.crc(frame_at, &commit[at..end_at + END_CRC_AT]);
        commit[end_at + END_CRC_AT..frame_end].copy_from_slice(&crc.to_le_bytes());
        at = frame_end;
        if !header.is_control() {
            sequence = sequence.next();
        }
    }
    chain
}
