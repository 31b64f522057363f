//! A file read through a moving window.

use std::collections::BTreeSet;
use std::io;
use std::ops::{Deref, Range};
use std::sync::Arc;

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
    /// Shared with whoever goes on with what is in it: then what comes next is read into another.
    buffer: Arc<Vec<u8>>,
    /// How much of the buffer was read.
    held: usize,
    /// Buffers that others may still look into.
    lent: Vec<Arc<Vec<u8>>>,
    /// Blocks that the disk did not give; `None` where that is an error.
    unreadable: Option<BTreeSet<u64>>,
}

impl<P: Deref<Target: StorageFile>> Window<P> {
    /// A window over a file, borrowed or shared, as long as it is now.
    pub fn new(file: P) -> io::Result<Self> {
        let len = file.len()?;
        Ok(Self {
            file,
            len,
            start: 0,
            reach: BRIEF_BYTES,
            reach_max: WINDOW_BYTES,
            buffer: Arc::default(),
            held: 0,
            lent: Vec::new(),
            unreadable: None,
        })
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

    /// A buffer to read into, which begins with these of the bytes at hand.
    fn buffer_with(&mut self, kept: Range<usize>) -> Vec<u8> {
        match Arc::try_unwrap(std::mem::take(&mut self.buffer)) {
            Ok(mut own) => {
                own.copy_within(kept, 0);
                own
            }
            Err(shared) => {
                let free = self.lent.iter().position(|it| Arc::strong_count(it) == 1);
                let free = free.and_then(|at| Arc::into_inner(self.lent.swap_remove(at)));
                let mut next = free.filter(|it| it.len() <= 2 * WINDOW_BYTES).unwrap_or_default();
                lengthen(&mut next, kept.len());
                next[..kept.len()].copy_from_slice(&shared[kept]);
                self.lent.push(shared);
                next
            }
        }
    }

    /// Reads into a buffer of which so much is held; returns how much there was.
    fn fill(&mut self, buffer: &mut [u8], held: usize) -> io::Result<usize> {
        let at = self.start + held as u64;
        let error = match read_full(&*self.file, &mut buffer[held..], at) {
            Ok(read) => return Ok(read),
            Err(error) => error,
        };
        // What an archive does not give is there again once the archive is.
        let forgives = ArchiveFault::of(&error).is_none();
        let Some(unreadable) = self.unreadable.as_mut().filter(|_| forgives) else {
            return Err(error);
        };
        let mut done = held;
        while done < buffer.len() {
            let offset = self.start + done as u64;
            let room = BLOCK_BYTES - offset as usize % BLOCK_BYTES;
            let end = (done + room).min(buffer.len());
            match read_full(&*self.file, &mut buffer[done..end], offset) {
                Ok(read) if read < end - done => return Ok(done + read - held),
                Ok(_) => {}
                Err(_) => {
                    buffer[done..end].fill(UNREADABLE);
                    unreadable.insert(offset / BLOCK_BYTES as u64 * BLOCK_BYTES as u64);
                }
            }
            done = end;
        }
        Ok(done - held)
    }
}

impl<P: Deref<Target: StorageFile>> Bytes for Window<P> {
    fn bytes(&mut self, at: u64, want: usize) -> io::Result<&[u8]> {
        let at = at.min(self.len);
        let available = (self.len - at) as usize;
        let want = want.min(available);
        let held = self.start..self.start + self.held as u64;
        if !held.contains(&at) || at + want as u64 > held.end {
            let kept =
                if held.contains(&at) { (at - held.start) as usize..self.held } else { 0..0 };
            let (held, room) = (kept.len(), want.next_multiple_of(self.reach).min(available));
            let mut buffer = self.buffer_with(kept);
            lengthen(&mut buffer, room);
            self.reach = (self.reach * REACH_GROWTH).min(self.reach_max);
            self.start = at;
            let read = self.fill(&mut buffer[..room], held);
            // What was not read must not be taken for anything later.
            self.held = held + *read.as_ref().unwrap_or(&0);
            self.buffer = Arc::new(buffer);
            read?;
        }
        Ok(&self.buffer[(at - self.start) as usize..self.held])
    }

    fn len(&self) -> u64 {
        self.len
    }

    fn data_from(&self, at: u64) -> u64 {
        self.file.data_from(at)
    }

    fn shared(&self) -> Option<&Arc<Vec<u8>>> {
        Some(&self.buffer)
    }
}

/// Makes room for what is read next. A function of its own, for one type: instantiated where a debug
/// build of another crate reads a journal, filling a buffer byte by byte took most of its time.
#[inline(never)]
fn lengthen(buffer: &mut Vec<u8>, len: usize) {
    match buffer.is_empty() && buffer.capacity() < len {
        // The kernel's zeros: pages that nothing is read into cost nothing.
        true => *buffer = vec![0; len],
        false if buffer.len() < len => buffer.resize(len, 0),
        false => {}
    }
}
