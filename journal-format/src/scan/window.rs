//! A file read through a moving window.

use std::collections::BTreeSet;
use std::io;
use std::ops::Deref;

use super::Bytes;
use crate::archive::ArchiveFault;
use crate::storage::{StorageFile, read_full};

/// Small enough to stay warm between the passes over it: a verification takes 0.9 of the time that it takes over
/// a map whose pages are populated (measured).
const WINDOW_BYTES: usize = 256 << 10;
const BRIEF_BYTES: usize = 32 << 10;
const REACH_GROWTH: usize = 4;
/// What a disk gives or does not give as a whole.
const BLOCK_BYTES: usize = 4096;
/// Stands for bytes that the disk does not give: no zeros, so that it is damage and no torn tail.
const UNREADABLE: u8 = 0xEE;

/// A file read through a moving window that grows, larger than 256 KiB only while one commit is.
#[derive(Debug)]
pub struct Window<P> {
    file: P,
    len: u64,
    start: u64,
    /// How much is read next, at least: more each time, since most look at an end alone.
    reach: usize,
    reach_max: usize,
    buffer: Vec<u8>,
    /// Blocks that the disk did not give; `None` where that is an error.
    unreadable: Option<BTreeSet<u64>>,
}

impl<P: Deref<Target: StorageFile + Sized>> Window<P> {
    /// A window over a file, borrowed or shared, as long as it is now.
    pub fn new(file: P) -> io::Result<Self> {
        let len = file.len()?;
        let (start, reach, reach_max, buffer) = (0, BRIEF_BYTES, WINDOW_BYTES, Vec::new());
        Ok(Self { file, len, start, reach, reach_max, buffer, unreadable: None })
    }

    /// Reads little at a time.
    #[must_use]
    pub fn brief(self) -> Self {
        Self { reach_max: BRIEF_BYTES, ..self }
    }

    /// Takes blocks that the disk does not give for damage, and reads on behind them.
    #[must_use]
    pub fn forgiving(self) -> Self {
        Self { unreadable: Some(BTreeSet::new()), ..self }
    }

    /// Offsets of blocks that the disk did not give.
    pub fn unreadable(&self) -> impl Iterator<Item = u64> {
        self.unreadable.iter().flatten().copied()
    }

    /// Fills the buffer from `held` on; returns how much there was.
    fn fill(&mut self, held: usize) -> io::Result<usize> {
        let at = self.start + held as u64;
        let error = match read_full(&*self.file, &mut self.buffer[held..], at) {
            Ok(read) => return Ok(read),
            Err(error) => error,
        };
        // What an archive does not give is there again once the archive is.
        let forgives = ArchiveFault::of(&error).is_none();
        let Some(unreadable) = self.unreadable.as_mut().filter(|_| forgives) else {
            return Err(error);
        };
        let mut done = held;
        while done < self.buffer.len() {
            let offset = self.start + done as u64;
            let room = BLOCK_BYTES - offset as usize % BLOCK_BYTES;
            let end = (done + room).min(self.buffer.len());
            match read_full(&*self.file, &mut self.buffer[done..end], offset) {
                Ok(read) if read < end - done => return Ok(done + read - held),
                Ok(_) => {}
                Err(_) => {
                    self.buffer[done..end].fill(UNREADABLE);
                    unreadable.insert(offset / BLOCK_BYTES as u64 * BLOCK_BYTES as u64);
                }
            }
            done = end;
        }
        Ok(done - held)
    }
}

impl<P: Deref<Target: StorageFile + Sized>> Bytes for Window<P> {
    fn bytes(&mut self, at: u64, want: usize) -> io::Result<&[u8]> {
        let at = at.min(self.len);
        let available = (self.len - at) as usize;
        let want = want.min(available);
        let held = self.start..self.start + self.buffer.len() as u64;
        if !held.contains(&at) || at + want as u64 > held.end {
            let keep =
                if held.contains(&at) { (at - held.start) as usize } else { self.buffer.len() };
            self.buffer.drain(..keep);
            self.start = at;
            let held = self.buffer.len();
            lengthen(&mut self.buffer, want.next_multiple_of(self.reach).min(available));
            self.reach = (self.reach * REACH_GROWTH).min(self.reach_max);
            let read = self.fill(held);
            // What was not read must not be taken for zeros later.
            self.buffer.truncate(held + *read.as_ref().unwrap_or(&0));
            read?;
        }
        Ok(&self.buffer[(at - self.start) as usize..])
    }

    fn len(&self) -> u64 {
        self.len
    }
}

/// Makes room for what is read next. A function of its own, for one type: instantiated where a debug
/// build of another crate reads a journal, filling a buffer byte by byte took most of its time.
#[inline(never)]
fn lengthen(buffer: &mut Vec<u8>, len: usize) {
    match buffer.is_empty() && buffer.capacity() < len {
        // The kernel's zeros: pages that nothing is read into cost nothing.
        true => *buffer = vec![0; len],
        false => buffer.resize(len, 0),
    }
}
