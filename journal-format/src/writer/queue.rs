//! Leader and followers: one thread writes and flushes for all that wait.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};

use super::AppendError;
use super::batch::Batch;
use super::tail::{Outcome, Want};
use crate::entropy::Entropy;
use crate::units::Mark;

/// What the threads of one writer share.
pub(super) struct Queue {
    shared: Mutex<Shared>,
    changed: Condvar,
}

/// The next batch, and who is at work.
pub(super) struct Shared {
    pub batch: Batch,
    pub want: Want,
    pub entropy: Entropy,
    /// Commits of the batch that nobody waits for: their failure is told to the next caller.
    pub staged: Vec<usize>,
    pub staged_error: Option<AppendError>,
    pub watermark: Mark,
    cell: Arc<OnceLock<Outcome>>,
    leading: bool,
    waiting: usize,
    spare: Batch,
}

impl Shared {
    /// Ends the commit that staged records are in.
    pub fn close_staged(&mut self) {
        let before = self.batch.commits.len();
        self.batch.close();
        self.staged.extend(before..self.batch.commits.len());
    }
}

impl Shared {
    /// Moves the watermark, and never back: whoever leaves the tail last may have proven less.
    pub fn know_proven(&mut self, proven: Mark) {
        if proven.sequence > self.watermark.sequence {
            self.watermark = proven;
        }
    }
}

impl Queue {
    pub fn new(entropy: Entropy, watermark: Mark) -> Self {
        Self {
            shared: Mutex::new(Shared {
                batch: Batch::default(),
                want: Want::default(),
                entropy,
                staged: Vec::new(),
                staged_error: None,
                watermark,
                cell: Arc::default(),
                leading: false,
                waiting: 0,
                spare: Batch::default(),
            }),
            changed: Condvar::new(),
        }
    }

    /// Nothing is left half done in there by a panic: every change is one assignment.
    pub fn lock(&self) -> MutexGuard<'_, Shared> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until the batch that is being gathered is carried out, by this thread if no other
    /// is at it.
    pub fn run(
        &self,
        mut shared: MutexGuard<'_, Shared>,
        want: Want,
        carry_out: impl FnOnce(&mut Batch, Want) -> Outcome,
    ) -> Outcome {
        shared.want = shared.want.max(want);
        let cell = Arc::clone(&shared.cell);
        loop {
            if let Some(outcome) = cell.get() {
                return outcome.clone();
            }
            if !shared.leading {
                break;
            }
            shared.waiting += 1;
            shared = self.changed.wait(shared).unwrap_or_else(PoisonError::into_inner);
            shared.waiting -= 1;
        }
        shared.leading = true;
        shared.close_staged();
        let spare = std::mem::take(&mut shared.spare);
        let mut batch = std::mem::replace(&mut shared.batch, spare);
        let want = std::mem::take(&mut shared.want);
        let staged = std::mem::take(&mut shared.staged);
        shared.cell = Arc::default();
        let watermark = shared.watermark;
        drop(shared);
        let mut turn = Turn { queue: self, cell, staged, watermark, outcome: None, spare: None };
        let outcome = carry_out(&mut batch, want);
        batch.clear();
        turn.outcome = Some(outcome.clone());
        turn.spare = Some(batch);
        outcome
    }
}

/// A thread's turn at the head of the queue. However it ends, also by a panic, everyone who
/// waits is told and the next may lead.
struct Turn<'q> {
    queue: &'q Queue,
    cell: Arc<OnceLock<Outcome>>,
    staged: Vec<usize>,
    watermark: Mark,
    outcome: Option<Outcome>,
    spare: Option<Batch>,
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        let outcome = self.outcome.take().unwrap_or(Outcome {
            appended: Vec::new(),
            error: Some(AppendError::LeaderLost),
            proven: self.watermark,
        });
        let mut shared = self.queue.lock();
        shared.know_proven(outcome.proven);
        let failed = self.staged.iter().any(|index| *index >= outcome.appended.len());
        if failed && shared.staged_error.is_none() {
            shared.staged_error = outcome.error.clone();
        }
        if let Some(spare) = self.spare.take() {
            shared.spare = spare;
        }
        shared.leading = false;
        // Set once, here: a second value cannot be.
        let _ = self.cell.set(outcome);
        let waiting = shared.waiting;
        drop(shared);
        if waiting > 0 {
            self.queue.changed.notify_all();
        }
    }
}
