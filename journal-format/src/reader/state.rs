//! Where a journal ends, and how places in it are found.

use std::sync::Arc;

use super::back_commit::BackCommit;
use super::listed::Listed;
use super::source::Source;
use super::walk::{Walk, WalkOptions, WalkStep};
use super::waypoints::Waypoint;
use super::{Bookmark, Catalog, LockState, ReadError};
use crate::chain;
use crate::frame::CrcSeed;
use crate::limits::HEADER_PAGE_BYTES;
use crate::lock::TailSlot;
use crate::scan::Finding;
use crate::storage::{OpenHow, Storage};
use crate::units::{Mark, Offset, Sequence};

/// What a reader knows, as of its opening or its last refresh.
#[derive(Debug)]
pub struct State {
    pub catalog: Arc<Catalog>,
    pub mark: Mark,
    /// Where the last segment's last commit ends.
    pub tail: Offset,
    /// What stands behind it.
    pub tail_findings: Vec<Finding>,
    pub lock: LockState,
}

impl State {
    /// Reads the last segment from the last place that is known in it.
    pub fn read<S: Storage>(storage: &S, catalog: Catalog) -> Result<Self, ReadError> {
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
        let slot = catalog.slot.filter(|slot| {
            bound.is_none() && slot.segment == segment.name.number && is_this_boot(storage, slot)
        });
        let hinted = slot.and_then(|slot| believe_slot(storage, segment, &slot));
        let known = known.into_iter().chain(hinted).max_by_key(|it| it.offset);
        if let Some(known) = known {
            (state.mark, state.tail) = (known.mark, known.offset);
        }
        let forgiving = catalog.forgiving;
        let options =
            WalkOptions { chain: false, map: true, confirm: true, forgiving, brief: false };
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
pub fn locate<S: Storage>(
    storage: &S,
    catalog: &Arc<Catalog>,
    index: usize,
    from: Sequence,
) -> Result<Option<Waypoint>, ReadError> {
    let (bound, _) = catalog.bound_of(index);
    let mut best = catalog.segments[index].waypoints.before(from, bound);
    let forgiving = catalog.forgiving;
    let options = WalkOptions { chain: false, map: true, confirm: false, forgiving, brief: false };
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

/// Whether a slot was written since the machine started: only then is what it passed over known
/// to be there.
fn is_this_boot<S: Storage>(storage: &S, slot: &TailSlot) -> bool {
    slot.boot != [0; 16] && slot.boot == storage.boot_id()
}

/// The commit end that a slot names, if that commit lies where it says.
fn believe_slot<S: Storage>(storage: &S, segment: &Listed, slot: &TailSlot) -> Option<Waypoint> {
    let commit = commit_ending_at(storage, segment, slot.end)?;
    let found = commit.mark.filter(|mark| *mark == slot.mark && commit.offset == slot.commit)?;
    Some(Waypoint { offset: slot.end, mark: found })
}

/// The commit end that a bookmark names, if a whole commit with that mark ends there.
pub fn believe<S: Storage>(storage: &S, segment: &Listed, bookmark: &Bookmark) -> Option<Waypoint> {
    let commit = commit_ending_at(storage, segment, bookmark.end.offset)?;
    let found = commit.mark.filter(|mark| *mark == bookmark.mark)?;
    Some(Waypoint { offset: bookmark.end.offset, mark: found })
}

fn commit_ending_at<S: Storage>(storage: &S, segment: &Listed, end: Offset) -> Option<BackCommit> {
    // A hint that cannot be checked is no hint: the segment is then read from its start.
    let file = storage.open(&segment.path, OpenHow::Read).ok()?;
    let mut source = Source::window_of(Arc::new(file), false, true).ok()?;
    let seed = CrcSeed::new(&segment.walkable()?.nonce);
    BackCommit::ending_at(&mut source, &seed, end).ok()?
}
