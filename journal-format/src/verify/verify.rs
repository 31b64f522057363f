//! The walk that verifies.

use std::path::Path;
use std::sync::Arc;

use super::judge::{Judge, Nobody, Shown};
use super::seals::{self, ToldSeal};
use super::{BytesByState, SegmentReport, VerifyReport, archived, meaning};
use crate::chain;
use crate::frame::{Flags, kind};
use crate::limits::{FINDINGS_MAX, HEADER_PAGE_BYTES};
use crate::lock::TailSlot;
use crate::reader::{Catalog, LockState, ReadError, Walk, WalkOptions, WalkStep, Waypoint};
use crate::scan::{ChainCheck, Finding, ScanEnd, Verdict};
use crate::storage::{OpenHow, Storage, StorageFile};
use crate::units::{Mark, Offset, Position, Seen, SegmentNumber, Sequence};

/// What to verify.
#[derive(Clone, Copy, Debug)]
pub struct VerifyOptions {
    /// Recompute the chain.
    pub chain: bool,
    /// Decompress every payload.
    pub payloads: bool,
    /// Where to begin; `None`: at the journal's start.
    pub from: Option<VerifyFrom>,
    /// What the lock file said of the tail when somebody saw it last, where it says nothing any more.
    pub witness: Option<TailSlot>,
    /// An event that was there: one beyond the journal's end is lost.
    pub seen: Option<Seen>,
}

/// Where to begin, for those who know what lies before.
#[derive(Clone, Copy, Debug)]
pub struct VerifyFrom {
    pub segment: SegmentNumber,
    /// The end of a commit in that segment, and its mark; `None`: at the segment's start.
    pub at: Option<(Offset, Mark)>,
}

impl Default for VerifyOptions {
    fn default() -> Self {
        Self { chain: true, payloads: true, from: None, witness: None, seen: None }
    }
}

/// Verifies a journal's folder or one segment: both copies of every header, every CRC, the chain,
/// and that the segments belong together. Never writes.
pub fn verify<S: Storage>(
    storage: &S,
    path: &Path,
    options: VerifyOptions,
) -> Result<VerifyReport, ReadError> {
    verify_with(storage, path, options, &mut Nobody)
}

/// As [`verify`], and shows every event to `judge`.
pub fn verify_with<S: Storage>(
    storage: &S,
    path: &Path,
    options: VerifyOptions,
    judge: &mut dyn Judge,
) -> Result<VerifyReport, ReadError> {
    let mut catalog = Catalog::read(storage, path)?;
    let journal = catalog.journal;
    let witness = options.witness.filter(|slot| slot.journal == journal);
    catalog.slot = catalog.slot.or(witness);
    if catalog.folder.is_some() {
        catalog.seen = Seen::of(options.seen, journal);
    }
    let catalog = Arc::new(catalog);
    let walk_options = WalkOptions {
        chain: options.chain,
        map: false,
        confirm: true,
        forgiving: true,
        brief: false,
    };
    let (index, entry) = options.from.map_or((0, None), |from| begin(&catalog, from));
    let mut walk = Walk::new(storage.clone(), Arc::clone(&catalog), walk_options, index, entry);
    let mut report = empty(&catalog);
    // Damage since the last commit: where, and how many bytes.
    let mut open = Vec::new();
    let mut last_ms = 0;
    // The chain at the end of the last commit, where all holds since.
    let mut linked = options.from.is_none().then(|| chain::genesis(journal));
    loop {
        match walk.step() {
            Ok(None) => break,
            Ok(Some(WalkStep::Begin)) => {
                let index = walk.segment();
                if let Some(finding) = meaning::of_header(storage, &catalog.segments[index]) {
                    report.take_finding(index, finding, &mut Vec::new());
                }
            }
            Ok(Some(WalkStep::Finding(finding))) => {
                linked = linked.filter(|_| !finding.verdict.is_loss() && !finding.verdict.is_cut());
                report.take_finding(walk.segment(), finding, &mut open);
            }
            Ok(Some(WalkStep::Commit)) => {
                open.clear();
                linked = report.take_redacted(&mut walk, linked)?;
                report.take_commit(&mut walk, options, &mut last_ms, judge)?;
            }
            Ok(Some(WalkStep::End(index, end))) => {
                let segment = &catalog.segments[index];
                let file = storage.open(&segment.path, OpenHow::Read);
                let len = file.as_ref().map_or(Ok(end.offset.0), StorageFile::len);
                let len = len.unwrap_or(end.offset.0);
                report.take_end(index, end, len);
                // Of one that lies elsewhere also the room behind what counts must be what was put there.
                if let (true, Ok(file)) = (index + 1 < catalog.segments.len(), file)
                    && let Err(source) = archived::read_blocks(&file, end.offset, len)
                {
                    let path = segment.path.clone();
                    report.unreadable.push(ReadError::Io { path, did: "read", source });
                }
            }
            Err(error) => report.unreadable.push(error),
        }
    }
    report.seals.extend(seals::behind_bounds(storage, &report));
    report.seals.sort_by_key(|seal| seal.at.segment);
    // A root is made of every record: who goes on from where all was held before is not to read them again.
    let is_whole = (index, entry.is_none()) == (0, true);
    let checked = is_whole.then(|| seals::check(storage, path, &report));
    for finding in checked.into_iter().flatten() {
        let index = report.segments.iter().position(|it| it.summary.number == finding.at.segment);
        report.take_finding(index.unwrap_or_default(), finding, &mut Vec::new());
    }
    report.lock = walk.lock_state();
    report.unreadable.extend(walk.take_unreadable());
    for segment in &report.segments {
        report.bytes += segment.bytes;
    }
    Ok(report)
}

fn begin(catalog: &Catalog, from: VerifyFrom) -> (usize, Option<Waypoint>) {
    let index = catalog.segments.partition_point(|it| it.name.number < from.segment);
    let entry = from.at.map(|(offset, mark)| Waypoint { offset, mark });
    (index, entry)
}

fn empty(catalog: &Catalog) -> VerifyReport {
    let segment = |summary| SegmentReport {
        summary,
        ended: None,
        events: 0,
        commits: 0,
        findings_count: 0,
        bytes: BytesByState::default(),
    };
    VerifyReport {
        journal: catalog.journal,
        segments: catalog.segments.iter().map(|it| segment(it.summary())).collect(),
        events: 0,
        commits: 0,
        commits_chained: 0,
        redacted: 0,
        redacted_commits: Vec::new(),
        seals: Vec::new(),
        sequences: None,
        mark: None,
        end: None,
        durable: Sequence(0),
        bytes: BytesByState::default(),
        findings: Vec::new(),
        findings_count: 0,
        unreadable: Vec::new(),
        lock: LockState::NotAsked,
    }
}

impl VerifyReport {
    fn take_finding(&mut self, walked: usize, finding: Finding, open: &mut Vec<(Offset, u64)>) {
        self.findings_count += 1;
        if self.findings.len() < FINDINGS_MAX {
            self.findings.push(finding);
        }
        let number = finding.at.segment;
        // A finding about a whole segment may be told when the walk stands behind it already.
        let here = [walked, walked.wrapping_sub(1)]
            .into_iter()
            .find(|index| self.segments.get(*index).is_some_and(|it| it.summary.number == number))
            .and_then(|index| self.segments.get_mut(index));
        let Some(segment) = here else { return };
        segment.findings_count += 1;
        match finding.verdict {
            Verdict::Damage | Verdict::AcknowledgedLoss | Verdict::OutOfOrder => {
                segment.bytes.damaged += finding.bytes;
                open.push((finding.at.offset, finding.bytes));
            }
            Verdict::TornTail | Verdict::UnsyncedHole => {
                segment.bytes.void += finding.bytes;
                // Damage in the commit that is void is void with it.
                let within = open.iter().filter(|(offset, _)| *offset >= finding.at.offset);
                let within: u64 = within.map(|(_, bytes)| bytes).sum();
                segment.bytes.damaged = segment.bytes.damaged.saturating_sub(within);
            }
            _ => {}
        }
    }

    fn take_commit<S: Storage>(
        &mut self,
        walk: &mut Walk<S>,
        options: VerifyOptions,
        last_ms: &mut u64,
        judge: &mut dyn Judge,
    ) -> Result<(), ReadError> {
        let index = walk.segment();
        let Some(commit) = walk.commit() else { return Ok(()) };
        let commit = commit?;
        let segment = &mut self.segments[index];
        let number = segment.summary.number;
        let mut wrong = Vec::new();
        wrong.extend(meaning::of_commit(&commit, number));
        let (mut events, mut control) = (0, false);
        for frame in commit.frames {
            let header = &frame.header;
            let bytes = header.frame_bytes() as u64;
            if header.is_control() {
                segment.bytes.control += bytes;
                control = true;
                if header.kind == kind::SEAL {
                    let at = Position { segment: number, offset: commit.offset_of(frame) };
                    self.seals.extend(ToldSeal::parse(at, commit.stored(frame)));
                }
                continue;
            }
            segment.bytes.frames += bytes;
            events += 1;
            let first = self.sequences.map_or(header.sequence, |(first, _)| first);
            self.sequences = Some((first, header.sequence));
            let at = Position { segment: number, offset: commit.offset_of(frame) };
            let lost = Some((header.sequence, header.sequence));
            let mut tell = |verdict, lost| {
                wrong.push(Finding { verdict, at, bytes, lost, exact: true });
            };
            if meaning::runs_back(std::mem::replace(last_ms, header.time_ms), header.time_ms) {
                tell(Verdict::TimeRunsBack, None);
            }
            if header.flags.has(Flags::REDACTED) {
                self.redacted += 1;
                judge.redacted(header);
                continue;
            }
            if !meaning::is_padded_with_zeros(&commit, frame) {
                tell(Verdict::PaddingNotZero, None);
            }
            if !options.payloads {
                continue;
            }
            match commit.payload(frame) {
                Err(_) => tell(Verdict::PayloadDamaged, lost),
                Ok(payload) => {
                    if let Some(verdict) = judge.event(Shown { header, at, payload: &payload }) {
                        tell(verdict, lost);
                    }
                }
            }
        }
        if let Some(mark) = commit.mark.filter(|_| events > 0) {
            judge.commit_ended(mark);
        }
        segment.events += events;
        self.events += events;
        self.durable = self.durable.max(commit.durable);
        if !control {
            segment.commits += 1;
            self.commits += 1;
            self.commits_chained += u64::from(commit.chain == ChainCheck::Holds);
            self.mark = commit.mark.or(self.mark);
            if commit.mark.is_some() {
                let segment = segment.summary.number;
                let offset = Offset(commit.offset.0 + commit.bytes.len() as u64);
                self.end = Some(Position { segment, offset });
            }
        }
        for finding in wrong {
            self.take_finding(index, finding, &mut Vec::new());
        }
        Ok(())
    }

    /// What is left of a segment is zeros or void.
    fn take_end(&mut self, index: usize, end: ScanEnd, len: u64) {
        let segment = &mut self.segments[index];
        segment.ended = Some(end.cause);
        let bytes = &mut segment.bytes;
        bytes.header = HEADER_PAGE_BYTES.min(len);
        let rest = len.saturating_sub(bytes.total());
        match end.cause {
            crate::scan::EndCause::Bound => bytes.void += rest,
            _ => bytes.free += rest,
        }
    }
}
