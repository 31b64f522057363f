//! What looks remember: of each file what it was, and what did not hold in it.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::listing::{Listed, Listing, number};
use super::{Depth, Look, Place, Wound, WoundKind};
use crate::event::{Ordered, RecordedLoss, Sequence};
use crate::journal::archive::{is_out_of_reach, wrong_segment};
use crate::journal::{Begin, Mark, Seen, VerifyReport, derived_file};
use crate::store::Identity;
use crate::store::error::with_cause;

const VERSION: u32 = 3;
const BYTES_MAX: u64 = 64 << 20;
/// Wounds that are remembered in words; the others are counted.
const WOUNDS_MAX: usize = 100;

#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Memory {
    version: u32,
    segments: Vec<Known>,
    pub blobs: BTreeMap<String, Blob>,
    wounds: Vec<Wound>,
    count: u64,
    /// What its `LOCK` said last: a witness where that file is lost.
    lock: Option<Vec<u8>>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Known {
    name: String,
    identity: Identity,
    /// It had been left alone for long enough to be known by its times.
    settled: bool,
    /// The end of its last commit: what was added later begins there.
    end: Option<End>,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct End {
    offset: u64,
    sequence: u64,
    chain: [u8; 32],
}

#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Blob {
    /// `None` where an event names it and nobody saw it.
    pub identity: Option<Identity>,
    pub settled: bool,
    pub holds: bool,
    /// It is not there, and an event names it or it was there once.
    pub gone: bool,
}

impl Memory {
    /// `None` where there is none, or not of this making: it can be made again.
    pub fn read(path: &Path) -> Option<Self> {
        let bytes = derived_file::read(path, BYTES_MAX)?;
        // Whatever is wrong with it, a new look makes another.
        let memory: Self = serde_json::from_slice(&bytes).ok()?;
        (memory.version == VERSION).then_some(memory)
    }

    pub fn write(&mut self, path: &Path) -> io::Result<()> {
        self.version = VERSION;
        let bytes = serde_json::to_vec(self)?;
        if derived_file::read(path, BYTES_MAX).as_deref() == Some(&bytes) {
            return Ok(());
        }
        derived_file::replace(path, &bytes)
    }

    pub fn witness(&self) -> Option<crate::journal::Witness> {
        crate::journal::Witness::parse(self.lock.as_deref()?)
    }

    pub fn keep(&mut self, witness: crate::journal::Witness) {
        self.lock = Some(witness.to_bytes());
    }

    /// Where a look must begin; `None` where all is as it was. `seen`: an event that it does not have.
    pub fn begin(&self, listing: &Listing, depth: Depth, seen: Option<Seen>) -> Option<Begin> {
        let segments = &listing.segments;
        let is_there = |known: &Known| segments.iter().any(|it| it.name == known.name);
        if segments.is_empty() || !self.segments.iter().all(is_there) {
            // Files are gone that were known: whatever is left is looked at.
            return begin_at(segments, 0);
        }
        let is_left_out = |it: &Listed| it.is_archived && depth != Depth::Whole;
        let is_known = |it: &Listed| {
            let known = self.known(&it.name);
            // That the archive has it again, its note does not say.
            is_left_out(it)
                || known.is_some_and(|it| it.settled)
                    && known.map(|it| it.identity) == Some(it.identity)
                    && !(it.is_archived && self.is_wounded(it))
        };
        let Some(first) = segments.iter().position(|it| !is_known(it)) else {
            return self.again(segments.last()?, seen);
        };
        let goes_on = |first: &usize| {
            let number = |at: usize| segments.get(at).and_then(|it| number(&it.name));
            first.checked_sub(1).and_then(number).map(|it| it + 1) == number(*first)
        };
        // What is missing is told by who comes from before it.
        let first = Some(first).filter(goes_on).unwrap_or(0);
        if self.is_cheap(&segments[first..], depth) {
            return begin_at(segments, first);
        }
        let last = segments.len() - 1;
        // A sealed one that is not what it was: that is no growth.
        let changed = |it: &Listed| self.known(&it.name).is_some() && !is_known(it);
        if let Some(sealed) = segments[..last].iter().position(changed) {
            return begin_at(segments, sealed);
        }
        self.after(&segments[last]).or_else(|| {
            begin_at(segments, last).filter(|_| self.is_cheap(&segments[last..], depth))
        })
    }

    /// At the journal's end, where not all depends on its bytes: what it lacks is known by what lies
    /// beside it.
    fn again(&self, last: &Listed, seen: Option<Seen>) -> Option<Begin> {
        let begin = self.after(last)?;
        let end = (begin.segment, begin.at.map_or(0, |(offset, _)| offset));
        let is_behind = |wound: &Wound| match wound.place {
            Place::Segment { number, offset } => (number, offset) >= end,
            _ => false,
        };
        let is_short = begin.at.zip(seen).is_some_and(|((_, at), it)| it.sequence > at.sequence);
        (is_short || self.wounds.iter().any(is_behind)).then_some(begin)
    }

    fn after(&self, last: &Listed) -> Option<Begin> {
        let known = self.known(&last.name)?;
        let same = known.identity.is_same_file(&last.identity);
        let end = known.end.filter(|_| same && last.identity.bytes >= known.identity.bytes)?;
        let mark = Mark { sequence: Sequence(end.sequence), chain: end.chain };
        Some(Begin { segment: number(&last.name)?, at: Some((end.offset, mark)) })
    }

    pub fn has_changed(&self, listing: &Listing, segment: u64) -> bool {
        let listed = listing.segments.iter().find(|it| number(&it.name) == Some(segment));
        let known = listed.and_then(|it| Some((it, self.known(&it.name)?)));
        known.is_some_and(|(listed, known)| listed.identity != known.identity)
    }

    fn is_wounded(&self, it: &Listed) -> bool {
        let number = number(&it.name);
        self.wounds.iter().any(|wound| match wound.place {
            Place::Segment { number: wounded, .. } => Some(wounded) == number,
            _ => false,
        })
    }

    /// Whether they may be read in passing. A file is as long as the space that was prepared in it.
    fn is_cheap(&self, segments: &[Listed], depth: Depth) -> bool {
        let end = |it: &Listed| Some(self.known(&it.name)?.end?.offset);
        let (depth, bytes): (_, u64) = match (depth, segments.iter().map(end).sum()) {
            (Depth::Brief, Some(known)) => (depth, known),
            // What was never looked at is, once.
            (Depth::Brief, None) => (Depth::Cheap, lengths(segments)),
            _ => (depth, lengths(segments)),
        };
        depth.bytes_max().is_none_or(|max| bytes <= max)
    }

    fn known(&self, name: &str) -> Option<&Known> {
        let found = self.segments.binary_search_by(|it| it.name.as_str().cmp(name));
        self.segments.get(found.unwrap_or(usize::MAX))
    }

    /// Notes contents that events name: each must be there.
    pub fn name_blobs(&mut self, names: &BTreeSet<[u8; 32]>) {
        for name in names {
            let name = blake3::Hash::from_bytes(*name).to_hex().to_string();
            self.blobs.entry(name).or_default();
        }
    }

    pub fn take(
        &mut self,
        listing: &Listing,
        begin: Option<Begin>,
        report: &VerifyReport,
        told: &[RecordedLoss],
        began_ms: u64,
    ) {
        let from = begin.map_or((0, 0), |it| (it.segment, it.at.map_or(0, |(offset, _)| offset)));
        let stays = |wound: &Wound| match wound.place {
            Place::Segment { number, offset } => (number, offset) < from,
            Place::Journal | Place::Store { .. } => false,
            Place::Blob { .. } => true,
        };
        self.wounds.retain(stays);
        let found = report.findings.iter().map(|it| Wound::of(it, told));
        // What an archive that is not there has is not lost.
        let unread =
            report.unreadable.iter().filter(|it| !is_out_of_reach(it)).map(
                |it| match wrong_segment(it).and_then(number) {
                    Some(number) => Wound::archived(number, with_cause(it)),
                    None => Wound::unreadable(with_cause(it)),
                },
            );
        self.wounds.extend(found.chain(unread));
        let more = report.findings_count.saturating_sub(report.findings.len() as u64);
        // What is not told one by one may be anything.
        let untold =
            (more > 0).then(|| Wound::unreadable(format!("{more} findings that are not listed")));
        self.count = self.wounds.len() as u64 + more;
        self.wounds.extend(untold);
        let is_before = |it: &&Listed| number(&it.name).is_some_and(|it| it < from.0);
        let mut segments: Vec<Known> = std::mem::take(&mut self.segments);
        segments.retain(|it| number(&it.name).is_some_and(|it| it < from.0));
        for it in listing.segments.iter().filter(|it| !is_before(it)) {
            let end = report.end.filter(|end| number(&it.name) == Some(end.segment.0));
            let end = end.zip(report.mark).map(|(end, mark)| {
                let (sequence, chain) = (mark.sequence.0, mark.chain.0);
                End { offset: end.offset.0, sequence, chain }
            });
            // Nothing was added: where it ended it ends.
            let before = begin.and_then(|it| it.at).map(|(offset, mark)| End {
                offset,
                sequence: mark.sequence.0,
                chain: mark.chain,
            });
            let (name, settled) = (it.name.clone(), it.identity.is_settled(began_ms));
            let end = end.or(before);
            segments.push(Known { name, identity: it.identity, settled, end });
        }
        self.segments = segments;
        self.sort();
    }

    pub fn take_blobs(&mut self, wounds: Vec<Wound>) {
        let before = self.wounds.len();
        self.wounds.retain(|wound| !matches!(wound.place, Place::Blob { .. }));
        self.count -= self.count.min((before - self.wounds.len()) as u64);
        self.count += wounds.len() as u64;
        self.wounds.extend(wounds);
        self.sort();
    }

    pub fn look(&self) -> Look {
        let is_mendable = self.wounds.iter().any(|wound| wound.kind == WoundKind::Cut);
        Look { wounds: self.wounds.clone(), count: self.count, is_mendable, ..Look::default() }
    }

    fn sort(&mut self) {
        self.segments.order_by(|one, other| one.name.cmp(&other.name));
        // Those that cost something stay.
        self.wounds.order_by_key(|wound| wound.kind != WoundKind::Loss);
        self.wounds.truncate(WOUNDS_MAX);
        self.wounds.order_by(|one, other| one.place.cmp(&other.place));
    }
}

fn lengths(segments: &[Listed]) -> u64 {
    segments.iter().map(|it| it.identity.bytes).fold(0, u64::saturating_add)
}

/// At a segment's start; one file that is no segment is read whole.
fn begin_at(segments: &[Listed], index: usize) -> Option<Begin> {
    let segment = segments.get(index).and_then(|it| number(&it.name)).unwrap_or(0);
    let segment = if index == 0 { 0 } else { segment };
    Some(Begin { segment, at: None })
}
