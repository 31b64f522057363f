//! Writing commits at the valid end, and taking back what could not be written whole.

use std::io;
use std::ops::Range;

use super::active::{SpaceError, erase_commit};
use super::batch::{Batch, Placed};
use super::tail::Tail;
use super::{AppendError, Appended, Durability};
use crate::frame::place_commit;
use crate::limits::{HEADER_PAGE_BYTES, ROLL_ROOM_BYTES};
use crate::storage::{Storage, read_full, write_full};
use crate::units::{Mark, Offset, Sequence};

/// An unproven tail up to this size is rewritten in the same call as the commit behind it.
const SUSPECT_BYTES_MAX: u64 = 1 << 20;

impl<S: Storage> Tail<S> {
    /// Whether so many bytes of commits still fit into this segment, or it is empty.
    pub(super) fn fits(&self, bytes: usize) -> bool {
        self.end.0 == HEADER_PAGE_BYTES
            || self.end.0 + bytes as u64 + ROLL_ROOM_BYTES <= self.options.segment_bytes_max
    }

    /// Places a run of commits at the end and writes them in one call.
    pub(super) fn write_run(
        &mut self,
        batch: &mut Batch,
        run: Range<usize>,
    ) -> Result<(), AppendError> {
        let at_run = run.start;
        let start = batch.commits[at_run].start;
        let bytes: usize = batch.commits[run.clone()].iter().map(|laid| laid.bytes).sum();
        self.reserve(batch, bytes as u64 + ROLL_ROOM_BYTES)?;
        if batch.commits[run.start].placed.is_some() {
            // Space could not be flushed, and the fence has placed the batch elsewhere.
            return Ok(());
        }
        let end = self.end.0 + bytes as u64;
        let (mut at, mut next, mut chain) = (self.end, self.next, self.mark.chain);
        for laid in &mut batch.commits[run.clone()] {
            let commit = &mut batch.bytes[laid.start..laid.start + laid.bytes];
            let durable = self.proven.mark.sequence;
            chain = place_commit(commit, &self.active.seed, at, next, durable, chain);
            let last = Sequence(next.0 + laid.events - 1);
            let mark = Mark { sequence: last, chain };
            let appended = Appended { first: next, last, mark };
            laid.placed = Some(Placed { segment: self.active.number(), offset: at, appended });
            at = Offset(at.0 + laid.bytes as u64);
            next = last.next();
        }
        if let Err(error) = self.put(&batch.bytes[start..start + bytes]) {
            batch.commits[run].iter_mut().for_each(|laid| laid.placed = None);
            let first = batch.first_frame_bytes(&batch.commits[at_run]);
            return Err(self.take_back(batch, first, end, error));
        }
        for laid in &batch.commits[run] {
            if let Some(placed) = laid.placed {
                self.advance(laid.bytes, placed.appended.mark);
            }
        }
        self.unslotted += bytes as u64;
        Ok(())
    }

    /// One write at the end; what an earlier writer left unproven before it goes along.
    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        let joined = self.suspect.clone().filter(|range| {
            self.options.durability > Durability::Buffered
                && range.end == self.end.0
                && range.end - range.start <= SUSPECT_BYTES_MAX
        });
        let Some(range) = joined else {
            return write_full(&*self.active.file, bytes, self.end.0);
        };
        let mut whole = self.read_suspect(&range)?;
        whole.extend_from_slice(bytes);
        write_full(&*self.active.file, &whole, range.start)?;
        self.suspect = None;
        Ok(())
    }

    /// Rewrites what an earlier writer left unproven: its flush may have failed and been
    /// forgotten, so that none of ours would ever cover it. Short ones wait for the next commit
    /// and go with it in one write, unless there is `none` to come.
    pub(super) fn rewrite_suspect(&mut self, none: bool) -> Result<(), AppendError> {
        let Some(range) = self.suspect.clone() else { return Ok(()) };
        let waits =
            !none && range.end == self.end.0 && range.end - range.start <= SUSPECT_BYTES_MAX;
        if waits {
            return Ok(());
        }
        let mut at = range.start;
        while at < range.end {
            let part = at..range.end.min(at + SUSPECT_BYTES_MAX);
            self.read_suspect(&part)
                .and_then(|bytes| write_full(&*self.active.file, &bytes, at))
                .map_err(|error| self.not_recorded(error))?;
            at = part.end;
        }
        self.suspect = None;
        Ok(())
    }

    fn read_suspect(&self, range: &Range<u64>) -> io::Result<Vec<u8>> {
        let mut bytes = vec![0; (range.end - range.start) as usize];
        let read = read_full(&*self.active.file, &mut bytes, range.start)?;
        if read < bytes.len() {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Ok(bytes)
    }

    /// Zero-filled space, except where nothing waits for a flush. A flush of space that fails is
    /// a failed flush: the segment is fenced and its successor tried.
    fn reserve(&mut self, batch: &mut Batch, bytes: u64) -> Result<(), AppendError> {
        if self.options.durability == Durability::Buffered {
            return Ok(());
        }
        for _ in 0..2 {
            match self.active.reserve(self.end.0 + bytes) {
                Ok(()) => return Ok(()),
                Err(SpaceError::Write(error)) => return Err(self.not_recorded(error)),
                Err(SpaceError::Sync) => self.fence_held(Some(batch))?,
            }
        }
        Err(self.not_recorded(io::Error::other("no space could be flushed")))
    }

    /// Whether only zeros stand between the end and here.
    pub(super) fn is_blank_to(&self, end: u64) -> bool {
        let mut bytes = vec![0; (end - self.end.0) as usize];
        let read = read_full(&*self.active.file, &mut bytes, self.end.0);
        read.is_ok_and(|read| bytes[..read].iter().all(|byte| *byte == 0))
    }

    /// A failed write: its bytes become zeros again, and nothing has moved.
    pub(super) fn take_back(
        &mut self,
        batch: &mut Batch,
        first_frame_bytes: u64,
        end: u64,
        error: io::Error,
    ) -> AppendError {
        let answer = self.not_recorded(error);
        let zeroed = erase_commit(&*self.active.file, self.end.0, first_frame_bytes, end);
        if zeroed.is_err() && !self.is_blank_to(end) {
            // The successor's header bounds the segment before these bytes, and the answer
            // stands. Without one, whole commits of the batch may be among what was written.
            if self.fence_held(Some(batch)).is_err() {
                return answer.into_unknown();
            }
        }
        answer
    }
}
