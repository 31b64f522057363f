//! Taking records over, in one order.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use annals_journal_format::frame::Flags;

use super::choice::Choice;
use super::origin::there;
use super::redacted::{self, Gone};
use super::rewrite::Bringer;
use super::source::{Taken, Walker};
use super::survey::Surveyed;
use super::withheld::Door;
use super::{Input, MergeError, MergeReport};
use crate::event::{
    Body, Envelope, Event, JournalsMerged, MergedChange, MergedRun, MergedSource, Sequence, Source,
};
use crate::journal::{Journal, Project};

/// A commit of the merge is closed at so many records, or bytes of them.
const RECORDS_MAX: usize = 4096;
const BYTES_MAX: usize = 4 << 20;
/// A commit of a source above this is taken over in several: with what is told of it, it would be too large for one.
const UNIT_BYTES_MAX: usize = 8 << 20;
/// Readers tell of a clock that runs back by more than this, milliseconds.
const BACK_MS_MAX: u64 = 60_000;

/// One source on its way.
struct Lane<'a> {
    walker: Walker,
    bringer: Bringer,
    door: Door,
    /// What is taken of it, and how much of that is done.
    take: &'a BTreeMap<[u8; 16], Vec<u64>>,
    done: BTreeMap<[u8; 16], usize>,
    /// The commit that is next, and when it is in the one order: no earlier than the one before it.
    next: Vec<Taken>,
    at_ms: u64,
}

impl Lane<'_> {
    fn step(&mut self) -> Result<bool, MergeError> {
        let Some(next) = self.walker.next()? else { return Ok(false) };
        self.at_ms = next.first().map_or(0, |it| it.carried.time_ms).max(self.at_ms);
        self.next = next;
        Ok(true)
    }

    fn takes(&mut self, record: &Taken) -> bool {
        let Some(wanted) = self.take.get(&record.origin.journal) else { return false };
        let done = self.done.entry(record.origin.journal).or_default();
        while wanted.get(*done).is_some_and(|it| *it < record.origin.sequence.0) {
            *done += 1;
        }
        let takes = wanted.get(*done) == Some(&record.origin.sequence.0);
        *done += usize::from(takes);
        takes
    }
}

pub(super) fn take(
    inputs: &[Input],
    surveyed: &[Surveyed],
    choice: Choice,
    before: &Surveyed,
    project: &Project,
) -> Result<MergeReport, MergeError> {
    let dir = project.journal_dir();
    let journal = project.journal()?;
    // Nobody appends in between: numbers are given before they are written.
    let _hold = journal.hold()?;
    let Choice { take, mut reports } = choice;
    let mut places: BTreeMap<[u8; 16], Vec<(u64, u64)>> = BTreeMap::new();
    for (id, records) in &before.records {
        places.insert(*id, records.iter().map(|it| (it.sequence, it.local)).collect());
    }
    let mut batch = Batch::behind(journal, surveyed, before);
    let (mut lanes, mut order, mut gone) = (Vec::new(), BinaryHeap::new(), Vec::new());
    for (number, input) in inputs.iter().enumerate() {
        let lane = Lane {
            walker: Walker::of(input, surveyed[number].last)?,
            bringer: Bringer::of(input, others(inputs, number), &dir),
            door: Door::of_user(input)?,
            take: &take[number],
            done: BTreeMap::new(),
            next: Vec::new(),
            at_ms: 0,
        };
        lanes.push(lane);
        if !take[number].is_empty() && lanes[number].step()? {
            order.push(Reverse((lanes[number].at_ms, number)));
        }
    }
    while let Some(Reverse((_, number))) = order.pop() {
        let lane = &mut lanes[number];
        let unit = std::mem::take(&mut lane.next);
        let bytes: usize = unit.iter().map(|it| it.carried.frame_bytes()).sum();
        let is_large = bytes > UNIT_BYTES_MAX || unit.len() > RECORDS_MAX;
        batch.make_room(unit.len(), bytes)?;
        for record in unit {
            if !lane.takes(&record) {
                let known = places.get(&record.origin.journal);
                let place = known.and_then(|it| {
                    let at = it.binary_search_by_key(&record.origin.sequence.0, |it| it.0);
                    at.ok().map(|at| it[at].1) // not there
                });
                if let Some(place) = place {
                    lane.bringer.numbers.note(record.local, place);
                }
                continue;
            }
            if is_large {
                batch.make_room(1, record.carried.frame_bytes())?;
            }
            let (local, origin) = (record.local, record.origin);
            let (record, is_withheld) = lane.door.passed(record);
            reports[number].withheld += u64::from(is_withheld);
            let is_gone = record.carried.flags.has(Flags::REDACTED);
            let place = batch.add(number, record, &mut lane.bringer)?;
            lane.bringer.numbers.note(local, place);
            if is_withheld {
                lane.bringer.withheld.insert(local);
            }
            gone.extend(is_gone.then_some(Gone { source: number, local, place, is_withheld }));
            let of = places.entry(origin.journal).or_default();
            // In order already, but where two sources complete one another.
            let at = of.partition_point(|it| it.0 < origin.sequence.0);
            of.insert(at, (origin.sequence.0, place));
        }
        if lane.step()? {
            order.push(Reverse((lane.at_ms, number)));
        }
    }
    batch.close()?;
    redacted::tell(inputs, &gone, project, journal)?;
    for (report, lane) in reports.iter_mut().zip(&lanes) {
        report.contents_missing = lane.bringer.missing;
    }
    let last = journal.sync()?.sequence.0;
    Ok(MergeReport { journal: journal.id(), last, sources: reports })
}

/// The commit that is being put together.
struct Batch<'a> {
    journal: &'a Journal,
    surveyed: &'a [Surveyed],
    last: u64,
    last_ms: u64,
    records: Vec<annals_journal_format::frame::Carried>,
    bytes: usize,
    event: JournalsMerged,
    /// Which of the event's sources a journal is, by the source at hand and its id.
    named: BTreeMap<[u8; 16], u32>,
    first_ms: u64,
}

impl<'a> Batch<'a> {
    fn behind(journal: &'a Journal, surveyed: &'a [Surveyed], before: &Surveyed) -> Self {
        Self {
            journal,
            surveyed,
            last: before.last.0,
            last_ms: before.last_ms,
            records: Vec::new(),
            bytes: 0,
            event: empty(),
            named: BTreeMap::new(),
            first_ms: 0,
        }
    }

    fn make_room(&mut self, records: usize, bytes: usize) -> Result<(), MergeError> {
        let is_full = self.records.len() + records > RECORDS_MAX || self.bytes + bytes > BYTES_MAX;
        if is_full && !self.records.is_empty() {
            self.close()?;
        }
        Ok(())
    }

    /// Takes a record over; answers its number.
    fn add(
        &mut self,
        source: usize,
        record: Taken,
        bringer: &mut Bringer,
    ) -> Result<u64, MergeError> {
        let (origin, flags) = (record.origin, record.ends);
        let mut carried = bringer.bring(record.carried)?;
        // Merged before, it was perhaps changed then.
        let mut is_changed = there(&carried, origin.sequence, flags).leaf() != origin.leaf;
        if carried.time_ms.saturating_add(BACK_MS_MAX) < self.last_ms {
            (carried.time_ms, is_changed) = (self.last_ms, true);
        }
        self.last_ms = self.last_ms.max(carried.time_ms);
        if self.records.is_empty() {
            self.first_ms = carried.time_ms;
        }
        let number = self.records.len() as u64;
        let of = self.source_of(source, origin.journal);
        match self.event.runs.last_mut() {
            Some(run)
                if run.source == of
                    && run.first.checked_add(run.count) == Some(origin.sequence.0) =>
            {
                run.count += 1;
            }
            _ => self.event.runs.push(MergedRun { source: of, first: origin.sequence.0, count: 1 }),
        }
        self.event.flags.push(flags);
        if is_changed {
            let record = u32::try_from(number).unwrap_or(u32::MAX);
            self.event.changed.push(MergedChange { record, leaf: origin.leaf });
        }
        self.bytes += carried.frame_bytes();
        self.records.push(carried);
        // Behind the last event stands the one that tells of these.
        Ok(self.last + 2 + number)
    }

    fn source_of(&mut self, source: usize, journal: [u8; 16]) -> u32 {
        if let Some(known) = self.named.get(&journal) {
            return *known;
        }
        let of = &self.surveyed[source];
        let described = match of.id == journal {
            true => MergedSource {
                journal,
                project: of.project.clone(),
                last: of.last.0,
                size: of.size,
                root: of.root,
            },
            // One that was merged into the source before: of it no more is known here than its records.
            false => MergedSource {
                journal,
                project: of.project.clone(),
                last: 0,
                size: 0,
                root: [0; 32],
            },
        };
        let number = u32::try_from(self.event.sources.len()).unwrap_or(u32::MAX);
        self.event.sources.push(described);
        self.named.insert(journal, number);
        number
    }

    fn close(&mut self) -> Result<(), MergeError> {
        if self.records.is_empty() {
            return Ok(());
        }
        let body = Body::JournalsMerged(std::mem::replace(&mut self.event, empty()));
        let event = Event { envelope: Envelope::new(None, Source::Annals, self.first_ms), body };
        let records = std::mem::take(&mut self.records);
        let appended = self.journal.carry(Sequence(self.last), &event, self.first_ms, &records)?;
        self.last = appended.last.0;
        self.bytes = 0;
        self.named.clear();
        Ok(())
    }
}

fn empty() -> JournalsMerged {
    JournalsMerged { sources: Vec::new(), runs: Vec::new(), flags: Vec::new(), changed: Vec::new() }
}

fn others(inputs: &[Input], own: usize) -> Vec<Input> {
    let others = inputs.iter().enumerate().filter(|(number, _)| *number != own);
    others.map(|(_, input)| input.clone()).collect()
}
