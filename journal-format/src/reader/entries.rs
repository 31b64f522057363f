//! Forward over a journal's entries.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::state::{believe, locate};
use super::walk::{Walk, WalkOptions, WalkStep};
use super::{Bookmark, Catalog, CommitEnd, Entry, Item, LockState, ReadError};
use crate::scan::{CommitView, Finding, FrameRef, Verdict};
use crate::storage::Storage;
use crate::units::{Offset, Position, SegmentNumber, Sequence};

/// Forward over entries, their commits' ends, and what is wrong between them. Lends: an item is
/// gone when the next is asked for.
pub struct Entries<S: Storage> {
    storage: S,
    catalog: Arc<Catalog>,
    from: Sequence,
    walk: Option<Walk<S>>,
    /// The frame of the commit at hand that comes next.
    frame: Option<usize>,
    ended: bool,
}

/// What to lend next.
enum Ready {
    Entry(usize),
    Commit(CommitEnd),
    Finding(Finding),
}

impl<S: Storage> Entries<S> {
    pub(super) fn new(storage: S, catalog: Arc<Catalog>, from: Sequence) -> Self {
        Self { storage, catalog, from, walk: None, frame: None, ended: false }
    }

    /// From the commit end that a bookmark names; `None` where none with that mark is there.
    ///
    /// Costs the same however long the journal is: of its folder the names are read, and the
    /// headers of the bookmark's segment and those behind it. Chains are not recomputed.
    pub fn since(
        storage: S,
        folder: &Path,
        bookmark: &Bookmark,
    ) -> Result<Option<Self>, ReadError> {
        let catalog = match Catalog::since(&storage, folder, bookmark.end.segment) {
            Err(ReadError::NoSegments { .. }) => return Ok(None),
            catalog => Arc::new(catalog?),
        };
        let Some(segment) = catalog.segments.first() else { return Ok(None) };
        let (bound, _) = catalog.bound_of(0);
        let is_there = segment.name.number == bookmark.end.segment
            && catalog.journal == bookmark.journal
            && bound.is_none_or(|bound| bookmark.end.offset <= bound);
        let known = is_there.then(|| believe(&storage, segment, bookmark)).flatten();
        let Some(known) = known else { return Ok(None) };
        let options =
            WalkOptions { chain: false, map: true, confirm: true, forgiving: false, brief: true };
        let walk = Walk::new(storage.clone(), Arc::clone(&catalog), options, 0, Some(known));
        let from = bookmark.mark.sequence.next();
        Ok(Some(Self { storage, catalog, from, walk: Some(walk), frame: None, ended: false }))
    }

    /// The next item; `None` at the journal's end. After an error the walk goes on with the next
    /// segment.
    #[expect(clippy::should_implement_trait, reason = "it lends: Iterator cannot say that")]
    pub fn next(&mut self) -> Option<Result<Item<'_>, ReadError>> {
        match self.advance() {
            Err(error) => Some(Err(error)),
            Ok(None) => None,
            Ok(Some(Ready::Finding(finding))) => Some(Ok(Item::Finding(finding))),
            Ok(Some(Ready::Commit(end))) => Some(Ok(Item::Commit(end))),
            Ok(Some(Ready::Entry(frame))) => self.lend(frame),
        }
    }

    /// The journal's folder, or the one segment.
    pub(super) fn path(&self) -> PathBuf {
        let first = || self.catalog.segments.first().map(|segment| segment.path.clone());
        self.catalog.folder.clone().or_else(first).unwrap_or_default()
    }

    /// What was learned of the journal's lock so far.
    pub fn lock_state(&self) -> LockState {
        self.walk.as_ref().map_or(LockState::NotAsked, Walk::lock_state)
    }

    fn advance(&mut self) -> Result<Option<Ready>, ReadError> {
        if self.ended {
            return Ok(None);
        }
        let walk = match &mut self.walk {
            Some(walk) => walk,
            none => none.insert(begin(&self.storage, &self.catalog, self.from)?),
        };
        loop {
            if let Some(from) = self.frame {
                if let Some(ready) = next_in_commit(walk, from, self.from)? {
                    self.frame = match ready {
                        Ready::Entry(at) => Some(at + 1),
                        _ => None,
                    };
                    return Ok(Some(ready));
                }
                self.frame = None;
            }
            match walk.step()? {
                None => {
                    self.ended = true;
                    return Ok(None);
                }
                Some(WalkStep::Commit) => self.frame = Some(0),
                Some(WalkStep::Finding(finding)) => {
                    if finding.lost.is_none_or(|(_, last)| last >= self.from || !finding.exact) {
                        return Ok(Some(Ready::Finding(finding)));
                    }
                }
                Some(WalkStep::Begin | WalkStep::End(..)) => {}
            }
        }
    }

    /// As [`Self::next`], and of the commit at hand as many entries as are taken, with what they may lie in; `false`
    /// at the end. To come to a commit anew for each entry costs half as much as to check it.
    pub(super) fn run(
        &mut self,
        mut take: impl FnMut(Result<Item<'_>, ReadError>, Option<&Arc<Vec<u8>>>) -> bool,
    ) -> bool {
        match self.advance() {
            Err(error) => take(Err(error), None),
            Ok(None) => return false,
            Ok(Some(Ready::Finding(finding))) => take(Ok(Item::Finding(finding)), None),
            Ok(Some(Ready::Commit(end))) => take(Ok(Item::Commit(end)), None),
            Ok(Some(Ready::Entry(first))) => {
                let Some(walk) = &mut self.walk else { return false };
                let (segment, shared) = (walk.at_segment(), walk.shared());
                match walk.commit() {
                    None => return false,
                    Some(Err(error)) => take(Err(error), None),
                    Some(Ok(commit)) => {
                        let mut frames = commit.frames.iter().enumerate().skip(first);
                        frames.all(|(at, frame)| {
                            self.frame = Some(at + 1);
                            !is_wanted(frame, self.from)
                                || take(Ok(item(&commit, frame, segment)), shared.as_ref())
                        })
                    }
                }
            }
        };
        true
    }

    fn lend(&mut self, frame: usize) -> Option<Result<Item<'_>, ReadError>> {
        let walk = self.walk.as_mut()?;
        let segment = walk.at_segment();
        Some(walk.commit()?.map(|commit| item(&commit, &commit.frames[frame], segment)))
    }
}

fn is_wanted(frame: &FrameRef, from: Sequence) -> bool {
    !frame.header.is_control() && frame.header.sequence >= from
}

fn item<'a>(commit: &CommitView<'a>, frame: &FrameRef, segment: SegmentNumber) -> Item<'a> {
    let position = Position { segment, offset: commit.offset_of(frame) };
    let entry = Entry::open(&frame.header, commit.stored(frame), position, commit.whole);
    entry.map_or_else(
        |_| {
            Item::Finding(Finding {
                verdict: Verdict::PayloadDamaged,
                at: position,
                bytes: frame.header.frame_bytes() as u64,
                lost: Some((frame.header.sequence, frame.header.sequence)),
                exact: true,
            })
        },
        Item::Entry,
    )
}

/// The next of a commit's entries, or its end.
fn next_in_commit<S: Storage>(
    walk: &mut Walk<S>,
    next: usize,
    from: Sequence,
) -> Result<Option<Ready>, ReadError> {
    let segment = walk.at_segment();
    let Some(commit) = walk.commit() else { return Ok(None) };
    let commit = commit?;
    let events = || commit.frames.iter().filter(|frame| !frame.header.is_control());
    if let Some(index) = (next..commit.frames.len()).find(|it| is_wanted(&commit.frames[*it], from))
    {
        return Ok(Some(Ready::Entry(index)));
    }
    let Some(first) = events().next().map(|frame| frame.header.sequence) else {
        return Ok(None);
    };
    Ok(commit.mark.filter(|mark| mark.sequence >= from).map(|mark| {
        let offset = Offset(commit.offset.0 + commit.bytes.len() as u64);
        let end = Position { segment, offset };
        Ready::Commit(CommitEnd { mark, end, first, whole: commit.whole, chain: commit.chain })
    }))
}

fn begin<S: Storage>(
    storage: &S,
    catalog: &Arc<Catalog>,
    from: Sequence,
) -> Result<Walk<S>, ReadError> {
    let options = WalkOptions {
        chain: true,
        map: false,
        confirm: true,
        forgiving: catalog.forgiving,
        brief: false,
    };
    let first = catalog.segments.first().map_or(Sequence(0), |it| it.name.first_sequence);
    let (index, entry) = if from <= first {
        (0, None)
    } else {
        let index = catalog.index_of(from).unwrap_or(0);
        (index, locate(storage, catalog, index, from)?)
    };
    Ok(Walk::new(storage.clone(), Arc::clone(catalog), options, index, entry))
}
