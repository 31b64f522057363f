//! Where the journal ended lately: a hint, believed only where the frame there verifies.

use crate::units::{Chain, JournalId, Mark, Offset, SegmentNumber, Sequence};

const MAGIC: [u8; 8] = *b"ANTAIL\x01\n";

const MAGIC_AT: usize = 0;
const BOOT_AT: usize = MAGIC_AT + 8;
const JOURNAL_AT: usize = BOOT_AT + 16;
const SEGMENT_AT: usize = JOURNAL_AT + 16;
const COMMIT_AT: usize = SEGMENT_AT + 8;
const END_AT: usize = COMMIT_AT + 8;
const MARK_AT: usize = END_AT + 8;
const PROVEN_END_AT: usize = MARK_AT + MARK_BYTES;
const PROVEN_MARK_AT: usize = PROVEN_END_AT + 8;
const TURN_AT: usize = PROVEN_MARK_AT + MARK_BYTES;
const CRC_AT: usize = TailSlot::BYTES - 4;
const MARK_BYTES: usize = 8 + 32;

const _: () = assert!(TURN_AT + 8 <= CRC_AT);

/// Where a segment ended when this was written, and how far it was known to be on disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TailSlot {
    /// Of another boot, only what was proven still says anything.
    pub boot: [u8; 16],
    pub journal: JournalId,
    pub segment: SegmentNumber,
    /// Where the segment's last commit starts: the frame to check.
    pub commit: Offset,
    /// Where it ends.
    pub end: Offset,
    pub mark: Mark,
    /// The first byte after the last commit that a flush covered.
    pub proven_end: Offset,
    /// That commit's mark: a witness that everything up to it was on disk.
    pub proven: Mark,
    /// Counts the writes; [`super::JournalLock::set_slot`] sets it.
    pub turn: u64,
}

impl TailSlot {
    /// Bytes of a slot: well within one sector, so written whole or not at all.
    pub const BYTES: usize = 168;

    /// Reads a slot; `None` where mark or sum does not hold.
    pub fn parse(bytes: &[u8]) -> Option<Self> {
        let bytes: &[u8; Self::BYTES] = bytes.first_chunk()?;
        if bytes[..BOOT_AT] != MAGIC
            || crc32fast::hash(&bytes[..CRC_AT]) != u32::from_le_bytes(array(bytes, CRC_AT))
        {
            return None;
        }
        let u64_at = |at| u64::from_le_bytes(array(bytes, at));
        let mark_at =
            |at| Mark { sequence: Sequence(u64_at(at)), chain: Chain(array(bytes, at + 8)) };
        Some(Self {
            boot: array(bytes, BOOT_AT),
            journal: JournalId(array(bytes, JOURNAL_AT)),
            segment: SegmentNumber(u64_at(SEGMENT_AT)),
            commit: Offset(u64_at(COMMIT_AT)),
            end: Offset(u64_at(END_AT)),
            mark: mark_at(MARK_AT),
            proven_end: Offset(u64_at(PROVEN_END_AT)),
            proven: mark_at(PROVEN_MARK_AT),
            turn: u64_at(TURN_AT),
        })
    }

    pub fn to_bytes(&self) -> [u8; Self::BYTES] {
        let mut bytes = [0; Self::BYTES];
        bytes[..BOOT_AT].copy_from_slice(&MAGIC);
        bytes[BOOT_AT..JOURNAL_AT].copy_from_slice(&self.boot);
        bytes[JOURNAL_AT..SEGMENT_AT].copy_from_slice(&self.journal.0);
        let mut put = |at: usize, value: u64| {
            bytes[at..at + 8].copy_from_slice(&value.to_le_bytes());
        };
        put(SEGMENT_AT, self.segment.0);
        put(COMMIT_AT, self.commit.0);
        put(END_AT, self.end.0);
        put(MARK_AT, self.mark.sequence.0);
        put(PROVEN_END_AT, self.proven_end.0);
        put(PROVEN_MARK_AT, self.proven.sequence.0);
        put(TURN_AT, self.turn);
        bytes[MARK_AT + 8..MARK_AT + MARK_BYTES].copy_from_slice(&self.mark.chain.0);
        bytes[PROVEN_MARK_AT + 8..PROVEN_MARK_AT + MARK_BYTES]
            .copy_from_slice(&self.proven.chain.0);
        let crc = crc32fast::hash(&bytes[..CRC_AT]);
        bytes[CRC_AT..].copy_from_slice(&crc.to_le_bytes());
        bytes
    }
}

fn array<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    let mut array = [0; N];
    array.copy_from_slice(&bytes[at..at + N]);
    array
}
