//! What is known to be on disk, and how writers tell each other through the tail slot.

use std::io;

use super::tail::Tail;
use crate::lock::{Said, TailSlot};
use crate::recover::CommitEnd;
use crate::storage::Storage;
use crate::units::Sequence;

impl<S: Storage> Tail<S> {
    /// A flush that began when the journal ended here has returned.
    pub fn prove_to(&mut self, target: CommitEnd) {
        if target.offset <= self.proven.offset {
            return;
        }
        self.proven = target;
        while self.ends.front().is_some_and(|end| end.offset <= target.offset) {
            self.ends.pop_front();
        }
    }

    /// Another commit vouches that everything up to a sequence is on disk.
    pub fn note_durable(&mut self, durable: Sequence) {
        while let Some(end) = self.ends.front().copied()
            && end.mark.sequence <= durable
        {
            self.proven = end;
            self.ends.pop_front();
        }
    }

    /// Writes the tail slot without flushing it: a hint that may be lost.
    pub fn write_slot(&mut self) {
        self.unslotted = 0;
        // A slot that cannot be written costs the next opening a longer scan, nothing else.
        let _ = self.lock.said().and_then(|said| self.lock.set_slot(&self.slot(), &said));
    }

    /// Takes over what other writers have proven in this segment; answers whether that is as
    /// much as this one has. Only under the lock.
    pub fn take_proven(&mut self, said: &Said) -> bool {
        let theirs = said.slot().filter(|slot| {
            self.is_of_here(slot)
                && slot.proven_end >= self.proven.offset
                && slot.proven_end <= self.end
        });
        let Some(slot) = theirs else { return false };
        self.prove_to(CommitEnd { offset: slot.proven_end, mark: slot.proven });
        true
    }

    /// Tells the others what a flush has proven, only under the lock: whoever fences the segment
    /// bounds it no earlier, so that a mark once given out as durable keeps its chain. What they
    /// have told since this one last read goes before.
    pub fn share_proven(&mut self, target: CommitEnd, said: &Said) -> io::Result<()> {
        self.jump(said)?;
        self.prove_to(target);
        if !self.take_proven(said) {
            self.lock.set_slot(&self.slot(), said)?;
            self.unslotted = 0;
        }
        Ok(())
    }

    pub fn slot(&self) -> TailSlot {
        TailSlot {
            boot: self.boot,
            journal: self.active.header.journal,
            segment: self.active.number(),
            commit: self.commit,
            end: self.end,
            mark: self.mark,
            proven_end: self.proven.offset,
            proven: self.proven.mark,
            turn: 0,
        }
    }
}
