//! A journal opened for reading.

use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use super::walk::{Walk, WalkOptions, WalkStep};
use super::waypoints::Waypoint;
use super::{
    Catalog, Entries, EntriesBack, Item, LockState, OwnedEntry, ReadError, SegmentSummary,
};
use crate::chain;
use crate::limits::HEADER_PAGE_BYTES;
use crate::scan::Finding;
use crate::storage::Storage;
use crate::units::{JournalId, Mark, Offset, Sequence};

/// A journal opened for reading: a folder, or one segment file alone. Takes no lock unless a bad
/// frame stands at the tail, and never writes.
pub struct Reader<S: Storage> {
    storage: S,
    path: PathBuf,
    state: RwLock<Arc<State>>,
}

/// What a reader knows, as of its opening or its last refresh.
#[derive(Debug)]
pub(super) struct State {
    pub catalog: Arc<Catalog>,
    pub mark: Mark,
    /// Where the last segment's last commit ends.
    pub tail: Offset,
    /// What stands behind it.
    pub tail_findings: Vec<Finding>,
    pub lock: LockState,
}

impl<S: Storage> Reader<S> {
    /// Reads the headers of all segments, and the last segment to its end.
    pub fn open(storage: S, path: &Path) -> Result<Self, ReadError> {
        let catalog = Catalog::read(&storage, path)?;
        let state = State::read(&storage, catalog)?;
        Ok(Self { storage, path: path.into(), state: RwLock::new(Arc::new(state)) })
    }

    /// Looks again for new segments and commits; returns the new end.
    pub fn refresh(&self) -> Result<Mark, ReadError> {
        let mut catalog = Catalog::read(&self.storage, &self.path)?;
        catalog.remember(&self.state().catalog);
        let state = State::read(&self.storage, catalog)?;
        let mark = state.mark;
        *self.state.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(state);
        Ok(mark)
    }

    pub fn id(&self) -> JournalId {
        self.state().catalog.journal
    }

    /// The end of the last commit that counts, as of opening or the last refresh.
    pub fn mark(&self) -> Mark {
        self.state().mark
    }

    /// What was learned of the lock when the end was looked for.
    pub fn lock_state(&self) -> LockState {
        self.state().lock
    }

    pub fn segments(&self) -> Vec<SegmentSummary> {
        self.state().catalog.segments.iter().map(|it| it.summary()).collect()
    }

    /// Forward from `from`, that entry included, with the commit ends and whatever is wrong.
    pub fn entries(&self, from: Sequence) -> Entries<S> {
        Entries::new(self.storage.clone(), Arc::clone(&self.state().catalog), from)
    }

    /// Backward from `from`, that entry included, or from the end.
    pub fn entries_back(&self, from: Option<Sequence>) -> EntriesBack<S> {
        EntriesBack::new(self.storage.clone(), self.state(), from)
    }

    /// One entry; `None` where no such sequence is, or it is lost.
    pub fn get(&self, at: Sequence) -> Result<Option<OwnedEntry>, ReadError> {
        let mut entries = self.entries(at);
        while let Some(item) = entries.next() {
            if let Item::Entry(entry) = item? {
                return Ok((entry.sequence == at).then(|| entry.into_owned()));
            }
        }
        Ok(None)
    }

    /// The commit end at exactly this sequence; `None` where no commit ends there. Sequence 0 is
    /// the end before the first commit.
    pub fn mark_at(&self, at: Sequence) -> Result<Option<Mark>, ReadError> {
        let state = self.state();
        let catalog = &state.catalog;
        if at == Sequence(0) {
            return Ok(Some(Mark { sequence: at, chain: chain::genesis(catalog.journal) }));
        }
        let Some(index) = catalog.index_of(at) else { return Ok(None) };
        let found = locate(&self.storage, catalog, index, at.next())?;
        Ok(found.map(|it| it.mark).filter(|mark| mark.sequence == at))
    }

    /// The first entry recorded at or after a time, as long as the clock did not run backward.
    pub fn seek_time(&self, time_ms: u64) -> Result<Option<Sequence>, ReadError> {
        let state = self.state();
        // The last segment that begins before that time.
        let segments = &state.catalog.segments;
        let (mut low, mut high) = (0, segments.len());
        while low < high {
            let middle = usize::midpoint(low, high);
            match self.first_time(segments[middle].name.first_sequence)? {
                Some(first) if first < time_ms => low = middle + 1,
                _ => high = middle,
            }
        }
        let index = low.saturating_sub(1);
        let Some(segment) = segments.get(index) else { return Ok(None) };
        let mut entries = self.entries(segment.name.first_sequence);
        while let Some(item) = entries.next() {
            if let Item::Entry(entry) = item?
                && entry.time_ms >= time_ms
            {
                return Ok(Some(entry.sequence));
            }
        }
        Ok(None)
    }

    fn first_time(&self, from: Sequence) -> Result<Option<u64>, ReadError> {
        let mut entries = self.entries(from);
        while let Some(item) = entries.next() {
            if let Item::Entry(entry) = item? {
                return Ok(Some(entry.time_ms));
            }
        }
        Ok(None)
    }

    fn state(&self) -> Arc<State> {
        Arc::clone(&self.state.read().unwrap_or_else(PoisonError::into_inner))
    }
}

impl State {
    fn read<S: Storage>(storage: &S, catalog: Catalog) -> Result<Self, ReadError> {
        let catalog = Arc::new(catalog);
        let mark = Mark { sequence: Sequence(0), chain: chain::genesis(catalog.journal) };
        let tail = Offset(HEADER_PAGE_BYTES);
        let nothing = LockState::NotAsked;
        let mut state = Self {
            catalog: Arc::clone(&catalog),
            mark,
            tail,
            tail_findings: vec![],
            lock: nothing,
        };
        let Some(index) = catalog.last_sound() else { return Ok(state) };
        let segment = &catalog.segments[index];
        if let Some(header) = segment.header.filter(|header| header.number.0 > 0) {
            state.mark = Mark { sequence: header.previous.sequence, chain: header.previous.chain };
        }
        let (bound, _) = catalog.bound_of(index);
        let known = segment.waypoints.before(Sequence(u64::MAX), bound);
        if let Some(known) = known {
            (state.mark, state.tail) = (known.mark, known.offset);
        }
        let options = WalkOptions { chain: false, map: true, confirm: true };
        let mut walk = Walk::new(storage.clone(), Arc::clone(&catalog), options, index, known);
        while let Some(step) = walk.step()? {
            match step {
                WalkStep::Commit => state.take_commit(&mut walk)?,
                WalkStep::Finding(finding) => state.tail_findings.push(finding),
                WalkStep::End(at, _) if at == index => break,
                WalkStep::Begin | WalkStep::End(..) => {}
            }
        }
        state.lock = walk.lock_state();
        let tail = state.tail;
        state.tail_findings.retain(|finding| finding.at.offset >= tail);
        if tail > Offset(HEADER_PAGE_BYTES) {
            segment.waypoints.note_tail(Waypoint { offset: tail, mark: state.mark });
        }
        Ok(state)
    }

    fn take_commit<S: Storage>(&mut self, walk: &mut Walk<S>) -> Result<(), ReadError> {
        if let Some(commit) = walk.commit() {
            let commit = commit?;
            if let Some(mark) = commit.mark
                && commit.frames.iter().any(|frame| !frame.header.is_control())
            {
                self.mark = mark;
                self.tail = Offset(commit.offset.0 + commit.bytes.len() as u64);
            }
        }
        Ok(())
    }
}

/// The last commit end before `from` in a segment that is known or can be found by walking it;
/// `None` where that is the segment's start.
pub(super) fn locate<S: Storage>(
    storage: &S,
    catalog: &Arc<Catalog>,
    index: usize,
    from: Sequence,
) -> Result<Option<Waypoint>, ReadError> {
    let (bound, _) = catalog.bound_of(index);
    let mut best = catalog.segments[index].waypoints.before(from, bound);
    let options = WalkOptions { chain: false, map: true, confirm: false };
    let mut walk = Walk::new(storage.clone(), Arc::clone(catalog), options, index, best);
    while let Some(step) = walk.step()? {
        match step {
            WalkStep::Commit => {
                let Some(commit) = walk.commit() else { break };
                let commit = commit?;
                if commit.frames.iter().all(|frame| frame.header.is_control()) {
                    continue;
                }
                if commit.frames.iter().any(|frame| frame.header.sequence >= from) {
                    break;
                }
                if let Some(mark) = commit.mark {
                    let offset = Offset(commit.offset.0 + commit.bytes.len() as u64);
                    best = Some(Waypoint { offset, mark });
                }
            }
            WalkStep::End(..) => break,
            WalkStep::Begin | WalkStep::Finding(_) => {}
        }
    }
    Ok(best)
}
