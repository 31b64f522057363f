//! The tail slot's word of where the journal ends: believed where the commit there verifies.

use std::io;

use super::catch_up::first_end;
use super::tail::Tail;
use crate::limits::COMMIT_BYTES_MAX;
use crate::lock::{Said, TailSlot};
use crate::recover::{CommitEnd, Found};
use crate::storage::Storage;

/// Read behind the slot's commit: whether another stands there.
const BEHIND_BYTES: u64 = 64;

impl<S: Storage> Tail<S> {
    /// Whether a slot was written in this boot, and is of the segment at hand.
    pub(super) fn is_of_here(&self, slot: &TailSlot) -> bool {
        slot.boot == self.boot
            && slot.journal == self.active.header.journal
            && slot.segment == self.active.number()
    }

    /// Whether a slot may say where the segment ends.
    fn is_believed(&self, slot: &TailSlot) -> bool {
        self.is_of_here(slot) && self.boot != [0; 16] && slot.proven_end <= slot.end
    }

    /// Stands at the tail slot's commit, if that is in this segment, of this boot, and verifies.
    /// Answers whether it does.
    pub(super) fn locate(&mut self) -> io::Result<bool> {
        let slot = self.lock.said()?.slot().filter(|slot| self.is_believed(slot));
        let Some(slot) = slot else { return Ok(false) };
        let proven = CommitEnd { offset: slot.proven_end, mark: slot.proven };
        let end = CommitEnd { offset: slot.end, mark: slot.mark };
        let start = first_end(&self.active.header);
        if end == start && proven == start {
            return Ok(true);
        }
        self.reader.forget();
        let verifies = self.verifies(&slot)?;
        if verifies {
            self.stand_at(end, proven, slot.commit);
        }
        Ok(verifies)
    }

    /// Passes what others appended up to the slot's commit, unread: who wrote the slot had written
    /// that under the lock, in this boot. Whether the frames between hold is for those who read
    /// them. Answers whether it moved.
    pub(super) fn jump(&mut self, said: &Said) -> io::Result<bool> {
        self.reader.forget();
        let slot = said.slot().filter(|slot| self.is_believed(slot) && slot.commit >= self.end);
        let Some(slot) = slot else { return Ok(false) };
        let verifies = self.verifies(&slot)?;
        if verifies {
            self.advance((slot.end.0 - self.end.0) as usize, slot.mark);
            self.commit = slot.commit;
            self.take_proven(said);
        }
        Ok(verifies)
    }

    /// Whether the commit that a slot names stands there.
    fn verifies(&mut self, slot: &TailSlot) -> io::Result<bool> {
        let Some(bytes) = slot.end.0.checked_sub(slot.commit.0) else { return Ok(false) };
        let first = (bytes.min(COMMIT_BYTES_MAX) + BEHIND_BYTES) as usize;
        let (file, seed) = (&*self.active.file, &self.active.seed);
        let found = self.reader.read(file, seed, slot.commit, first)?;
        let Found::Whole(commit) = found else { return Ok(false) };
        Ok(commit.mark == slot.mark && commit.bytes as u64 == bytes && commit.control.is_none())
    }
}
