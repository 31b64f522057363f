//! Entering a segment: what its header and its neighbours say before a frame is read.

use std::io;
use std::sync::Arc;

use super::listed::{Listed, Standing};
use super::source::Source;
use super::walk::{Walk, WalkStep};
use super::{Catalog, ReadError};
use crate::scan::{Finding, ScanEnd, SegmentScan, Verdict};
use crate::storage::{OpenHow, Storage};
use crate::units::{JournalId, Offset, Position, SegmentNumber, Sequence};

impl<S: Storage> Walk<S> {
    /// Enters the segment at `index`, or passes over it where it cannot be walked.
    pub(super) fn begin(&mut self) -> Result<(), ReadError> {
        let catalog = Arc::clone(&self.catalog);
        let segment = &catalog.segments[self.index];
        let foreign = segment.standing == Standing::Foreign;
        if !foreign && (self.entered || self.introduces) {
            self.check_number(&catalog, segment);
        }
        self.entered = true;
        match segment.standing {
            Standing::Sound => {}
            Standing::HeaderRebuilt => {
                self.tell(at(segment.name.number, Verdict::HeaderDamaged, None));
            }
            Standing::HeaderDamaged => return self.pass_over(segment, Verdict::HeaderDamaged),
            Standing::Foreign => {
                // Whatever its name says: what is missing is told where the journal goes on.
                self.tell(at(segment.name.number, Verdict::Foreign, None));
                self.index += 1;
                return Ok(());
            }
        }
        if segment.standing == Standing::Sound {
            if segment.copies_sound != [true, true] {
                self.tell(at(segment.name.number, Verdict::HeaderCopyDamaged, None));
            }
            self.check_link(segment);
        }
        self.good = None;
        self.confirmed_to = Offset(0);
        self.next_waypoint = Offset(0);
        match self.open_scan(None) {
            Ok(scan) => self.scan = Some(scan),
            Err(source) => {
                (self.before, self.linked) = (None, None);
                self.index += 1;
                let path = segment.path.clone();
                return Err(ReadError::Io { path, did: "opened", source });
            }
        }
        self.entry = None;
        self.queued.push_back(WalkStep::Begin);
        Ok(())
    }

    /// What is said of the segment this walk would begin with before its first frame; up to
    /// `told` all is known.
    pub fn introduction(mut self, told: Sequence) -> Result<Vec<Finding>, ReadError> {
        (self.introduces, self.told) = (self.catalog.folder.is_some(), told);
        self.begin()?;
        let finding = |step| match step {
            WalkStep::Finding(finding) => Some(finding),
            _ => None,
        };
        Ok(self.queued.into_iter().filter_map(finding).collect())
    }

    /// A scan of the segment at hand: from its start, from the place the walk begins at, or from
    /// a commit end (with fresh bytes, for a second look).
    pub(super) fn open_scan(&self, resume: Option<ScanEnd>) -> io::Result<SegmentScan<Source>> {
        let segment = &self.catalog.segments[self.index];
        let Some(header) = segment.walkable() else {
            return Err(io::ErrorKind::InvalidData.into());
        };
        let mut header = *header;
        let linked = self.linked.filter(|_| header.number.0 > 0);
        let chain_known = segment.standing == Standing::Sound
            || linked.is_some()
            || (header.number.0 == 0 && header.journal != JournalId::default());
        if segment.standing == Standing::HeaderRebuilt {
            header.previous.chain = linked.unwrap_or_default();
        }
        let header = &header;
        let (mut bound, mut witness) = self.catalog.bound_of(self.index);
        if bound.is_none()
            && let Some(folder) = &self.catalog.folder
            && self.index + 1 == self.catalog.segments.len()
            && resume.is_some()
        {
            // It may have been rolled or fenced since it was listed.
            let since = Catalog::successor(&self.storage, folder, header)?;
            (bound, witness) = since.map_or((None, witness), |(at, last)| (Some(at), last));
        }
        let file = Arc::new(self.storage.open(&segment.path, OpenHow::Read)?);
        let source = if bound.is_some() && self.options.map {
            Source::mapped(file, self.options.forgiving)?
        } else {
            Source::window_of(file, self.options.forgiving, self.options.brief)?
        };
        let entry = self.entry.map(|it| (it.offset, it.mark, true));
        let place = resume.map(|end| (end.offset, end.mark, end.chain_known)).or(entry);
        let mut scan = match place {
            Some((offset, mark, chain_known)) => {
                let scan = SegmentScan::resume(source, header, bound, witness, offset, mark);
                if chain_known { scan } else { scan.with_chain_unknown() }
            }
            None => {
                let scan = SegmentScan::new(source, header, bound, witness);
                if chain_known { scan } else { scan.with_chain_unknown() }
            }
        };
        if !self.options.chain {
            scan = scan.without_chain();
        }
        if self.options.brief {
            scan = scan.ending_at_zeros();
        }
        Ok(scan)
    }

    /// Whether segments are missing before this one.
    fn check_number(&mut self, catalog: &Catalog, segment: &Listed) {
        let before = catalog.own_before(self.index).map(|it| it.name.number);
        let expected = before.map_or(0, |number| number.0 + 1);
        if segment.name.number.0 > expected {
            let (first, last) = (self.told.next(), segment.name.first_sequence.0.saturating_sub(1));
            let lost = (last >= first.0).then_some((first, Sequence(last)));
            self.tell(at(SegmentNumber(expected), Verdict::SegmentMissing, lost));
        }
    }

    /// Whether the tail slot knows of a segment behind the last one there is, or an event was seen that
    /// none has; told once.
    pub(super) fn check_tail(&mut self) -> bool {
        if std::mem::replace(&mut self.tail_checked, true) {
            return false;
        }
        let last = self.catalog.own_before(usize::MAX);
        let last = last.map_or(SegmentNumber(0), |it| it.name.number);
        let slot = self.catalog.slot.filter(|slot| slot.segment > last);
        let seen = self.catalog.seen;
        if slot.is_none() && seen <= self.told {
            return false;
        }
        let known = slot.map_or(seen, |slot| seen.max(slot.proven.sequence));
        let lost = (known > self.told).then_some((self.told.next(), known));
        self.tell(at(SegmentNumber(last.0 + 1), Verdict::SegmentMissing, lost));
        true
    }

    /// Whether this segment goes on where the one before it ended.
    fn check_link(&mut self, segment: &Listed) {
        let Some(header) = segment.header else { return };
        if header.number == SegmentNumber(0) && !header.begins_journal() {
            self.tell(at(header.number, Verdict::ChainBroken, None));
        }
        let Some(before) = self.before else { return };
        let adjacent = self
            .catalog
            .own_before(self.index)
            .is_some_and(|it| it.walkable().is_some() && it.name.number.0 + 1 == header.number.0);
        if adjacent && before.chain_known && before.mark.chain != header.previous.chain {
            self.tell(at(header.number, Verdict::ChainBroken, None));
        }
    }

    fn pass_over(&mut self, segment: &Listed, verdict: Verdict) -> Result<(), ReadError> {
        let number = segment.name.number;
        let next = self.catalog.segments[self.index + 1..].iter().find_map(Listed::sound);
        let first = self.told.next();
        // Of the last one the tail slot may know how far it went, or somebody who saw it.
        let slot = self.catalog.slot.filter(|it| it.segment == number);
        let proven = slot.map_or(Sequence(0), |slot| slot.proven.sequence).max(self.catalog.seen);
        let proven = Some(proven).filter(|last| *last >= first);
        let last = match next {
            Some(next) => Some(Sequence(next.first_sequence.0.saturating_sub(1))),
            None => proven,
        };
        let (lost, exact) = match last {
            Some(last) => ((last >= first).then_some((first, last)), true),
            None => (Some((first, first)), false),
        };
        self.tell(Finding { exact, ..at(number, verdict, lost) });
        (self.before, self.linked) = (None, None);
        self.index += 1;
        Ok(())
    }
}

/// A finding about a segment as a whole.
fn at(segment: SegmentNumber, verdict: Verdict, lost: Option<(Sequence, Sequence)>) -> Finding {
    let at = Position { segment, offset: Offset(0) };
    Finding { verdict, at, bytes: 0, lost, exact: true }
}
