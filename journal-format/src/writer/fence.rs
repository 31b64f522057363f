//! A failed flush: the segment is closed for everyone, and what can be read of it saved.
//!
//! After a failed fdatasync the kernel marks the pages clean and the next one succeeds, whether
//! or not they ever reach the disk. So no flush of that file proves anything any more. The page
//! cache is a source, never proof: what it still holds is copied into a successor.

use std::io;

use super::AppendError;
use super::active::erase_commit;
use super::batch::Batch;
use super::roll::ROLL_BYTES;
use super::successor::Successor;
use super::tail::{State, Tail};
use crate::recover::{CommitEnd, CommitParse, Found, WholeCommit};
use crate::storage::Storage;
use crate::units::{Offset, SegmentNumber};

const COPY_BYTES: usize = 64 << 10;

impl<S: Storage> Tail<S> {
    /// The flush of segment `number` failed. Either somebody has replaced it meanwhile, or this
    /// writer does; then everything of the batch is proven. Else this writer stops.
    pub(super) fn fence(
        &mut self,
        batch: &mut Batch,
        number: SegmentNumber,
        error: io::Error,
    ) -> Result<(), AppendError> {
        let failed = self.unknown(error);
        let fenced = self.acquire().and_then(|held| {
            self.catch_up(held.fresh())?;
            if self.active.number() == number {
                self.fence_held(Some(&mut *batch))
            } else {
                self.settle_places(batch)
            }
        });
        fenced.map_err(|_| {
            self.state = State::Fenced;
            failed
        })
    }

    /// Closes this segment at its last proven commit and saves what follows; under the lock.
    pub(super) fn fence_held(&mut self, batch: Option<&mut Batch>) -> Result<(), AppendError> {
        let old = self.active.number();
        let Ok(said) = self.lock.said() else {
            // Bounded too early, the segment would lose marks that were given out as durable.
            self.state = State::Fenced;
            return Err(AppendError::Fenced { segment: old });
        };
        self.take_proven(&said);
        // Either of the two stops the others; without both the successor's name still does, as
        // soon as they meet anything but zeros at their end.
        if self.is_blank_to(self.end.0 + ROLL_BYTES) && self.write_roll_mark().is_err() {
            let _ =
                erase_commit(&*self.active.file, self.end.0, ROLL_BYTES, self.end.0 + ROLL_BYTES);
        }
        // One of the two, as said: the successor's name is what stays.
        let _ = self.lock.set_active(SegmentNumber(old.0 + 1));
        if self.replace(batch.as_deref()).is_err() {
            self.state = State::Fenced;
            return Err(AppendError::Fenced { segment: old });
        }
        match batch {
            Some(batch) => self.settle_places(batch),
            None => Ok(()),
        }
    }

    fn replace(&mut self, batch: Option<&Batch>) -> io::Result<()> {
        let mut successor = self.begin_successor(self.proven)?;
        self.save(&mut successor, batch)?;
        self.adopt(successor)
    }

    /// Copies every commit after the last proven one that can still be read, or is in memory.
    fn save(
        &mut self,
        successor: &mut Successor<S::File>,
        batch: Option<&Batch>,
    ) -> io::Result<()> {
        let number = self.active.number();
        let mut at = self.proven.offset;
        self.reader.forget();
        while at < self.end {
            let (file, seed) = (&*self.active.file, &self.active.seed);
            let found = self.reader.read(file, seed, at, COPY_BYTES);
            if let Ok(Found::Whole(commit)) = found {
                if commit.control.is_some() {
                    break;
                }
                successor.take_over(self.reader.bytes(&commit), &commit)?;
                at = Offset(at.0 + commit.bytes as u64);
                continue;
            }
            let own = batch.and_then(|batch| batch.commit_at(number, at));
            let own = own.map(|bytes| (bytes, WholeCommit::parse(bytes, seed, at)));
            if let Some((bytes, CommitParse::Whole(commit))) = own {
                successor.take_over(&mut bytes.to_vec(), &commit)?;
                at = Offset(at.0 + commit.bytes as u64);
                continue;
            }
            at = match found {
                // Not every end is known: the next begins at a multiple of 8, as every frame does.
                Ok(_) => Offset(at.0 + 8),
                // What the disk does not give is not asked for again and again.
                Err(_) => {
                    let later = |end: &&CommitEnd| end.offset > at;
                    self.ends.iter().find(later).map_or(self.end, |end| end.offset)
                }
            };
        }
        Ok(())
    }
}
