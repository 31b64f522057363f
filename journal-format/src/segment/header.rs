//! The header page: two copies of 256 bytes, the second half a page on.

use crate::limits::HEADER_PAGE_BYTES;
use crate::units::{Chain, JournalId, Offset, SegmentNumber, Sequence};

const MAGIC: [u8; 8] = *b"\x89ANNALS\n";
const FORMAT_VERSION: u32 = 1;

const MAGIC_AT: usize = 0;
const VERSION_AT: usize = MAGIC_AT + 8;
const COPY_BYTES_AT: usize = VERSION_AT + 4;
const COMPAT_AT: usize = COPY_BYTES_AT + 4;
const READ_COMPAT_AT: usize = COMPAT_AT + 4;
const INCOMPAT_AT: usize = READ_COMPAT_AT + 4;
const RESERVED_AT: usize = INCOMPAT_AT + 4;
const JOURNAL_AT: usize = RESERVED_AT + 4;
const NUMBER_AT: usize = JOURNAL_AT + 16;
const FIRST_SEQUENCE_AT: usize = NUMBER_AT + 8;
const NONCE_AT: usize = FIRST_SEQUENCE_AT + 8;
const PREVIOUS_SEQUENCE_AT: usize = NONCE_AT + 16;
const PREVIOUS_END_AT: usize = PREVIOUS_SEQUENCE_AT + 8;
const PREVIOUS_CHAIN_AT: usize = PREVIOUS_END_AT + 8;
const ROOM_AT: usize = PREVIOUS_CHAIN_AT + 32;
const CRC_AT: usize = COPY_BYTES - 4;
const COPY_BYTES: usize = 256;
const SECOND_COPY_AT: usize = HEADER_PAGE_BYTES as usize / 2;

const _: () = assert!(ROOM_AT == 128 && ROOM_AT < CRC_AT);

/// Where the segment before this one ended: beyond it, its bytes are void.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Predecessor {
    pub sequence: Sequence,
    /// The first byte after its last proven commit.
    pub end: Offset,
    pub chain: Chain,
}

/// What a segment's header page says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SegmentHeader {
    pub journal: JournalId,
    pub number: SegmentNumber,
    pub first_sequence: Sequence,
    /// Seeds every CRC in the segment.
    pub nonce: [u8; 16],
    pub previous: Predecessor,
}

/// Why no header could be read from a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HeaderFault {
    #[error("it does not begin with the mark of an annals segment")]
    NotASegment,
    #[error("both copies of its header are damaged")]
    Damaged,
    #[error("it was written in format {version}; this build reads up to {FORMAT_VERSION}")]
    NewerVersion { version: u32 },
    #[error("it uses features {flags:#010x} that this build does not know")]
    Incompatible { flags: u32 },
}

impl SegmentHeader {
    /// Reads the page; the second copy where the first does not hold.
    pub fn parse(page: &[u8]) -> Result<Self, HeaderFault> {
        let first = page.get(..COPY_BYTES).map_or(Err(HeaderFault::NotASegment), parse_copy);
        let second = || page.get(SECOND_COPY_AT..SECOND_COPY_AT + COPY_BYTES).map(parse_copy);
        match first {
            Ok(_) | Err(HeaderFault::NewerVersion { .. } | HeaderFault::Incompatible { .. }) => {
                first
            }
            Err(fault) => match second() {
                Some(Err(HeaderFault::NotASegment)) | None => Err(fault),
                Some(other) => other,
            },
        }
    }

    /// Both copies, and zeros between.
    pub fn to_page(&self) -> Vec<u8> {
        let mut page = vec![0; HEADER_PAGE_BYTES as usize];
        self.put(&mut page[..COPY_BYTES]);
        page.copy_within(..COPY_BYTES, SECOND_COPY_AT);
        page
    }

    /// The bytes of the page that are the header's: any other is unused.
    pub fn used_ranges() -> [std::ops::Range<usize>; 2] {
        [0..COPY_BYTES, SECOND_COPY_AT..SECOND_COPY_AT + COPY_BYTES]
    }

    /// Whether a byte of the page holds features that this build need not know.
    pub fn may_differ(at: usize) -> bool {
        let in_copy = at % SECOND_COPY_AT;
        [COMPAT_AT..INCOMPAT_AT, CRC_AT..COPY_BYTES].iter().any(|range| range.contains(&in_copy))
    }

    /// Whether a first segment's header says that nothing comes before it.
    pub fn begins_journal(&self) -> bool {
        let Predecessor { sequence, end, chain } = self.previous;
        // Journals that were salvaged by early builds have a chain of zeros there.
        let chains = [crate::chain::genesis(self.journal), Chain([0; 32])];
        sequence == Sequence(0) && end == Offset(0) && chains.contains(&chain)
    }

    /// Which of the page's two copies hold.
    pub fn copies_sound(page: &[u8]) -> [bool; 2] {
        Self::used_ranges()
            .map(|range| page.get(range).is_some_and(|copy| parse_copy(copy).is_ok()))
    }

    fn put(&self, copy: &mut [u8]) {
        copy[MAGIC_AT..VERSION_AT].copy_from_slice(&MAGIC);
        copy[VERSION_AT..COPY_BYTES_AT].copy_from_slice(&FORMAT_VERSION.to_le_bytes());
        copy[COPY_BYTES_AT..COMPAT_AT].copy_from_slice(&(COPY_BYTES as u32).to_le_bytes());
        copy[JOURNAL_AT..NUMBER_AT].copy_from_slice(&self.journal.0);
        copy[NUMBER_AT..FIRST_SEQUENCE_AT].copy_from_slice(&self.number.0.to_le_bytes());
        copy[FIRST_SEQUENCE_AT..NONCE_AT].copy_from_slice(&self.first_sequence.0.to_le_bytes());
        copy[NONCE_AT..PREVIOUS_SEQUENCE_AT].copy_from_slice(&self.nonce);
        copy[PREVIOUS_SEQUENCE_AT..PREVIOUS_END_AT]
            .copy_from_slice(&self.previous.sequence.0.to_le_bytes());
        copy[PREVIOUS_END_AT..PREVIOUS_CHAIN_AT]
            .copy_from_slice(&self.previous.end.0.to_le_bytes());
        copy[PREVIOUS_CHAIN_AT..ROOM_AT].copy_from_slice(&self.previous.chain.0);
        let crc = crc32fast::hash(&copy[..CRC_AT]);
        copy[CRC_AT..COPY_BYTES].copy_from_slice(&crc.to_le_bytes());
    }
}

fn parse_copy(copy: &[u8]) -> Result<SegmentHeader, HeaderFault> {
    if copy[MAGIC_AT..VERSION_AT] != MAGIC {
        return Err(HeaderFault::NotASegment);
    }
    if crc32fast::hash(&copy[..CRC_AT]) != u32::from_le_bytes(at(copy, CRC_AT)) {
        return Err(HeaderFault::Damaged);
    }
    let version = u32::from_le_bytes(at(copy, VERSION_AT));
    if version != FORMAT_VERSION {
        return Err(HeaderFault::NewerVersion { version });
    }
    let flags = u32::from_le_bytes(at(copy, INCOMPAT_AT));
    if flags != 0 {
        return Err(HeaderFault::Incompatible { flags });
    }
    let u64_at = |offset| u64::from_le_bytes(at(copy, offset));
    Ok(SegmentHeader {
        journal: JournalId(at(copy, JOURNAL_AT)),
        number: SegmentNumber(u64_at(NUMBER_AT)),
        first_sequence: Sequence(u64_at(FIRST_SEQUENCE_AT)),
        nonce: at(copy, NONCE_AT),
        previous: Predecessor {
            sequence: Sequence(u64_at(PREVIOUS_SEQUENCE_AT)),
            end: Offset(u64_at(PREVIOUS_END_AT)),
            chain: Chain(at(copy, PREVIOUS_CHAIN_AT)),
        },
    })
}

fn at<const N: usize>(bytes: &[u8], offset: usize) -> [u8; N] {
    let mut array = [0; N];
    array.copy_from_slice(&bytes[offset..offset + N]);
    array
}
