//! Records → one commit's bytes.

use super::layout::frame_bytes;
use super::{CrcSeed, Flags, close_commit, lay_frame, place_commit};
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
    /// What the body holds behind the payload: nothing, for zeros, but in a frame that was redacted before.
    pub rest: &'a [u8],
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
    let mut last = start;
    for draft in drafts {
        last = out.len();
        lay_frame(draft, out);
    }
    close_commit(out, last);
    place_commit(&mut out[start..], seed, offset, first_sequence, durable, previous)
}
