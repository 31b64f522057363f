//! Ending a segment that is full.
//!
//! ROLL at the valid end → flush the old → new file under a temporary name → flush → rename →
//! flush the folder → append. Without the mark, a writer that had not yet seen the new segment
//! would go on in the old one.

use std::io;

use super::AppendError;
use super::batch::Batch;
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

    pub(super) fn write_roll_mark(&mut self) -> io::Result<()> {
        let next = SegmentNumber(self.active.number().0 + 1);
        let mut payload = [0; ROLL_PAYLOAD_BYTES];
        payload[..8].copy_from_slice(&next.0.to_le_bytes());
        payload[8..].copy_from_slice(&self.mark.sequence.next().0.to_le_bytes());
        let draft = Draft {
            kind: kind::ROLL,
            version: 1,
            flags: Flags::default(),
            time_ms: 0,
            salt: self.entropy.take(),
            stored: &payload,
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
