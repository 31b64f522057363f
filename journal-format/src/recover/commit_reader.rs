//! Whole commits read from a file that others append to.

use std::io;

use super::{CommitParse, WholeCommit};
use crate::frame::{CrcSeed, layout};
use crate::storage::{StorageFile, read_full};
use crate::units::Offset;

/// What stands at a place.
#[derive(Clone, Copy, Debug)]
pub enum Found {
    /// Zeros, or the end of the file.
    Nothing,
    Whole(WholeCommit),
    Bad,
}

/// Whole commits read from a file that others append to: reads afresh at every call, as little
/// as it can.
#[derive(Debug, Default)]
pub struct CommitReader {
    buffer: Vec<u8>,
}

impl CommitReader {
    /// What stands at `at`; `first` bytes are read before it is known how many are needed.
    pub fn read(
        &mut self,
        file: &impl StorageFile,
        seed: &CrcSeed,
        at: Offset,
        first: usize,
    ) -> io::Result<Found> {
        let mut want = first.max(layout::HEADER_BYTES);
        let mut have = 0;
        loop {
            if self.buffer.len() < want {
                self.buffer.resize(want, 0);
            }
            have += read_full(file, &mut self.buffer[have..want], at.0 + have as u64)?;
            // Past the end of the file there are zeros.
            self.buffer[have..want].fill(0);
            if self.buffer[..layout::HEADER_BYTES].iter().all(|byte| *byte == 0) {
                return Ok(Found::Nothing);
            }
            match WholeCommit::parse(&self.buffer[..want], seed, at) {
                CommitParse::Whole(commit) => return Ok(Found::Whole(commit)),
                CommitParse::Bad => return Ok(Found::Bad),
                CommitParse::Need(_) if have < want => return Ok(Found::Bad),
                CommitParse::Need(bytes) => want = bytes.max(want * 2),
            }
        }
    }

    /// The bytes of the commit that was found last.
    pub fn bytes(&mut self, commit: &WholeCommit) -> &mut [u8] {
        &mut self.buffer[..commit.bytes]
    }
}
