//! Backward over a journal's entries.

use std::io;
use std::sync::Arc;

use super::back_commit::BackCommit;
use super::source::Source;
use super::state::{State, locate};
use super::walk::{Walk, WalkOptions, WalkStep};
use super::{CommitEnd, Entry, Item, ReadError};
use crate::frame::{CrcSeed, FrameHeader, layout};
use crate::limits::HEADER_PAGE_BYTES;
use crate::scan::{Bytes, ChainCheck, Finding, Verdict};
use crate::storage::{OpenHow, Storage};
use crate::units::{Offset, Position, SegmentNumber, Sequence};

/// Backward over entries, newest first; each commit's end comes before its entries. The chain is
/// not recomputed: it runs the other way.
///
/// Whole commits are found from their ends. Where one cannot be, what is before it in that
/// segment is walked forward once and then told backward, so that damage costs no more here than
/// in the other direction.
pub struct EntriesBack<S: Storage> {
    storage: S,
    state: Arc<State>,
    from: Sequence,
    /// Segments not yet entered: those below this index.
    below: usize,
    open: Option<Open>,
    /// What is told next, last first.
    pending: Vec<Told>,
}

/// The segment at hand.
struct Open {
    index: usize,
    number: SegmentNumber,
    seed: CrcSeed,
    source: Source,
    /// Where the commit that comes next ends; `None` where it was walked forward.
    end: Option<Offset>,
    /// From here on the window holds the bytes.
    held_from: u64,
}

/// How much is brought in at a time.
const HELD_BYTES: u64 = 512 << 10;

impl Open {
    fn commit_before(&mut self, end: Offset) -> io::Result<Option<BackCommit>> {
        self.hold(end.0)?;
        BackCommit::ending_at(&mut self.source, &self.seed, end)
    }

    /// Brings in what lies before `end`: a window moves forward by itself, not backward.
    fn hold(&mut self, end: u64) -> io::Result<()> {
        if end < self.held_from.saturating_add(HELD_BYTES / 8) && self.held_from > 0 {
            self.held_from = end.saturating_sub(HELD_BYTES);
            self.source.bytes(self.held_from, (end - self.held_from) as usize)?;
        }
        Ok(())
    }
}

enum Told {
    Finding(Finding),
    Commit(BackCommit),
    /// An entry of the commit told before.
    Entry(Position, FrameHeader, bool),
}

enum Ready {
    Finding(Finding),
    Commit(CommitEnd),
    Entry(Position, FrameHeader, bool),
}

impl<S: Storage> EntriesBack<S> {
    pub(super) fn new(storage: S, state: Arc<State>, from: Option<Sequence>) -> Self {
        let from = from.unwrap_or(Sequence(u64::MAX));
        let segments = &state.catalog.segments;
        let below = segments.iter().rposition(|it| it.name.first_sequence <= from);
        let below = below.map_or(0, |index| index + 1);
        Self { storage, state, from, below, open: None, pending: Vec::new() }
    }

    /// The next item; `None` at the journal's beginning.
    #[expect(clippy::should_implement_trait, reason = "it lends: Iterator cannot say that")]
    pub fn next(&mut self) -> Option<Result<Item<'_>, ReadError>> {
        match self.advance() {
            Err(error) => {
                self.open = None;
                Some(Err(error))
            }
            Ok(None) => None,
            Ok(Some(Ready::Finding(finding))) => Some(Ok(Item::Finding(finding))),
            Ok(Some(Ready::Commit(end))) => Some(Ok(Item::Commit(end))),
            Ok(Some(Ready::Entry(at, header, whole))) => self.lend(at, header, whole),
        }
    }

    fn advance(&mut self) -> Result<Option<Ready>, ReadError> {
        loop {
            while let Some(told) = self.pending.pop() {
                if let Some(ready) = self.tell(told) {
                    return Ok(Some(ready));
                }
            }
            let Some(open) = &mut self.open else {
                if self.below == 0 {
                    return Ok(None);
                }
                self.below -= 1;
                self.enter(self.below)?;
                continue;
            };
            let index = open.index;
            let Some(end) = open.end.filter(|end| *end > Offset(HEADER_PAGE_BYTES)) else {
                self.open = None;
                if self.is_remarkable(index) {
                    self.introduce(index)?;
                }
                continue;
            };
            let found = open.commit_before(end).map_err(|source| {
                let path = self.state.catalog.segments[index].path.clone();
                ReadError::Segment { path, offset: end.0, source }
            })?;
            open.end = found.as_ref().map(|commit| commit.offset);
            match found {
                Some(commit) => self.pending.push(Told::Commit(commit)),
                None => self.walk_to(index, end)?,
            }
        }
    }

    /// What of `told` is wanted; a commit unfolds into its end and its entries.
    fn tell(&mut self, told: Told) -> Option<Ready> {
        let commit = match told {
            Told::Finding(finding) => {
                let wanted = finding.lost.is_none_or(|(first, _)| first <= self.from);
                return wanted.then_some(Ready::Finding(finding));
            }
            Told::Entry(at, header, whole) => return Some(Ready::Entry(at, header, whole)),
            Told::Commit(commit) => commit,
        };
        let segment = self.open.as_ref()?.number;
        let first = commit.frames.iter().find(|frame| !frame.header.is_control())?;
        let first = first.header.sequence;
        for frame in &commit.frames {
            if !frame.header.is_control() && frame.header.sequence <= self.from {
                let offset = Offset(commit.offset.0 + frame.at as u64);
                let at = Position { segment, offset };
                self.pending.push(Told::Entry(at, frame.header, commit.whole));
            }
        }
        let chain = ChainCheck::Unchecked;
        let mark = commit.mark.filter(|mark| mark.sequence <= self.from)?;
        let end = Position { segment, offset: commit.end() };
        Some(Ready::Commit(CommitEnd { mark, end, first, whole: commit.whole, chain }))
    }

    fn enter(&mut self, index: usize) -> Result<(), ReadError> {
        let catalog = &self.state.catalog;
        let segment = &catalog.segments[index];
        let Some(header) = segment.walkable() else { return self.introduce(index) };
        let (bound, _) = catalog.bound_of(index);
        let last = catalog.last_sound() == Some(index);
        let path = segment.path.clone();
        let opened = self.storage.open(&segment.path, OpenHow::Read).map(Arc::new);
        let opened = opened.and_then(|file| match bound {
            Some(_) => Source::mapped(file, false),
            None => Source::window(file, false),
        });
        let source = opened.map_err(|source| ReadError::Io { path, did: "opened", source })?;
        let known = if last { Some(self.state.tail) } else { bound };
        let near = segment.waypoints.at_or_after(self.from, bound).map(|it| it.offset);
        let torn = last && near.is_none() && !self.state.tail_findings.is_empty();
        let end = near.or(known).filter(|_| !torn);
        let seed = CrcSeed::new(&header.nonce);
        let open = Open { index, number: header.number, seed, source, end, held_from: u64::MAX };
        self.open = Some(open);
        match end {
            Some(_) => Ok(()),
            // Where the end is not known the whole segment is walked once.
            None => self.walk_to(index, Offset(u64::MAX)),
        }
    }

    /// What a segment's header and place say of it, told after its entries.
    fn introduce(&mut self, index: usize) -> Result<(), ReadError> {
        let catalog = &self.state.catalog;
        let before = catalog.segments[..index].iter().rposition(|it| it.walkable().is_some());
        let known = match before {
            Some(before) => locate(&self.storage, catalog, before, Sequence(u64::MAX))?,
            None => None,
        };
        let told = known.map_or(Sequence(0), |it| it.mark.sequence);
        let forgiving = catalog.forgiving;
        let options =
            WalkOptions { chain: false, map: true, confirm: false, forgiving, brief: false };
        let walk = Walk::new(self.storage.clone(), Arc::clone(catalog), options, index, None);
        self.pending.extend(walk.introduction(told)?.into_iter().map(Told::Finding));
        Ok(())
    }

    /// Whether there is anything to say of a segment's header and place.
    fn is_remarkable(&self, index: usize) -> bool {
        let segments = &self.state.catalog.segments;
        let number = segments[index].name.number.0;
        let follows = match self.state.catalog.own_before(index) {
            Some(before) => before.name.number.0 + 1 == number,
            None => number == 0 || self.state.catalog.folder.is_none(),
        };
        !follows || segments[index].copies_sound != [true, true]
    }

    /// Walks a segment forward up to `end`, and keeps what it met for telling backward.
    fn walk_to(&mut self, index: usize, end: Offset) -> Result<(), ReadError> {
        let catalog = Arc::clone(&self.state.catalog);
        let forgiving = catalog.forgiving;
        let options =
            WalkOptions { chain: false, map: true, confirm: true, forgiving, brief: false };
        let mut walk = Walk::new(self.storage.clone(), catalog, options, index, None);
        let mut begun = false;
        loop {
            match walk.step()? {
                None | Some(WalkStep::End(..)) => return Ok(()),
                Some(WalkStep::Begin) => begun = true,
                // What is said before it begins is told last, when it is left.
                Some(WalkStep::Finding(_)) if !begun => {}
                Some(WalkStep::Finding(finding)) => self.pending.push(Told::Finding(finding)),
                Some(WalkStep::Commit) => {
                    let Some(commit) = walk.commit() else { return Ok(()) };
                    let commit = commit?;
                    if commit.offset >= end {
                        return Ok(());
                    }
                    self.pending.push(Told::Commit(BackCommit {
                        offset: commit.offset,
                        frames: commit.frames.to_vec(),
                        mark: commit.mark,
                        whole: commit.whole,
                    }));
                }
            }
        }
    }

    fn lend(
        &mut self,
        at: Position,
        header: FrameHeader,
        whole: bool,
    ) -> Option<Result<Item<'_>, ReadError>> {
        let open = self.open.as_mut()?;
        let path = &self.state.catalog.segments[open.index].path;
        let payload_at = at.offset.0 + layout::HEADER_BYTES as u64;
        let want = header.payload_bytes as usize;
        let frame_end = at.offset.0 + header.frame_bytes() as u64;
        let brought = open.hold(frame_end).and_then(|()| open.source.bytes(payload_at, want));
        let stored = match brought {
            Ok(bytes) => &bytes[..want.min(bytes.len())],
            Err(source) => {
                let offset = at.offset.0;
                return Some(Err(ReadError::Segment { path: path.clone(), offset, source }));
            }
        };
        Some(Ok(match Entry::open(&header, stored, at, whole) {
            Ok(entry) => Item::Entry(entry),
            Err(_) => Item::Finding(Finding {
                verdict: Verdict::PayloadDamaged,
                at,
                bytes: header.frame_bytes() as u64,
                lost: Some((header.sequence, header.sequence)),
                exact: true,
            }),
        }))
    }
}
