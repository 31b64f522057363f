//! The walk over all segments that everything that reads is built on.

use std::collections::VecDeque;
use std::io;
use std::sync::Arc;

use super::catalog::Catalog;
use super::source::Source;
use super::waypoints::Waypoint;
use super::{LockState, ReadError};
use crate::scan::{ChainCheck, CommitView, Finding, ScanEnd, SegmentScan, Step, Verdict};
use crate::storage::Storage;
use crate::units::{Chain, Offset, Position, SegmentNumber, Sequence};

/// How to walk.
#[derive(Clone, Copy, Debug)]
pub struct WalkOptions {
    /// Recompute the chain of every commit.
    pub chain: bool,
    /// Map segments that no one writes; else read them through a window.
    pub map: bool,
    /// Read a bad frame at the tail again under a shared lock before it is told.
    pub confirm: bool,
    /// Take what the disk does not give for damage, and go on behind it: for those who look for
    /// damage, not for those who act on what they read.
    pub forgiving: bool,
    /// Read little at a time, and take zeros behind the last commit for its end unread: prepared
    /// space is megabytes of them. For those who look often for what is new.
    pub brief: bool,
}

/// What a walk met.
#[derive(Debug)]
pub enum WalkStep {
    /// The walk enters the segment that [`Walk::segment`] names.
    Begin,
    /// A commit: [`Walk::commit`] shows it until the next step.
    Commit,
    Finding(Finding),
    /// The walk leaves the segment at this index.
    End(usize, ScanEnd),
}

/// A walk over the segments of a catalog, in order.
pub struct Walk<S: Storage> {
    pub(super) storage: S,
    pub(super) catalog: Arc<Catalog>,
    pub(super) options: WalkOptions,
    /// The segment at hand, or the next to enter.
    pub(super) index: usize,
    pub(super) scan: Option<SegmentScan<Source>>,
    pub(super) queued: VecDeque<WalkStep>,
    /// The highest sequence that was shown or told lost.
    pub(super) told: Sequence,
    /// How the last segment that was walked ended.
    pub(super) before: Option<ScanEnd>,
    /// The chain that a segment without a header goes on from, where it is known.
    pub(super) linked: Option<Chain>,
    /// Where the first segment is entered, if not at its start.
    pub(super) entry: Option<Waypoint>,
    pub(super) entered: bool,
    /// Whether what the tail slot says was held against what was read.
    pub(super) tail_checked: bool,
    /// Whether what lies before the first segment is looked at.
    pub(super) introduces: bool,
    /// The end of the last commit met: what a second look begins from.
    pub(super) good: Option<ScanEnd>,
    /// Up to here the tail was read while no writer was at work.
    pub(super) confirmed_to: Offset,
    pub(super) lock: LockState,
    pub(super) unreadable: Vec<ReadError>,
    pub(super) next_waypoint: Offset,
}

impl<S: Storage> Walk<S> {
    /// From the segment at `index`, at its start or at a commit end in it.
    pub fn new(
        storage: S,
        catalog: Arc<Catalog>,
        options: WalkOptions,
        index: usize,
        entry: Option<Waypoint>,
    ) -> Self {
        let first = catalog.segments.get(index).map_or(Sequence(0), |it| it.name.first_sequence);
        let from_the_start = index == 0 && entry.is_none() && catalog.folder.is_some();
        let told = if from_the_start { 0 } else { first.0.saturating_sub(1) };
        Self {
            storage,
            catalog,
            options,
            index,
            scan: None,
            queued: VecDeque::new(),
            told: entry.map_or(Sequence(told), |it| it.mark.sequence),
            before: None,
            linked: None,
            entry,
            entered: false,
            tail_checked: false,
            introduces: from_the_start,
            good: None,
            confirmed_to: Offset(0),
            lock: LockState::NotAsked,
            unreadable: Vec::new(),
            next_waypoint: Offset(0),
        }
    }

    /// What comes next; `None` at the journal's end. After an error the walk goes on with the
    /// next segment.
    pub fn step(&mut self) -> Result<Option<WalkStep>, ReadError> {
        loop {
            if let Some(step) = self.queued.pop_front() {
                return Ok(Some(step));
            }
            if self.scan.is_none() {
                if self.index >= self.catalog.segments.len() {
                    if !self.check_tail() {
                        return Ok(None);
                    }
                    continue;
                }
                self.begin()?;
                continue;
            }
            match self.scan_step() {
                Ok(Some(Met::Commit)) => self.note_commit(),
                Ok(Some(Met::Finding(finding))) => self.judge(finding)?,
                Ok(None) => self.leave(),
                Err(source) => return Err(self.give_up(source)),
            }
        }
    }

    /// The commit of the last step; empty after any other.
    pub fn commit(&mut self) -> Option<Result<CommitView<'_>, ReadError>> {
        let path = &self.catalog.segments.get(self.index)?.path;
        let view = self.scan.as_mut()?.commit();
        Some(view.map_err(|source| ReadError::Io { path: path.clone(), did: "read", source }))
    }

    /// What [`Self::commit`] lies in, where that can be kept.
    pub fn shared(&self) -> Option<Arc<Vec<u8>>> {
        self.scan.as_ref()?.shared().cloned()
    }

    /// The index of the segment at hand in the catalog.
    pub fn segment(&self) -> usize {
        self.index
    }

    /// Its number.
    pub fn at_segment(&self) -> SegmentNumber {
        self.catalog.segments[self.index].name.number
    }

    /// What was learned of the lock so far.
    pub fn lock_state(&self) -> LockState {
        self.lock
    }

    pub(super) fn scan_step(&mut self) -> io::Result<Option<Met>> {
        self.scan.as_mut().map_or(Ok(None), step)
    }

    pub(super) fn note_commit(&mut self) {
        let Some(scan) = &mut self.scan else { return };
        let end = scan.end();
        self.good = Some(end);
        let segment = &self.catalog.segments[self.index];
        let mut events = false;
        // What was shown a moment ago is still held: this reads nothing.
        if let Ok(commit) = scan.commit() {
            let first = commit.frames.first().map(|it| it.header.sequence);
            events = commit.frames.iter().any(|it| !it.header.is_control());
            if commit.chain == ChainCheck::Broken {
                let gap = first.filter(|first| *first > self.told.next());
                self.queued.push_back(WalkStep::Finding(Finding {
                    verdict: Verdict::ChainBroken,
                    at: Position { segment: segment.name.number, offset: commit.offset },
                    bytes: commit.bytes.len() as u64,
                    lost: gap.map(|first| (self.told.next(), Sequence(first.0 - 1))),
                    exact: true,
                }));
            }
            if let Some(mark) = commit.mark
                && events
                && end.offset >= self.next_waypoint
            {
                let waypoint = Waypoint { offset: end.offset, mark };
                self.next_waypoint = segment.waypoints.note(waypoint);
            }
        }
        if events {
            self.linked = end.chain_known.then_some(end.mark.chain);
        }
        self.told = self.told.max(end.mark.sequence);
        self.queued.push_back(WalkStep::Commit);
    }

    pub(super) fn tell(&mut self, finding: Finding) {
        if finding.verdict.is_loss() && finding.bytes > 0 {
            self.linked = None;
        }
        if let Some((_, last)) = finding.lost {
            self.told = self.told.max(last);
        }
        self.queued.push_back(WalkStep::Finding(finding));
    }

    pub(super) fn leave(&mut self) {
        let end = self.close().or(self.good);
        if let Some(end) = end {
            self.before = Some(end);
            self.queued.push_back(WalkStep::End(self.index, end));
        }
        self.index += 1;
    }

    /// Ends the scan, and keeps what the disk did not give it.
    pub(super) fn close(&mut self) -> Option<ScanEnd> {
        let scan = self.scan.take()?;
        let end = scan.end();
        let path = &self.catalog.segments[self.index].path;
        let told = |offset| ReadError::Segment {
            path: path.clone(),
            offset,
            source: io::Error::other("the disk does not give these 4096 bytes"),
        };
        self.unreadable.extend(scan.into_bytes().unreadable().into_iter().map(told));
        Some(end)
    }

    /// What the disk did not give a forgiving walk, in segments that it has left.
    pub fn take_unreadable(&mut self) -> Vec<ReadError> {
        std::mem::take(&mut self.unreadable)
    }

    pub(super) fn give_up(&mut self, source: io::Error) -> ReadError {
        let offset = self.scan.take().map_or(0, |scan| scan.end().offset.0);
        let path = self.catalog.segments[self.index].path.clone();
        (self.before, self.linked) = (None, None);
        self.index += 1;
        ReadError::Segment { path, offset, source }
    }
}

/// A function of its own, for one type: whoever walks calls it here.
fn step(scan: &mut SegmentScan<Source>) -> io::Result<Option<Met>> {
    Ok(scan.next_step()?.map(|step| match step {
        Step::Commit(_) => Met::Commit,
        Step::Finding(finding) => Met::Finding(finding),
    }))
}

/// What a scan met, without what it lends.
pub(super) enum Met {
    Commit,
    Finding(Finding),
}
