//! A segment in the making: under a temporary name until it is whole and flushed.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::Durability;
use super::active::{self, Active, zero};
use super::tail::Tail;
use crate::frame::{CrcSeed, place_commit};
use crate::limits::{HEADER_PAGE_BYTES, SPACE_STEP_BYTES_MIN};
use crate::recover::{CommitEnd, WholeCommit, quarantine};
use crate::segment::{Predecessor, SegmentHeader, SegmentName};
use crate::storage::{Storage, StorageFile, write_full};
use crate::units::{JournalId, Offset, SegmentNumber, Sequence};

/// A segment in the making.
pub(super) struct Successor<F> {
    pub header: SegmentHeader,
    seed: CrcSeed,
    pub file: Arc<F>,
    temporary: PathBuf,
    path: PathBuf,
    /// Where its last commit starts and ends.
    commit: Offset,
    end: CommitEnd,
}

impl<F: StorageFile> Successor<F> {
    /// Begins the segment after `bound`: its header and nothing else.
    pub fn begin<S: Storage<File = F>>(
        storage: &S,
        folder: &Path,
        journal: JournalId,
        number: SegmentNumber,
        bound: CommitEnd,
        random: [u8; 16],
    ) -> io::Result<Self> {
        let first_sequence = bound.mark.sequence.next();
        let header = SegmentHeader {
            journal,
            number,
            first_sequence,
            nonce: nonce(random, number, &bound),
            previous: Predecessor {
                sequence: bound.mark.sequence,
                end: bound.offset,
                chain: bound.mark.chain,
            },
        };
        let name = SegmentName { number, first_sequence };
        let temporary = active::temporary(folder, name);
        let file = Arc::new(quarantine::create_afresh(storage, &temporary)?);
        write_full(&*file, &header.to_page(), 0)?;
        let offset = Offset(HEADER_PAGE_BYTES);
        Ok(Self {
            seed: CrcSeed::new(&header.nonce),
            header,
            file,
            temporary,
            path: folder.join(name.to_string()),
            commit: offset,
            end: CommitEnd { offset, mark: bound.mark },
        })
    }

    /// Takes over a commit of the fenced segment: same sequences, new place.
    pub fn take_over(&mut self, bytes: &mut [u8], commit: &WholeCommit) -> io::Result<()> {
        let durable = commit.durable;
        let (at, chain) = (self.end.offset, self.end.mark.chain);
        let chain = place_commit(bytes, &self.seed, at, commit.first, durable, chain);
        write_full(&*self.file, bytes, at.0)?;
        self.commit = at;
        self.end.offset = Offset(at.0 + bytes.len() as u64);
        self.end.mark.sequence = commit.mark.sequence;
        self.end.mark.chain = chain;
        Ok(())
    }

    /// Flushes the segment, then gives it its name, durably.
    pub fn finish<S: Storage<File = F>>(
        self,
        storage: &S,
        folder: &Path,
        durability: Durability,
    ) -> io::Result<(Active<F>, CommitEnd, Offset)> {
        let end = self.end.offset.0;
        let filled = match durability {
            Durability::Buffered => end,
            _ => (end + SPACE_STEP_BYTES_MIN).next_multiple_of(SPACE_STEP_BYTES_MIN),
        };
        zero(&*self.file, end, filled)?;
        self.file.sync_data()?;
        storage.rename(&self.temporary, &self.path)?;
        storage.sync_folder(folder)?;
        Ok((Active::new(self.header, self.file, filled), self.end, self.commit))
    }
}

impl<S: Storage> Tail<S> {
    /// Begins the segment after this one.
    pub(super) fn begin_successor(&mut self, bound: CommitEnd) -> io::Result<Successor<S::File>> {
        let number = SegmentNumber(self.active.number().0 + 1);
        let journal = self.active.header.journal;
        let random = self.entropy.take();
        Successor::begin(&self.storage, &self.folder, journal, number, bound, random)
    }

    /// Makes a finished successor the active segment: everything in it is proven.
    pub(super) fn adopt(&mut self, successor: Successor<S::File>) -> io::Result<()> {
        // Before it has its name, and anyone else can know of it.
        self.hold(&successor.file).map_err(io::Error::other)?;
        let durability = self.options.durability;
        let (active, end, commit) = successor.finish(&self.storage, &self.folder, durability)?;
        self.active = active;
        self.end = end.offset;
        self.commit = commit;
        self.mark = end.mark;
        self.next = self.next.max(Sequence(end.mark.sequence.0 + 1));
        self.proven = end;
        self.ends.clear();
        self.suspect = None;
        self.reader.forget();
        // Whoever cannot read it there lists the folder instead.
        let _ = self.lock.set_active(self.active.number());
        self.write_slot();
        Ok(())
    }
}

/// Never the same twice, even where a simulation opens many writers with one seed.
fn nonce(random: [u8; 16], number: SegmentNumber, bound: &CommitEnd) -> [u8; 16] {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&random).update(&number.0.to_le_bytes()).update(&bound.offset.0.to_le_bytes());
    hasher.update(&bound.mark.chain.0);
    let mut nonce = [0; 16];
    nonce.copy_from_slice(&hasher.finalize().as_bytes()[..16]);
    nonce
}
