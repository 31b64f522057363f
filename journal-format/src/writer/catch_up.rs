//! Reading what others appended, always from the own valid end and never by the file's size.

use std::io;

use super::active::{self, Active, erase};
use super::tail::{State, Tail};
use super::{AppendError, OpenError};
use crate::limits::HEADER_PAGE_BYTES;
use crate::lock::TailSlot;
use crate::recover::{CommitEnd, Found, Recovery, TailWalk, quarantine};
use crate::scan::{Finding, Verdict};
use crate::segment::{SegmentHeader, SegmentName};
use crate::storage::{Storage, StorageFile, read_full};
use crate::units::{Mark, Offset, Position, Seen, SegmentNumber, Sequence};

const LOOK_BYTES: usize = 64;
const LOOK_BYTES_MET: usize = 8192;
/// For so many appends others are told of each stretch after one of theirs was met.
const CROWDED_APPENDS: u32 = 4096;

impl<S: Storage> Tail<S> {
    /// Moves the end past everything that others appended; only under the lock.
    pub(super) fn catch_up(&mut self, fresh: bool) -> Result<(), AppendError> {
        let said = self.lock.said().map_err(|error| self.not_recorded(error))?;
        if fresh || said.active != Some(self.active.number()) || !self.has_name() {
            self.relist()?;
        }
        let mut met = self.jump(&said).map_err(|error| self.not_recorded(error))?;
        loop {
            let first = if met || self.crowded > 0 { LOOK_BYTES_MET } else { LOOK_BYTES };
            let (file, seed) = (&*self.active.file, &self.active.seed);
            let found = self.reader.read(file, seed, self.end, first);
            match found.map_err(|error| self.not_recorded(error))? {
                Found::Nothing => break,
                Found::Whole(commit) if commit.control.is_some() => self.follow_roll()?,
                Found::Whole(commit) if commit.first > self.mark.sequence => {
                    self.advance(commit.bytes, commit.mark);
                    self.note_durable(commit.durable);
                    met = true;
                }
                Found::Whole(_) | Found::Bad => {
                    let number = self.active.number();
                    self.relist()?;
                    if self.active.number() == number {
                        self.recover_tail()?;
                    }
                }
            }
        }
        self.crowded = if met { CROWDED_APPENDS } else { self.crowded.saturating_sub(1) };
        if said.active != Some(self.active.number()) {
            if said.active > Some(self.active.number()) {
                // Somebody began to fence this segment and did not finish.
                self.fence_held(None)?;
            }
            let number = self.active.number();
            self.lock.set_active(number).map_err(|error| self.not_recorded(error))?;
        }
        Ok(())
    }

    /// Goes to the newest segment in the folder.
    fn relist(&mut self) -> Result<(), AppendError> {
        let names = active::segments(&self.storage, &self.folder)
            .map_err(|error| self.not_recorded(error))?;
        let number = self.active.number();
        match names.last() {
            Some(newest) if newest.number > number => self.enter(*newest),
            Some(newest) if newest.number == number && self.is_named(*newest) => Ok(()),
            _ => {
                let gone = io::Error::new(io::ErrorKind::NotFound, "the segment was removed");
                Err(self.not_recorded(gone))
            }
        }
    }

    /// A ROLL stands at the end: the next segment continues, and is made where there is none.
    fn follow_roll(&mut self) -> Result<(), AppendError> {
        let names = active::segments(&self.storage, &self.folder)
            .map_err(|error| self.not_recorded(error))?;
        match names.last() {
            Some(newest) if newest.number > self.active.number() => self.enter(*newest),
            _ => self.finish_roll(None),
        }
    }

    /// Whether the segment has a name at all: one that was removed, or replaced by another, has none.
    pub(super) fn has_name(&self) -> bool {
        // Where nobody can tell, its folder is not asked either.
        self.active.file.is_named().unwrap_or(true)
    }

    fn is_named(&self, name: SegmentName) -> bool {
        let named = self.storage.identity_of(&self.folder.join(name.to_string()));
        let held = self.active.file.identity();
        matches!((named, held), (Ok(named), Ok((held, _))) if named == held)
    }

    /// Makes a newer segment the active one; the walk through it is the caller's.
    fn enter(&mut self, name: SegmentName) -> Result<(), AppendError> {
        let active = match Active::open(&self.storage, &self.folder, name) {
            Ok(active) => active,
            Err(OpenError::Io { source, .. }) => return Err(self.not_recorded(source)),
            Err(other) => {
                let kind = io::ErrorKind::InvalidData;
                return Err(self.not_recorded(io::Error::new(kind, other.to_string())));
            }
        };
        if active.header.journal != self.active.header.journal {
            let kind = io::ErrorKind::InvalidData;
            let foreign = io::Error::new(kind, "the newest segment is another journal's");
            return Err(self.not_recorded(foreign));
        }
        // Who made it may have died before its name was durable.
        self.storage.sync_folder(&self.folder).map_err(|error| self.not_recorded(error))?;
        self.hold(&active.file).map_err(|error| self.locked(error))?;
        self.active = active;
        let start = first_end(&self.active.header);
        self.stand_at(start, start, start.offset);
        self.locate().map_err(|error| self.not_recorded(error))?;
        // This descriptor is new: a flush that failed before is not reported on it.
        self.walk_suspect()
    }

    fn walk_suspect(&mut self) -> Result<(), AppendError> {
        self.recover_tail()?;
        self.suspect = (self.proven.offset < self.end).then_some(self.proven.offset.0..self.end.0);
        Ok(())
    }

    pub(super) fn stand_at(&mut self, end: CommitEnd, proven: CommitEnd, commit: Offset) {
        self.end = end.offset;
        self.commit = commit;
        self.mark = end.mark;
        self.next = self.next.max(end.mark.sequence.next());
        self.proven = proven;
        self.ends.clear();
        self.ends.push_back(end);
        self.suspect = None;
        self.reader.forget();
    }

    /// Walks from the end on, judging every bad byte; cuts what was never acknowledged.
    pub(super) fn recover_tail(&mut self) -> Result<(), AppendError> {
        let said = self.lock.said().map_err(|error| self.not_recorded(error))?;
        let slot = said.slot().filter(|slot| slot.journal == self.active.header.journal);
        let witness = slot.map_or(Sequence(0), |slot| slot.proven.sequence).max(self.seen());
        let mut walk = self.walk_tail(witness)?;
        let mut moved = walk.end != self.end || !walk.findings.is_empty() || walk.closed;
        // What was damage with something behind it may be a torn tail without: until nothing is
        // left to cut, so that whoever comes next finds nothing either.
        while self.cut_all(&walk)? {
            let seen = walk.next;
            walk = self.walk_tail(witness)?;
            walk.next = walk.next.max(seen);
            moved = true;
        }
        self.reader.forget();
        self.note_losses(&mut walk, slot);
        if walk.end != self.end {
            self.commit = walk.commit;
        }
        self.end = walk.end;
        self.mark = walk.mark;
        self.next = self.next.max(walk.next);
        self.ends.extend(walk.ends);
        self.note_durable(walk.durable.max(witness));
        let found = self.active.file.len().map_err(|error| self.not_recorded(error))?;
        if !moved && self.end.0 < found && !self.is_blank()? {
            let kind = io::ErrorKind::InvalidData;
            return Err(self.not_recorded(io::Error::new(kind, "unreadable bytes at the end")));
        }
        Ok(())
    }

    /// Keeps what was acknowledged and is gone for whoever opened the journal to record. Nothing
    /// on disk changes: until an event tells of it, whoever comes next finds the same.
    fn note_losses(&mut self, walk: &mut TailWalk, slot: Option<TailSlot>) {
        let lost = walk.findings.iter().filter(|finding| finding.verdict.is_loss());
        let mut told = walk.mark.sequence;
        for finding in lost {
            told = told.max(finding.lost.map_or(Sequence(0), |(_, last)| last));
            self.recoveries.push(Recovery::of_loss(finding));
        }
        // A whole segment that the slot knows of, or that held what was seen, removed.
        let number = self.active.number();
        let slot = slot.filter(|slot| slot.segment > number);
        let by_slot = slot.map(|slot| (slot.segment, slot.proven.sequence));
        let by_seen = walk.closed.then(|| (SegmentNumber(number.0 + 1), self.seen()));
        for (segment, last) in by_slot.into_iter().chain(by_seen) {
            if last <= told {
                continue;
            }
            let at = Position { segment, offset: Offset(0) };
            let lost = Some((told.next(), last));
            let verdict = Verdict::SegmentMissing;
            let finding = Finding { verdict, at, bytes: 0, lost, exact: true };
            self.recoveries.push(Recovery::of_loss(&finding));
            walk.next = walk.next.max(last.next());
            told = last;
        }
    }

    /// The last event that is known to have been in this journal, whatever is left of it.
    pub(super) fn seen(&self) -> Sequence {
        Seen::of(self.options.seen, self.active.header.journal)
    }

    fn walk_tail(&self, witness: Sequence) -> Result<TailWalk, AppendError> {
        let start = CommitEnd { offset: self.end, mark: self.mark };
        let witness = witness.max(self.proven.mark.sequence);
        TailWalk::new(&*self.active.file, &self.active.header, start, witness)
            .map_err(|error| self.not_recorded(error))
    }

    /// Cuts what was never acknowledged; answers whether there was any.
    fn cut_all(&mut self, walk: &TailWalk) -> Result<bool, AppendError> {
        let mut any = false;
        for finding in walk.findings.iter().filter(|finding| finding.verdict.is_cut()) {
            self.cut(finding, walk.next)?;
            any |= finding.bytes > 0;
        }
        Ok(any)
    }

    fn is_blank(&self) -> Result<bool, AppendError> {
        let mut bytes = [0; LOOK_BYTES];
        let read = read_full(&*self.active.file, &mut bytes, self.end.0)
            .map_err(|error| self.not_recorded(error))?;
        Ok(bytes[..read].iter().all(|byte| *byte == 0))
    }

    /// Keeps what was never acknowledged in quarantine, then makes it zeros.
    fn cut(&mut self, finding: &Finding, next: Sequence) -> Result<(), AppendError> {
        let mut bytes = vec![0; finding.bytes as usize];
        let from = finding.at.offset.0;
        let file = &*self.active.file;
        let read = read_full(file, &mut bytes, from).map_err(|error| self.not_recorded(error))?;
        bytes.truncate(read);
        let kept = quarantine::keep(&self.storage, &self.folder, finding.at, next, &bytes);
        let kept = kept.map_err(|error| self.not_recorded(error))?;
        erase(file, from, from + read as u64).map_err(|error| self.not_recorded(error))?;
        let synced = file.sync_data();
        self.recoveries.push(Recovery {
            segment: finding.at.segment,
            offset: finding.at.offset,
            verdict: finding.verdict,
            bytes_cut: read as u64,
            bytes_lost: 0,
            lost: finding.lost,
            quarantined: Some(kept),
        });
        if synced.is_err() {
            // Never to be flushed again through this descriptor.
            self.state = State::Fenced;
        }
        synced.map_err(|error| self.not_recorded(error))
    }
}

/// Where a segment's first commit goes, and the mark it follows.
pub(super) fn first_end(header: &SegmentHeader) -> CommitEnd {
    let sequence = Sequence(header.first_sequence.0.saturating_sub(1));
    let chain = if header.number.0 == 0 {
        crate::chain::genesis(header.journal)
    } else {
        header.previous.chain
    };
    CommitEnd { offset: Offset(HEADER_PAGE_BYTES), mark: Mark { sequence, chain } }
}
