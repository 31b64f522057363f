//! A file read through a moving window.

use std::io;
use std::ops::Deref;

use super::Bytes;
use crate::storage::{StorageFile, read_full};

const WINDOW_BYTES: usize = 1 << 20;

/// A file read through a moving window of a megabyte, larger only while one commit is.
#[derive(Debug)]
pub struct Window<P> {
    file: P,
    len: u64,
    start: u64,
    buffer: Vec<u8>,
}

impl<P: Deref<Target: StorageFile + Sized>> Window<P> {
    /// A window over a file, borrowed or shared, as long as it is now.
    pub fn new(file: P) -> io::Result<Self> {
        let len = file.len()?;
        Ok(Self { file, len, start: 0, buffer: Vec::new() })
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
            self.buffer.resize(want.max(WINDOW_BYTES).min(available), 0);
            let read = read_full(&*self.file, &mut self.buffer[held..], at + held as u64)?;
            self.buffer.truncate(held + read);
        }
        Ok(&self.buffer[(at - self.start) as usize..])
    }

    fn len(&self) -> u64 {
        self.len
    }
}
