//! Ending a segment that is full.
//!
//! ROLL at the valid end → flush the old → new file under a temporary name → flush → rename →
//! flush the folder → append. Without the mark, a writer that had not yet seen the new segment
//! would go on in the old one.

use std::io;

use super::AppendError;
use super::batch::Batch;
use super::seal::Seal;
use super::tail::Tail;
use crate::frame::{Draft, Flags, encode_commit, kind, layout};
use crate::recover::CommitEnd;
use crate::storage::{Storage, StorageFile, write_full};
use crate::units::SegmentNumber;

impl<S: Storage> Tail<S> {
    /// Ends this segment and begins the next; only under the lock.
    pub(super) fn roll(&mut self, batch: &mut Batch) -> Result<(), AppendError> {
        if let Err(error) = self.write_roll_mark() {
            return Err(self.take_back(batch, ROLL_BYTES, self.end.0 + ROLL_BYTES, error));
        }
        self.finish_roll(Some(batch))
    }

    /// Begins the segment after one whose ROLL is written.
    pub(super) fn finish_roll(&mut self, batch: Option<&mut Batch>) -> Result<(), AppendError> {
        // From here on others look for the next segment, and find that it has to be made.
        let number = SegmentNumber(self.active.number().0 + 1);
        self.lock.set_active(number).map_err(|error| self.not_recorded(error))?;
        self.rewrite_suspect(true)?;
        if self.active.file.sync_data().is_err() {
            return self.fence_held(batch);
        }
        let bound = CommitEnd { offset: self.end, mark: self.mark };
        self.prove_to(bound);
        let made = self.begin_successor(bound).and_then(|successor| self.adopt(successor));
        // Where it could not be made, the ROLL stands and the next append tries again.
        made.map_err(|error| self.not_recorded(error))
    }

    /// Ends this segment with a word that vouches for all records so far, and begins the next. Only under the lock,
    /// and where the journal is caught up with.
    pub(super) fn seal(&mut self, seal: &Seal) -> Result<(), AppendError> {
        if self.mark.sequence != seal.last {
            return Err(AppendError::Overtaken { last: self.mark.sequence });
        }
        self.rewrite_suspect(true)?;
        let next = self.next_segment();
        let words = [seal.size.to_le_bytes().as_slice(), &seal.root, &[0; 8], &next].concat();
        if let Err(error) = self.write_end(kind::SEAL, &words) {
            let bytes = layout::frame_bytes(words.len(), true) as u64;
            return Err(self.take_back(&mut Batch::default(), bytes, self.end.0 + bytes, error));
        }
        self.finish_roll(None)
    }

    pub(super) fn write_roll_mark(&mut self) -> io::Result<()> {
        let next = self.next_segment();
        self.write_end(kind::ROLL, &next)
    }

    /// The next segment's number and its first sequence.
    fn next_segment(&self) -> [u8; ROLL_PAYLOAD_BYTES] {
        let mut words = [0; ROLL_PAYLOAD_BYTES];
        words[..8].copy_from_slice(&(self.active.number().0 + 1).to_le_bytes());
        words[8..].copy_from_slice(&self.mark.sequence.next().0.to_le_bytes());
        words
    }

    fn write_end(&mut self, kind: u16, payload: &[u8]) -> io::Result<()> {
        let draft = Draft {
            kind,
            version: 1,
            flags: Flags::default(),
            time_ms: 0,
            salt: self.entropy.take(),
            stored: payload,
            rest: &[],
        };
        let mut bytes = Vec::new();
        let (seed, durable) = (&self.active.seed, self.proven.mark.sequence);
        let first = self.mark.sequence.next();
        encode_commit(&[draft], &mut bytes, seed, self.end, first, durable, self.mark.chain);
        write_full(&*self.active.file, &bytes, self.end.0)
    }
}

/// What a ROLL commit takes: one frame.
pub(super) const ROLL_BYTES: u64 = layout::frame_bytes(ROLL_PAYLOAD_BYTES, true) as u64;
const ROLL_PAYLOAD_BYTES: usize = 16;
