//! The journal's end, as this writer knows it, and the one order in which it is moved.
//!
//! ```text
//! lock → catch up → number, chain, sum → one write → advance → unlock → flush
//! ```

use std::collections::VecDeque;
use std::io;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::{Arc, Weak};

use super::active::Active;
use super::batch::Batch;
use super::holding::Holding;
use super::{AppendError, Appended, Durability, WriterOptions};
use crate::entropy::Entropy;
use crate::limits::BATCH_BYTES_MAX;
use crate::lock::{self, JournalLock, LockError};
use crate::recover::{CommitEnd, CommitReader, ENDS_MAX, Recovery};
use crate::storage::{Storage, StorageFile};
use crate::units::{Mark, Offset, Sequence};

/// Segments whose flush fails, one after the other, before a writer gives up.
const FENCES_MAX: usize = 8;

/// So many bytes others have to read at most to catch up, where they are at work as well.
const STRETCH_BYTES_CROWDED: u64 = 16 << 10;

/// How far an operation goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Want {
    #[default]
    Written,
    Synced,
}

/// What became of a batch.
#[derive(Clone, Debug)]
pub(super) struct Outcome {
    /// One per commit that was done, from the batch's first.
    pub appended: Vec<Appended>,
    /// What became of the others, and of the operation as a whole.
    pub error: Option<AppendError>,
    /// The watermark.
    pub proven: Mark,
}

/// Whether this writer may still write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    Sound,
    /// Somebody is in the middle of an operation, or panicked there.
    Moving,
    /// A failed flush could not be made good.
    Fenced,
}

/// The journal's end, as this writer knows it.
pub(super) struct Tail<S: Storage> {
    pub storage: S,
    pub folder: PathBuf,
    pub options: WriterOptions,
    pub entropy: Entropy,
    pub lock: JournalLock<S>,
    /// What is locked now, if anything is.
    pub holding: Weak<Holding<S::File>>,
    pub boot: [u8; 16],
    pub active: Active<S::File>,
    /// Where the next commit goes.
    pub end: Offset,
    /// Where the last one starts.
    pub commit: Offset,
    pub mark: Mark,
    /// The lowest sequence never seen on disk.
    pub next: Sequence,
    /// The last commit end in this segment that a flush covered.
    pub proven: CommitEnd,
    /// The commit ends after it.
    pub ends: VecDeque<CommitEnd>,
    /// What an earlier writer left unproven: rewritten before anything relies on a flush.
    pub suspect: Option<Range<u64>>,
    /// Bytes written since the tail slot was.
    pub unslotted: u64,
    pub state: State,
    pub recoveries: Vec<Recovery>,
    pub reader: CommitReader,
    /// For so many more appends others are taken to be at work as well.
    pub crowded: u32,
}

impl<S: Storage> Tail<S> {
    /// Writes a batch, and flushes as wanted. Leaves `Moving` behind only by a panic.
    pub fn carry_out(&mut self, batch: &mut Batch, want: Want) -> Outcome {
        if self.state != State::Sound {
            let segment = self.active.number();
            return self.outcome(Vec::new(), Some(AppendError::Fenced { segment }));
        }
        self.state = State::Moving;
        let mut error = self.write(batch, want).err();
        if want >= Want::Synced && (error.is_none() || batch.placed() > 0) {
            let proven = match self.state {
                State::Moving => self.prove(batch).map_err(|error| self.in_doubt(error)),
                _ => Err(self.unknown(io::Error::other("the segment could not be replaced"))),
            };
            if let Err(unproven) = proven {
                error = Some(unproven);
                batch.forget_places();
            }
        }
        if self.state == State::Moving {
            self.state = State::Sound;
        }
        self.outcome(batch.appended(), error)
    }

    /// Takes the lock for longer than one append, at the journal's end.
    pub fn hold_end(&mut self) -> Result<Arc<Holding<S::File>>, AppendError> {
        if self.state != State::Sound {
            return Err(AppendError::Fenced { segment: self.active.number() });
        }
        self.state = State::Moving;
        let held = self.acquire().and_then(|held| self.catch_up(held.fresh()).map(|()| held));
        if self.state == State::Moving {
            self.state = State::Sound;
        }
        held
    }

    /// Under the lock: catch up, place, write, advance.
    fn write(&mut self, batch: &mut Batch, want: Want) -> Result<(), AppendError> {
        let held = self.acquire_again()?;
        self.catch_up(held.fresh())?;
        let last = self.mark.sequence;
        if batch.after.is_some_and(|after| after != last) {
            return Err(AppendError::Overtaken { last });
        }
        if want >= Want::Synced {
            self.rewrite_suspect(batch.is_empty())?;
        }
        self.write_batch(batch)?;
        if want == Want::Written {
            let room = self.options.segment_bytes_max.saturating_sub(self.end.0);
            self.active.begin_sync(self.end.0, self.proven.offset.0, room);
        }
        let stretch = if self.crowded > 0 { STRETCH_BYTES_CROWDED } else { BATCH_BYTES_MAX as u64 };
        if self.unslotted >= stretch {
            self.write_slot();
        }
        Ok(())
    }

    /// Places and writes the commits that have no place yet, rolling where they do not fit.
    pub fn write_batch(&mut self, batch: &mut Batch) -> Result<(), AppendError> {
        let mut from = 0;
        while from < batch.commits.len() {
            if batch.commits[from].placed.is_some() {
                from += 1;
                continue;
            }
            if !self.fits(batch.commits[from].bytes) {
                self.roll(batch)?;
                continue;
            }
            let (mut to, mut bytes) = (from, 0);
            while let Some(laid) = batch.commits.get(to)
                && laid.placed.is_none()
                && (to == from || self.fits(bytes + laid.bytes))
            {
                bytes += laid.bytes;
                to += 1;
            }
            self.write_run(batch, from..to)?;
            from = to;
        }
        Ok(())
    }

    /// Flushes what is written, then makes sure that it counts.
    ///
    /// What others append or roll meanwhile is theirs to flush: whoever makes a segment has flushed
    /// the one before it, so a roll proves this batch as well. Only a failed flush, which leaves
    /// commits to be written once more, takes another round.
    fn prove(&mut self, batch: &mut Batch) -> Result<(), AppendError> {
        let mut goal = self.mark.sequence;
        for _ in 0..FENCES_MAX {
            if self.proven.mark.sequence >= goal {
                break;
            }
            let target = CommitEnd { offset: self.end, mark: self.mark };
            let number = self.active.number();
            match self.active.file.sync_data() {
                Ok(()) => match self.settle(batch, number, target) {
                    Err(AppendError::Locked { .. }) if self.is_settled(batch, number) => {
                        return Ok(());
                    }
                    settled => settled?,
                },
                Err(error) => self.fence(batch, number, error)?,
            }
            goal = batch.last_sequence().unwrap_or(goal.min(self.mark.sequence));
        }
        if self.proven.mark.sequence < goal {
            return Err(
                self.unknown(io::Error::other("one segment after the other cannot be flushed"))
            );
        }
        if self.options.durability == Durability::Strict {
            self.lock.sync().map_err(|error| self.unknown(error))?;
        }
        Ok(())
    }

    /// Moves the end past a commit that stands there whole.
    pub fn advance(&mut self, bytes: usize, mark: Mark) {
        self.commit = self.end;
        self.end = Offset(self.end.0 + bytes as u64);
        self.mark = mark;
        self.next = self.next.max(mark.sequence.next());
        if self.ends.len() == ENDS_MAX {
            self.ends.pop_front();
        }
        self.ends.push_back(CommitEnd { offset: self.end, mark });
    }

    /// Takes the lock, and the active segment's own; both are taken already where the journal is held.
    pub fn acquire(&mut self) -> Result<Arc<Holding<S::File>>, AppendError> {
        self.lock.look_anew();
        self.acquire_again()
    }

    /// As [`Self::acquire`], for the next of many appends: none of them is acknowledged as durable before
    /// somebody has looked anew.
    fn acquire_again(&mut self) -> Result<Arc<Holding<S::File>>, AppendError> {
        if let Some(holding) = self.holding.upgrade() {
            return Ok(holding);
        }
        let held = self.lock.acquire().map_err(|error| self.locked(error))?;
        let holding = Holding::new(held);
        self.holding = Arc::downgrade(&holding);
        self.hold(&self.active.file).map_err(|error| self.locked(error))?;
        Ok(holding)
    }

    /// Locks a segment for as long as the lock is held.
    pub fn hold(&self, file: &Arc<S::File>) -> Result<(), LockError> {
        let held = lock::hold(file, &self.folder, self.options.lock_wait_ms_max)?;
        match self.holding.upgrade() {
            Some(holding) => holding.also(held),
            // Nobody holds the lock: then there is nothing to hold the segment for.
            None => drop(held),
        }
        Ok(())
    }

    pub fn locked(&self, error: LockError) -> AppendError {
        AppendError::locked(error, self.active.number(), self.end)
    }

    pub fn not_recorded(&self, source: io::Error) -> AppendError {
        let segment = self.active.number();
        AppendError::NotRecorded { segment, offset: self.end, source: Arc::new(source) }
    }

    pub fn unknown(&self, source: io::Error) -> AppendError {
        let segment = self.active.number();
        AppendError::Unknown { segment, offset: self.end, source: Arc::new(source) }
    }

    /// Trouble met after the write: nobody can say any more that nothing is there.
    fn in_doubt(&self, error: AppendError) -> AppendError {
        match error {
            AppendError::NotRecorded { segment, offset, source } => {
                AppendError::Unknown { segment, offset, source }
            }
            AppendError::Unknown { .. } => error,
            other => self.unknown(io::Error::other(other.to_string())),
        }
    }

    fn outcome(&self, appended: Vec<Appended>, error: Option<AppendError>) -> Outcome {
        Outcome { appended, error, proven: self.proven.mark }
    }
}
