//! What an archived segment holds, in lines of text.

use std::fmt::Write;

use crate::bundle::{hex, unhex};
use crate::limits::{ARCHIVE_BLOCK_BYTES, ARCHIVE_BLOCKS_MAX, HEADER_PAGE_BYTES};
use crate::segment::{SegmentHeader, SegmentName};
use crate::tree::Hash;
use crate::units::{Chain, JournalId, Mark, SegmentNumber, Sequence};

const FIRST_LINE: &str = "annals archive 1";
/// Bytes of one copy of a header.
pub(super) const COPY_BYTES: usize = 256;
/// Where the header page's second copy is.
const SECOND_AT: usize = 2048;

/// What an archived segment holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Manifest {
    pub journal: JournalId,
    pub name: SegmentName,
    /// The chain before its first commit.
    pub before: Chain,
    /// The last event up to its end, and the chain there: what the next segment goes on from.
    pub mark: Mark,
    /// Events of the journal up to its end, and the root over them.
    pub size: u64,
    pub root: Hash,
    /// Of the segment as it was.
    pub bytes: u64,
    pub blake3: [u8; 32],
    pub sha256: [u8; 32],
    /// Each copy of its header.
    pub header: [u8; COPY_BYTES],
    /// Pieces of [`ARCHIVE_BLOCK_BYTES`], the last of what is left, each compressed by itself.
    pub blocks: Vec<Block>,
}

/// A piece of an archived segment, as it is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// Compressed.
    pub bytes: u64,
    /// Of the compressed bytes.
    pub blake3: [u8; 32],
}

impl Manifest {
    pub fn to_text(&self) -> String {
        let mut text = format!(
            "{FIRST_LINE}\njournal {}\nsegment {} {}\nbefore {}\nlast {} {}\ntree {} {}\nbytes {}\nblake3 {}\n\
             sha256 {}\nheader {}\n",
            hex(&self.journal.0),
            self.name.number.0,
            self.name.first_sequence.0,
            hex(&self.before.0),
            self.mark.sequence.0,
            hex(&self.mark.chain.0),
            self.size,
            hex(&self.root),
            self.bytes,
            hex(&self.blake3),
            hex(&self.sha256),
            hex(&self.header),
        );
        for block in &self.blocks {
            // Text takes whatever is written.
            let _ = writeln!(text, "block {} {}", block.bytes, hex(&block.blake3));
        }
        text
    }

    /// Reads its lines; `None` where they are not exactly as [`Self::to_text`] writes them, or say what cannot be.
    pub fn parse(text: &str) -> Option<Self> {
        let (mut manifest, rest) = Self::head(text)?;
        for line in rest.lines() {
            let (bytes, hash) = line.strip_prefix("block ")?.split_once(' ')?;
            // Not a number: no manifest.
            manifest.blocks.push(Block { bytes: bytes.parse().ok()?, blake3: unhex(hash)? });
            if manifest.blocks.len() as u64 > ARCHIVE_BLOCKS_MAX {
                return None;
            }
        }
        let count = manifest.bytes.div_ceil(ARCHIVE_BLOCK_BYTES);
        let is_sound = |(number, block): (usize, &Block)| {
            let raw = manifest.raw_bytes(number) as usize;
            block.bytes > 0 && block.bytes <= zstd::zstd_safe::compress_bound(raw) as u64
        };
        (manifest.blocks.len() as u64 == count
            && manifest.blocks.iter().enumerate().all(is_sound)
            && manifest.to_text() == text)
            .then_some(manifest)
    }

    /// Its lines up to the blocks, and those.
    pub(super) fn head(text: &str) -> Option<(Self, &str)> {
        let mut rest = text.strip_prefix(FIRST_LINE)?.strip_prefix('\n')?;
        let mut value = |name: &str| {
            let (line, behind) = rest.split_once('\n')?;
            rest = behind;
            line.strip_prefix(name)?.strip_prefix(' ')
        };
        // Of each number: none, no manifest.
        let journal = JournalId(unhex(value("journal")?)?);
        let (number, first) = value("segment")?.split_once(' ')?;
        let name = SegmentName {
            number: SegmentNumber(number.parse().ok()?),   // as above
            first_sequence: Sequence(first.parse().ok()?), // as above
        };
        let before = Chain(unhex(value("before")?)?);
        let (last, chain) = value("last")?.split_once(' ')?;
        let mark = Mark { sequence: Sequence(last.parse().ok()?), chain: Chain(unhex(chain)?) }; // as above
        let (size, root) = value("tree")?.split_once(' ')?;
        let (size, root) = (size.parse().ok()?, unhex(root)?); // as above
        let bytes = value("bytes")?.parse().ok()?; // as above
        let (blake3, sha256) = (unhex(value("blake3")?)?, unhex(value("sha256")?)?);
        let header = unhex(value("header")?)?;
        let blocks = Vec::new();
        let manifest =
            Self { journal, name, before, mark, size, root, bytes, blake3, sha256, header, blocks };
        manifest.is_of_its_header().then_some((manifest, rest))
    }

    /// Whether the header says what the lines do.
    fn is_of_its_header(&self) -> bool {
        SegmentHeader::parse(&self.header_page()).is_ok_and(|header| {
            header.journal == self.journal
                && header.number == self.name.number
                && header.first_sequence == self.name.first_sequence
                && header.previous.chain == self.before
        })
    }

    pub(super) fn header_page(&self) -> Vec<u8> {
        let mut page = vec![0; HEADER_PAGE_BYTES as usize];
        page[..COPY_BYTES].copy_from_slice(&self.header);
        page[SECOND_AT..SECOND_AT + COPY_BYTES].copy_from_slice(&self.header);
        page
    }

    /// Bytes that a block stands for.
    pub(super) fn raw_bytes(&self, block: usize) -> u64 {
        let start = block as u64 * ARCHIVE_BLOCK_BYTES;
        self.bytes.saturating_sub(start).min(ARCHIVE_BLOCK_BYTES)
    }

    /// Bytes in the archive.
    pub fn stored_bytes(&self) -> u64 {
        self.blocks.iter().map(|block| block.bytes).sum()
    }

    /// The blake3 of its text: what an event vouches for.
    pub fn digest(&self) -> [u8; 32] {
        *blake3::hash(self.to_text().as_bytes()).as_bytes()
    }
}
