//! The segment that is written, and its zero-filled space.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::OpenError;
use crate::frame::{CrcSeed, layout};
use crate::limits::{HEADER_PAGE_BYTES, SPACE_STEP_BYTES_MAX, SPACE_STEP_BYTES_MIN};
use crate::segment::{SegmentHeader, SegmentName};
use crate::storage::{OpenHow, Storage, StorageFile, read_full, write_full};
use crate::units::SegmentNumber;

/// The disk begins with so much at a time. With less it is in the way of the writes that come.
const BEGIN_BYTES: u64 = 16 << 20;
/// Where the segment is about to end: its flush waits for what is not begun with.
const BEGIN_BYTES_LAST: u64 = 4 << 20;
const PAGE_BYTES: u64 = 4096;

/// The segment that is written.
pub(super) struct Active<F> {
    pub header: SegmentHeader,
    pub file: Arc<F>,
    pub seed: CrcSeed,
    /// Bytes up to here are allocated and were flushed as zeros before they were used.
    filled: u64,
    step: u64,
    /// The disk has begun with what was written up to here.
    begun: u64,
}

/// Why space could not be made.
pub(super) enum SpaceError {
    Write(io::Error),
    /// The flush failed: what it said is not news, the segment is fenced.
    Sync,
}

impl<F: StorageFile> Active<F> {
    pub fn new(header: SegmentHeader, file: Arc<F>, filled: u64) -> Self {
        let seed = CrcSeed::new(&header.nonce);
        let (step, begun) = (SPACE_STEP_BYTES_MIN, HEADER_PAGE_BYTES);
        Self { header, file, seed, filled, step, begun }
    }

    pub fn number(&self) -> SegmentNumber {
        self.header.number
    }

    /// Opens a segment and reads its header.
    pub fn open<S: Storage<File = F>>(
        storage: &S,
        folder: &Path,
        name: SegmentName,
    ) -> Result<Self, OpenError> {
        let path = folder.join(name.to_string());
        let file = storage.open(&path, OpenHow::ReadWrite).map_err(OpenError::io("open", &path))?;
        let mut page = vec![0; HEADER_PAGE_BYTES as usize];
        let read = read_full(&file, &mut page, 0).map_err(OpenError::io("read", &path))?;
        let header = SegmentHeader::parse(&page[..read])
            .map_err(|fault| OpenError::Header { path: path.clone(), fault })?;
        if header.number != name.number || header.first_sequence != name.first_sequence {
            return Err(OpenError::Misnamed { path });
        }
        let filled = file.len().map_err(OpenError::io("measure", &path))?;
        Ok(Self::new(header, Arc::new(file), filled))
    }

    /// Fills ahead with zeros and flushes them, in steps, until `needed` bytes are there: a flush
    /// into space that is allocated already takes 0.6 of the time of one that grows the file.
    pub fn reserve(&mut self, needed: u64) -> Result<(), SpaceError> {
        if needed <= self.filled {
            return Ok(());
        }
        // Another process may have filled since.
        self.filled = self.filled.max(self.file.len().map_err(SpaceError::Write)?);
        if needed <= self.filled {
            return Ok(());
        }
        let target = (self.filled + self.step).max(needed).next_multiple_of(SPACE_STEP_BYTES_MIN);
        zero(&*self.file, self.filled, target).map_err(SpaceError::Write)?;
        self.file.sync_data().map_err(|_| SpaceError::Sync)?;
        self.filled = target;
        self.step = (self.step * 2).min(SPACE_STEP_BYTES_MAX);
        Ok(())
    }

    /// Has the disk begin with what nobody has flushed up to `end`, a stretch at a time: the flush at
    /// the segment's end, where `room` is left for commits no more, would have to wait for all of it.
    pub fn begin_sync(&mut self, end: u64, proven: u64, room: u64) {
        // A page that is still written to would have to wait for the disk.
        let (from, to) = (self.begun.max(proven), end / PAGE_BYTES * PAGE_BYTES);
        let least = if room < BEGIN_BYTES { BEGIN_BYTES_LAST } else { BEGIN_BYTES };
        if to >= from + least {
            self.file.begin_sync(from, to);
            self.begun = to;
        }
    }
}

/// Takes back a commit that failed to be written, so that whatever part of this is done leaves a
/// torn tail and nothing worse: without its last word the first frame is unwritten.
pub(super) fn erase_commit(
    file: &impl StorageFile,
    from: u64,
    first_frame_bytes: u64,
    to: u64,
) -> io::Result<()> {
    let frame_end = to.min(from + first_frame_bytes);
    zero(file, frame_end - frame_end.min(layout::END_BYTES as u64), frame_end)?;
    erase(file, from, to)
}

/// Makes what failed to be a commit zeros again, its first bytes last: as long as anything of it
/// stands, whoever looks at its beginning sees that.
pub(super) fn erase(file: &impl StorageFile, from: u64, to: u64) -> io::Result<()> {
    let begun = to.min(from + layout::HEADER_BYTES as u64);
    zero(file, begun, to)?;
    zero(file, from, begun)
}

/// Overwrites a range with zeros.
pub(super) fn zero(file: &impl StorageFile, from: u64, to: u64) -> io::Result<()> {
    static ZEROS: [u8; 64 << 10] = [0; 64 << 10];
    let mut at = from;
    while at < to {
        let count = (to - at).min(ZEROS.len() as u64);
        write_full(file, &ZEROS[..count as usize], at)?;
        at += count;
    }
    Ok(())
}

/// The segments in a folder, in order.
pub(super) fn segments<S: Storage>(storage: &S, folder: &Path) -> io::Result<Vec<SegmentName>> {
    let mut names: Vec<SegmentName> =
        storage.list(folder)?.iter().filter_map(|name| SegmentName::parse(name)).collect();
    names.sort();
    Ok(names)
}

/// Where a segment is made before it gets its name.
pub(super) fn temporary(folder: &Path, name: SegmentName) -> PathBuf {
    folder.join(format!("{name}.tmp"))
}
