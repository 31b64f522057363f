//! Whole commits read from a file that others append to.

use std::io;

use super::{CommitParse, WholeCommit};
use crate::frame::{CrcSeed, layout};
use crate::storage::StorageFile;
use crate::units::Offset;

/// What stands at a place.
#[derive(Clone, Copy, Debug)]
pub enum Found {
    /// Zeros, or the end of the file.
    Nothing,
    Whole(WholeCommit),
    Bad,
}

/// Whole commits read from a file that others append to, through a window that is good until
/// [`Self::forget`].
#[derive(Debug, Default)]
pub struct CommitReader {
    buffer: Vec<u8>,
    /// Where the buffer's bytes lie, and how many of them were read.
    start: u64,
    have: usize,
    /// The file ended behind them.
    ended: bool,
    /// Where the last commit found begins in the buffer.
    found: usize,
}

impl CommitReader {
    /// Reads afresh from now on: another file, or the same after others may have written.
    pub fn forget(&mut self) {
        self.have = 0;
        self.ended = false;
    }

    /// What stands at `at`; `first` bytes are read before it is known how many are needed.
    pub fn read(
        &mut self,
        file: &impl StorageFile,
        seed: &CrcSeed,
        at: Offset,
        first: usize,
    ) -> io::Result<Found> {
        let mut want = layout::HEADER_BYTES;
        let mut first = first;
        loop {
            let held = self.hold(file, at, want, first)?;
            let bytes = &self.buffer[self.found..self.found + held];
            let is_zero = |bytes: &[u8]| bytes.iter().all(|byte| *byte == 0);
            if bytes.len() < layout::HEADER_BYTES {
                return Ok(if is_zero(bytes) { Found::Nothing } else { Found::Bad });
            }
            if is_zero(&bytes[..layout::HEADER_BYTES]) {
                return Ok(Found::Nothing);
            }
            match WholeCommit::parse(bytes, seed, at) {
                CommitParse::Whole(commit) => return Ok(Found::Whole(commit)),
                CommitParse::Bad => return Ok(Found::Bad),
                // The file ends within it.
                CommitParse::Need(_) if held < want => return Ok(Found::Bad),
                CommitParse::Need(bytes) => (want, first) = (bytes, (bytes * 2).max(first)),
            }
        }
    }

    /// The bytes of the commit that was found last.
    pub fn bytes(&mut self, commit: &WholeCommit) -> &mut [u8] {
        &mut self.buffer[self.found..self.found + commit.bytes]
    }

    /// Holds at least `want` bytes from `at` on where the file has them, reading `first` at once
    /// where it reads; answers how many it holds.
    fn hold(
        &mut self,
        file: &impl StorageFile,
        at: Offset,
        want: usize,
        first: usize,
    ) -> io::Result<usize> {
        let end = self.start + self.have as u64;
        let covered = at.0 + want as u64 <= end || self.ended && at.0 <= end;
        if at.0 < self.start || !covered {
            let first = first.max(want);
            if self.buffer.len() < first {
                self.buffer.resize(first, 0);
            }
            (self.start, self.have) = (at.0, 0);
            // A read that gives less than asked has met the end of the file, and asking again
            // would only say so; where that was an interruption, too little makes it ask.
            while self.have < want {
                let part = &mut self.buffer[self.have..first];
                match file.read_at(part, at.0 + self.have as u64) {
                    Ok(0) => break,
                    Ok(count) => self.have += count,
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    Err(error) => return Err(error),
                }
            }
            self.ended = self.have < first;
        }
        self.found = (at.0 - self.start) as usize;
        Ok(self.have - self.found)
    }
}
