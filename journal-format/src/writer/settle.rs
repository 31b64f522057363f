//! What became of commits whose segment was closed before they were proven.

use std::io;
use std::sync::Arc;

use super::active::{self, Active};
use super::batch::{Batch, Laid, Placed};
use super::tail::Tail;
use super::{AppendError, Appended, Durability};
use crate::lock;
use crate::recover::{CommitEnd, Found, WholeCommit};
use crate::storage::Storage;
use crate::units::{Offset, SegmentNumber};

const READ_BYTES: usize = 64 << 10;

impl<S: Storage> Tail<S> {
    /// A flush succeeded, but the journal may have gone on in another segment meanwhile.
    pub(super) fn settle(
        &mut self,
        batch: &mut Batch,
        number: SegmentNumber,
        target: CommitEnd,
    ) -> Result<(), AppendError> {
        // Whatever stands in its way, the longer way meets and tells.
        if self.tell(number, target).unwrap_or(false) {
            return Ok(());
        }
        let held = self.acquire()?;
        let goes_on = self.lock.said().is_ok_and(|said| said.active == Some(number));
        if held.fresh() || !goes_on || !self.has_name() {
            self.catch_up(held.fresh())?;
        }
        if self.active.number() == number {
            let shared = self.lock.said().and_then(|said| self.share_proven(target, &said));
            return shared.map_err(|error| self.unknown(error));
        }
        self.settle_places(batch)
    }

    /// Tells the others what a flush of segment `number` has covered, where its own lock is free: who
    /// moves the journal's end or fences the segment holds that too. `false` where the journal may
    /// have gone on elsewhere, or its lock file was replaced: then it counts as not told.
    fn tell(&mut self, number: SegmentNumber, target: CommitEnd) -> io::Result<bool> {
        let file = Arc::clone(&self.active.file);
        if self.holding.strong_count() > 0 || self.active.number() != number {
            return Ok(false);
        }
        let Some(_held) = lock::try_hold(&file)? else { return Ok(false) };
        let said = self.lock.said()?;
        if said.active != Some(number) {
            return Ok(false);
        }
        self.share_proven(target, &said)?;
        Ok(self.lock.is_current()? && self.has_name())
    }

    /// Whether a batch is on disk although the lock could not be had after the flush of segment
    /// `number`, which succeeded: its holder may be stopped for good.
    ///
    /// The flush covers the batch, unless the segment was closed before it; then its successor says
    /// where it ends and holds what was saved. A segment is there under its name only when it is
    /// whole and flushed, so that this needs no lock. Whoever fences later finds the batch on disk
    /// and saves it, with another chain: so it is recorded, and the watermark stays where it was.
    pub(super) fn is_settled(&mut self, batch: &mut Batch, number: SegmentNumber) -> bool {
        let covered = |laid: &Laid| laid.placed.is_some_and(|placed| placed.segment <= number);
        let strict = self.options.durability == Durability::Strict;
        if strict || batch.is_empty() || !batch.commits.iter().all(covered) {
            return false;
        }
        let names = active::segments(&self.storage, &self.folder);
        // A folder that cannot be read proves nothing.
        let newest = names.ok().and_then(|names| names.last().map(|name| name.number));
        newest.is_some_and(|newest| self.seek(batch, newest).is_ok_and(|lost| lost.is_empty()))
    }

    /// Finds the batch's commits of closed segments. What was lost is appended again from memory.
    pub(super) fn settle_places(&mut self, batch: &mut Batch) -> Result<(), AppendError> {
        let lost = self.seek(batch, self.active.number())?;
        for index in &lost {
            batch.commits[*index].placed = None;
        }
        if lost.is_empty() { Ok(()) } else { self.write_batch(batch) }
    }

    /// Finds the batch's commits of segments before `newest`: within their segment's bound, or saved
    /// in a later one. Answers those that are in neither.
    fn seek(
        &mut self,
        batch: &mut Batch,
        newest: SegmentNumber,
    ) -> Result<Vec<usize>, AppendError> {
        let names = active::segments(&self.storage, &self.folder)
            .map_err(|error| self.not_recorded(error))?;
        let closed = |laid: &Laid| laid.placed.is_some_and(|placed| placed.segment < newest);
        let Some(oldest) = batch
            .commits
            .iter()
            .filter(|laid| closed(laid))
            .filter_map(|laid| laid.placed)
            .map(|placed| placed.segment)
            .min()
        else {
            return Ok(Vec::new());
        };
        let mut lost: Vec<usize> =
            (0..batch.commits.len()).filter(|index| closed(&batch.commits[*index])).collect();
        for name in names.into_iter().filter(|name| name.number > oldest) {
            let opened = Active::open(&self.storage, &self.folder, name);
            let Ok(segment) = opened else { continue };
            let before = SegmentNumber(name.number.0 - 1);
            lost.retain(|index| !within(&batch.commits[*index], before, &segment));
            self.find_saved(batch, &mut lost, &segment)
                .map_err(|error| self.not_recorded(error))?;
        }
        Ok(lost)
    }

    /// Looks for lost commits in a later segment, and gives those found their new place.
    fn find_saved(
        &mut self,
        batch: &mut Batch,
        lost: &mut Vec<usize>,
        segment: &Active<S::File>,
    ) -> io::Result<()> {
        let mut at = super::catch_up::first_end(&segment.header).offset;
        self.reader.forget();
        while !lost.is_empty() {
            let found = self.reader.read(&*segment.file, &segment.seed, at, READ_BYTES)?;
            let Found::Whole(commit) = found else { break };
            if commit.control.is_some() {
                break;
            }
            lost.retain(|index| {
                let is_it = is_same(batch, *index, &commit);
                if is_it {
                    let appended = Appended {
                        first: commit.first,
                        last: commit.mark.sequence,
                        mark: commit.mark,
                    };
                    let number = segment.number();
                    batch.commits[*index].placed =
                        Some(Placed { segment: number, offset: at, appended });
                }
                !is_it
            });
            at = Offset(at.0 + commit.bytes as u64);
        }
        Ok(())
    }
}

/// Whether a commit lies before the end that a segment's header gives its predecessor.
fn within<F>(laid: &Laid, number: SegmentNumber, successor: &Active<F>) -> bool {
    laid.placed.is_some_and(|placed| {
        let end = placed.offset.0 + laid.bytes as u64;
        placed.segment == number && end <= successor.header.previous.end.0
    })
}

fn is_same(batch: &Batch, index: usize, commit: &WholeCommit) -> bool {
    let laid = &batch.commits[index];
    batch.salt(laid) == commit.salt
        && laid.placed.is_some_and(|placed| placed.appended.first == commit.first)
}
