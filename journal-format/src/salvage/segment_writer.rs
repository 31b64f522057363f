//! Writing a journal with sequences that are given.

use std::io;
use std::path::{Path, PathBuf};

use super::SalvageError;
use crate::chain;
use crate::entropy::Entropy;
use crate::frame::{CrcSeed, Draft, commit_bytes, encode_commit};
use crate::segment::{Predecessor, SegmentHeader, SegmentName};
use crate::storage::{OpenHow, Storage, StorageFile, write_full};
use crate::units::{JournalId, Mark, Offset, SegmentNumber, Sequence};

const BUFFER_BYTES: usize = 1 << 20;

/// Writes segments one after the other, each durable under its name before the next begins. They
/// end without a ROLL: the successor's header says where.
pub struct SegmentWriter<S: Storage> {
    storage: S,
    folder: PathBuf,
    journal: JournalId,
    segment_bytes_max: u64,
    entropy: Entropy,
    mark: Mark,
    /// Where the segment before ended.
    previous: Option<Offset>,
    open: Option<Open<S::File>>,
    pub segments: u64,
}

struct Open<F> {
    file: F,
    name: SegmentName,
    temporary: PathBuf,
    seed: CrcSeed,
    /// Bytes that are to be written at `written`.
    buffer: Vec<u8>,
    written: u64,
}

impl<F> Open<F> {
    fn end(&self) -> u64 {
        self.written + self.buffer.len() as u64
    }
}

impl<S: Storage> SegmentWriter<S> {
    pub fn new(
        storage: S,
        folder: &Path,
        journal: JournalId,
        segment_bytes_max: u64,
        seed: &[u8; 32],
    ) -> Self {
        Self {
            storage,
            folder: folder.into(),
            journal,
            segment_bytes_max,
            entropy: Entropy::new(seed),
            mark: Mark { sequence: Sequence(0), chain: chain::genesis(journal) },
            previous: None,
            open: None,
            segments: 0,
        }
    }

    /// The end of the last commit.
    pub fn mark(&self) -> Mark {
        self.mark
    }

    /// Writes one commit; its frames' sequences run from `first`, above all before.
    pub fn commit(&mut self, first: Sequence, drafts: &[Draft<'_>]) -> Result<(), SalvageError> {
        let bytes = commit_bytes(drafts) as u64;
        if self.open.as_ref().is_some_and(|open| open.end() + bytes > self.segment_bytes_max) {
            self.finish()?;
        }
        if self.open.is_none() {
            self.begin(first)?;
        }
        let Some(open) = &mut self.open else { return Ok(()) };
        let (offset, durable) = (Offset(open.end()), self.mark.sequence);
        let previous = self.mark.chain;
        let chain =
            encode_commit(drafts, &mut open.buffer, &open.seed, offset, first, durable, previous);
        self.mark = Mark { sequence: Sequence(first.0 + drafts.len() as u64 - 1), chain };
        if open.buffer.len() >= BUFFER_BYTES {
            open.write_out().map_err(failed(&open.temporary, "written"))?;
        }
        Ok(())
    }

    /// Makes the segment at hand durable under its name.
    pub fn finish(&mut self) -> Result<(), SalvageError> {
        let Some(mut open) = self.open.take() else { return Ok(()) };
        let path = self.folder.join(open.name.to_string());
        open.write_out()
            .and_then(|()| open.file.sync_data())
            .and_then(|()| self.storage.rename(&open.temporary, &path))
            .and_then(|()| self.storage.sync_folder(&self.folder))
            .map_err(failed(&path, "made durable"))?;
        self.previous = Some(Offset(open.written));
        Ok(())
    }

    fn begin(&mut self, first: Sequence) -> Result<(), SalvageError> {
        let number = SegmentNumber(self.segments);
        let previous = match self.previous {
            None => {
                let chain = chain::genesis(self.journal);
                Predecessor { sequence: Sequence(0), end: Offset(0), chain }
            }
            Some(end) => Predecessor { sequence: self.mark.sequence, end, chain: self.mark.chain },
        };
        // A first segment of a journal begins with its first event, lost or not.
        let first_sequence = if number.0 == 0 { Sequence(1) } else { first };
        let nonce = self.entropy.take();
        let header =
            SegmentHeader { journal: self.journal, number, first_sequence, nonce, previous };
        let name = SegmentName { number, first_sequence };
        let temporary = self.folder.join(format!("{name}.tmp"));
        let file = self
            .storage
            .open(&temporary, OpenHow::CreateNew)
            .map_err(failed(&temporary, "made"))?;
        let seed = CrcSeed::new(&nonce);
        let buffer = header.to_page();
        self.open = Some(Open { file, name, temporary, seed, buffer, written: 0 });
        self.segments += 1;
        Ok(())
    }
}

impl<F: StorageFile> Open<F> {
    fn write_out(&mut self) -> io::Result<()> {
        write_full(&self.file, &self.buffer, self.written)?;
        self.written += self.buffer.len() as u64;
        self.buffer.clear();
        Ok(())
    }
}

/// Says what was being done to which file.
pub fn failed(path: &Path, did: &'static str) -> impl FnOnce(io::Error) -> SalvageError {
    let path = path.to_path_buf();
    move |source| SalvageError::Write { path, did, source }
}
