//! The writer.

use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};

use super::batch::{Batch, check, check_carried};
use super::queue::{Queue, Shared};
use super::tail::{Outcome, State, Tail, Want};
use super::{AppendError, Appended, Durability, Hold, OpenError, Record, WriterOptions};
use crate::entropy::Entropy;
use crate::frame::Carried;
use crate::limits::BATCH_BYTES_MAX;
use crate::reader::Bookmark;
use crate::recover::Recovery;
use crate::storage::Storage;
use crate::units::{JournalId, Mark, Position, Sequence};

/// Appends to a journal, from many threads; other processes may do the same at the same time.
pub struct Writer<S: Storage> {
    id: JournalId,
    options: WriterOptions,
    queue: Queue,
    tail: Mutex<Tail<S>>,
}

impl<S: Storage> Writer<S> {
    /// Makes a journal in `folder`, which holds none.
    pub fn create(
        storage: S,
        folder: &Path,
        id: JournalId,
        options: WriterOptions,
    ) -> Result<Self, OpenError> {
        Tail::create(storage, folder, id, options).map(Self::new)
    }

    /// Opens the journal in `folder` to append to it; also says what was repaired to do so.
    ///
    /// Reads one header and, where this boot's tail slot holds, what was written since.
    pub fn open(
        storage: S,
        folder: &Path,
        options: WriterOptions,
    ) -> Result<(Self, Vec<Recovery>), OpenError> {
        let mut tail = Tail::open(storage, folder, options)?;
        let recoveries = std::mem::take(&mut tail.recoveries);
        Ok((Self::new(tail), recoveries))
    }

    fn new(tail: Tail<S>) -> Self {
        let mut seed = *b"annals salts, not nonces, grow: ";
        for (byte, own) in seed.iter_mut().zip(tail.options.seed) {
            *byte ^= own;
        }
        Self {
            id: tail.active.header.journal,
            options: tail.options.clone(),
            queue: Queue::new(Entropy::new(&seed), tail.proven.mark),
            tail: Mutex::new(tail),
        }
    }

    pub fn id(&self) -> JournalId {
        self.id
    }

    /// Appends one commit, all or nothing; returns when it is as durable as the options say.
    pub fn append(&self, records: &[Record<'_>]) -> Result<Appended, AppendError> {
        check(records)?;
        let mut shared = self.queue.lock();
        shared.close_staged();
        let index = shared.batch.commits.len();
        let shared_ref = &mut *shared;
        shared_ref.batch.push(records, &mut shared_ref.entropy, &self.options);
        shared_ref.batch.close();
        let outcome = self.run(shared, self.want());
        match outcome.appended.get(index) {
            Some(appended) => Ok(*appended),
            None => Err(outcome.error.unwrap_or(AppendError::LeaderLost)),
        }
    }

    /// As [`Self::append`], where the journal still ends at `last`: whoever decides what to append by
    /// what the journal holds decides again where others were faster.
    pub fn append_after(
        &self,
        last: Sequence,
        records: &[Record<'_>],
    ) -> Result<Appended, AppendError> {
        check(records)?;
        self.carry_out_after(last, self.want(), |batch, entropy, options| {
            batch.push(records, entropy, options);
        })
    }

    /// As [`Self::append_after`]: one record, and in the same commit behind it frames of other journals, as they are
    /// but for their numbers.
    pub fn append_carried(
        &self,
        last: Sequence,
        first: &Record<'_>,
        carried: &[Carried],
    ) -> Result<Appended, AppendError> {
        check_carried(first, carried)?;
        self.carry_out_after(last, self.want(), |batch, entropy, options| {
            batch.push(std::slice::from_ref(first), entropy, options);
            batch.push_carried(carried);
        })
    }

    /// Writes records where the journal still ends at `last`, in as many commits as they need, one
    /// behind the other and nobody's between them; [`Self::sync`] makes them durable. Answers the last.
    pub fn write_after(
        &self,
        last: Sequence,
        records: &[Record<'_>],
    ) -> Result<Appended, AppendError> {
        if records.is_empty() {
            return Err(AppendError::Empty);
        }
        records.iter().try_for_each(|record| check(std::slice::from_ref(record)))?;
        self.carry_out_after(last, Want::Written, |batch, entropy, options| {
            for record in records.chunks(1) {
                if !batch.takes(record, BATCH_BYTES_MAX) {
                    batch.close();
                }
                batch.push(record, entropy, options);
            }
        })
    }

    /// Keeps every other process from appending until the answer is dropped; it waits for none of
    /// them meanwhile.
    ///
    /// # Errors
    /// Where the lock was not to be had, or the journal's end cannot be reached.
    pub fn hold(&self) -> Result<Hold<S::File>, AppendError> {
        self.tail().hold_end().map(Hold::new)
    }

    fn want(&self) -> Want {
        match self.options.durability {
            Durability::Buffered => Want::Written,
            Durability::Group | Durability::Strict => Want::Synced,
        }
    }

    /// Lays a batch of its own, which waits for no other thread's and takes none along: what they
    /// bring would be what overtook it.
    fn carry_out_after(
        &self,
        last: Sequence,
        want: Want,
        lay: impl FnOnce(&mut Batch, &mut Entropy, &WriterOptions),
    ) -> Result<Appended, AppendError> {
        let mut batch = Batch::after(last);
        lay(&mut batch, &mut self.queue.lock().entropy, &self.options);
        batch.close();
        let Outcome { appended, error, proven } = self.tail().carry_out(&mut batch, want);
        self.queue.lock().know_proven(proven);
        match (appended.last(), error) {
            (Some(appended), None) => Ok(*appended),
            (_, error) => Err(error.unwrap_or(AppendError::LeaderLost)),
        }
    }

    /// Takes records into the batch in memory; the whole batch becomes one commit when it
    /// reaches [`BATCH_BYTES_MAX`], or at [`Self::flush`] or [`Self::sync`]. Nothing in memory
    /// is acknowledged.
    ///
    /// An error may also be that of records staged before.
    pub fn stage(&self, records: &[Record<'_>]) -> Result<(), AppendError> {
        self.stage_with(self.queue.lock(), records).map(drop)
    }

    /// As [`Self::stage`], each on its own: however many there are, no commit passes its limit.
    pub fn stage_each<'r>(
        &self,
        records: impl IntoIterator<Item = Record<'r>>,
    ) -> Result<(), AppendError> {
        let mut shared = self.queue.lock();
        for record in records {
            shared = self.stage_with(shared, std::slice::from_ref(&record))?;
        }
        Ok(())
    }

    fn stage_with<'w>(
        &'w self,
        mut shared: MutexGuard<'w, Shared>,
        records: &[Record<'_>],
    ) -> Result<MutexGuard<'w, Shared>, AppendError> {
        check(records)?;
        if let Some(error) = shared.staged_error.take() {
            return Err(error);
        }
        while !shared.batch.takes(records, BATCH_BYTES_MAX) {
            shared.close_staged();
            self.run(shared, Want::Written);
            shared = self.queue.lock();
            if let Some(error) = shared.staged_error.take() {
                return Err(error);
            }
        }
        let held = &mut *shared;
        held.batch.push(records, &mut held.entropy, &self.options);
        Ok(shared)
    }

    /// Writes what is staged; answers its commit, or `None` where nothing was.
    pub fn flush(&self) -> Result<Option<Appended>, AppendError> {
        self.finish_staged(Want::Written).map(|(appended, _)| appended)
    }

    /// Writes what is staged and flushes everything written so far, by others too; answers the
    /// watermark.
    pub fn sync(&self) -> Result<Mark, AppendError> {
        self.finish_staged(Want::Synced).map(|(_, proven)| proven)
    }

    /// The last commit that a flush is known to have covered. Stores, exports and signatures see
    /// nothing above it.
    pub fn watermark(&self) -> Mark {
        self.queue.lock().watermark
    }

    /// The watermark with its place; `None` while another thread appends, which can say it then.
    pub fn proven(&self) -> Option<Bookmark> {
        let tail = match self.tail.try_lock() {
            Ok(tail) => tail,
            Err(TryLockError::Poisoned(tail)) => tail.into_inner(),
            Err(TryLockError::WouldBlock) => return None,
        };
        let end = Position { segment: tail.active.number(), offset: tail.proven.offset };
        Some(Bookmark { journal: self.id, end, mark: tail.proven.mark })
    }

    /// What was repaired since the writer was opened: a dead writer's fragment, say.
    pub fn take_recoveries(&self) -> Vec<Recovery> {
        std::mem::take(&mut self.tail().recoveries)
    }

    fn finish_staged(&self, want: Want) -> Result<(Option<Appended>, Mark), AppendError> {
        let mut shared = self.queue.lock();
        if let Some(error) = shared.staged_error.take() {
            return Err(error);
        }
        shared.close_staged();
        if want == Want::Written && shared.batch.is_empty() {
            let watermark = shared.watermark;
            return Ok((None, watermark));
        }
        let last = shared.batch.commits.len().checked_sub(1);
        let outcome = self.run(shared, want);
        let appended = last.and_then(|last| outcome.appended.get(last)).copied();
        if last.is_some() && appended.is_none() || want == Want::Synced && outcome.error.is_some() {
            // Told now, not once more.
            self.queue.lock().staged_error = None;
            return Err(outcome.error.unwrap_or(AppendError::LeaderLost));
        }
        Ok((appended, outcome.proven))
    }

    pub(super) fn know_proven(&self, proven: Mark) {
        self.queue.lock().know_proven(proven);
    }

    fn run(&self, shared: MutexGuard<'_, Shared>, want: Want) -> Outcome {
        self.queue.run(shared, want, |batch: &mut Batch, want| self.tail().carry_out(batch, want))
    }

    /// A panic in there leaves [`State::Moving`] behind, which nobody passes.
    pub(super) fn tail(&self) -> MutexGuard<'_, Tail<S>> {
        self.tail.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<S: Storage> Drop for Writer<S> {
    fn drop(&mut self) {
        let mut tail = self.tail();
        if tail.state == State::Sound {
            tail.leave_slot();
        }
    }
}
