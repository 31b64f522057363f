//! Frames laid before their place is known, and placed when it is.
//!
//! A commit's sequence, offset and chain are known only under the journal's lock. Threads lay
//! their frames before, each payload copied once; whoever holds the lock places them.

use super::header::u32_at;
use super::layout::*;
use super::{CrcSeed, Draft, Flags, Trailer, kind};
use crate::chain;
use crate::units::{Chain, Offset, Sequence};

/// Appends a frame to `out` with sequence and sums still zero; returns its length.
pub fn lay_frame(draft: &Draft<'_>, out: &mut Vec<u8>) -> usize {
    let stored_bytes = draft.stored.len();
    let frame_bytes = frame_bytes(stored_bytes, false);
    let start = out.len();
    let mut header = [0; HEADER_BYTES];
    header[MARKER_AT..HEADER_CRC_AT].copy_from_slice(&MARKER);
    header[PAYLOAD_LEN_AT..KIND_AT].copy_from_slice(&(stored_bytes as u32).to_le_bytes());
    header[KIND_AT..FLAGS_AT].copy_from_slice(&draft.kind.to_le_bytes());
    header[FLAGS_AT] = draft.flags.without(Flags::FIRST).without(Flags::LAST).0;
    header[VERSION_AT] = draft.version;
    header[TIME_AT..SALT_AT].copy_from_slice(&draft.time_ms.to_le_bytes());
    header[SALT_AT..HEADER_BYTES].copy_from_slice(&draft.salt);
    out.reserve(frame_bytes + TRAILER_BYTES);
    out.extend_from_slice(&header);
    out.extend_from_slice(draft.stored);
    let body_left = body_bytes(stored_bytes) - stored_bytes;
    out.extend_from_slice(&draft.rest[..draft.rest.len().min(body_left)]);
    out.resize(start + frame_bytes, 0);
    frame_bytes
}

/// Makes the frame that begins at `last` and ends where `out` ends its commit's last.
pub fn close_commit(out: &mut Vec<u8>, last: usize) {
    out[last + FLAGS_AT] |= Flags::LAST.0;
    out.resize(out.len() + TRAILER_BYTES, 0);
}

/// Numbers, sums and chains one whole laid commit for its place; returns the chain at its end.
///
/// A commit that was placed before may be placed again elsewhere.
pub fn place_commit(
    commit: &mut [u8],
    seed: &CrcSeed,
    offset: Offset,
    first_sequence: Sequence,
    durable: Sequence,
    previous: Chain,
) -> Chain {
    let commit_bytes = commit.len() as u64;
    let (mut at, mut sequence, mut chain) = (0, first_sequence, previous);
    while at < commit.len() {
        if at == 0 {
            commit[FLAGS_AT] |= Flags::FIRST.0;
        }
        let flags = Flags(commit[at + FLAGS_AT]);
        let payload_bytes = u32_at(commit, at + PAYLOAD_LEN_AT) as usize;
        let kind = u16::from_le_bytes([commit[at + KIND_AT], commit[at + KIND_AT + 1]]);
        let frame_at = Offset(offset.0 + at as u64);
        let frame_end = at + frame_bytes(payload_bytes, flags.has(Flags::LAST));
        commit[at + SEQUENCE_AT..at + TIME_AT].copy_from_slice(&sequence.0.to_le_bytes());
        let header_crc = seed.crc(frame_at, &commit[at + PAYLOAD_LEN_AT..at + HEADER_BYTES]);
        commit[at + HEADER_CRC_AT..at + PAYLOAD_LEN_AT].copy_from_slice(&header_crc.to_le_bytes());
        if flags.has(Flags::LAST) {
            let trailer_at = at + HEADER_BYTES + body_bytes(payload_bytes);
            let chain_at = trailer_at + TRAILER_CHAIN_AT;
            let trailer = Trailer { first_sequence, commit_bytes, durable, chain };
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
        if !kind::is_control(kind) {
            sequence = sequence.next();
        }
    }
    chain
}
