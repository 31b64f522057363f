//! A journal opened for reading.

use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use super::listed::Listed;
use super::state::{State, locate};
use super::{
    Catalog, Entries, EntriesBack, Item, LockState, OwnedEntry, ReadError, SegmentExtent,
    SegmentSummary,
};
use crate::chain;
use crate::storage::Storage;
use crate::units::{JournalId, Mark, Offset, SegmentNumber, Sequence};

/// A journal opened for reading: a folder, or one segment file alone. Takes no lock unless a bad
/// frame stands at the tail, and never writes.
pub struct Reader<S: Storage> {
    storage: S,
    path: PathBuf,
    state: RwLock<Arc<State>>,
}

impl<S: Storage> Reader<S> {
    /// Reads the headers of all segments, and the last segment to its end.
    pub fn open(storage: S, path: &Path) -> Result<Self, ReadError> {
        Self::open_as(storage, path, false)
    }

    /// As [`Self::open`]; what the disk does not give is taken for damage, and what lies behind it
    /// is read: for asking what is left, never for going on with it.
    pub fn open_forgiving(storage: S, path: &Path) -> Result<Self, ReadError> {
        Self::open_as(storage, path, true)
    }

    fn open_as(storage: S, path: &Path, forgiving: bool) -> Result<Self, ReadError> {
        let catalog = Catalog::read_as(&storage, path, forgiving)?;
        let state = State::read(&storage, catalog)?;
        Ok(Self { storage, path: path.into(), state: RwLock::new(Arc::new(state)) })
    }

    /// Looks again for new segments and commits; returns the new end.
    pub fn refresh(&self) -> Result<Mark, ReadError> {
        let forgiving = self.state().catalog.forgiving;
        let mut catalog = Catalog::read_as(&self.storage, &self.path, forgiving)?;
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

    /// Every segment's file, and where in it the journal ends as of opening or the last refresh:
    /// at the next segment's bound, and at the last commit's end.
    pub fn extents(&self) -> Vec<SegmentExtent> {
        let state = self.state();
        let catalog = &state.catalog;
        let last = catalog.last_sound();
        let extent = |(index, segment): (usize, &Listed)| {
            let (bound, _) = catalog.bound_of(index);
            let tail = (last == Some(index)).then_some(state.tail);
            let end = bound.or(tail).filter(|_| segment.walkable().is_some());
            let (path, name) = (segment.path.clone(), segment.name);
            SegmentExtent { path, name, end: end.map(|end| end.0) }
        };
        catalog.segments.iter().enumerate().map(extent).collect()
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

    /// Where to begin to read what holds an entry: its segment, and the last commit end before it there; `None` for the
    /// segment's start.
    pub fn before(
        &self,
        at: Sequence,
    ) -> Result<Option<(SegmentNumber, Option<(Offset, Mark)>)>, ReadError> {
        let state = self.state();
        let catalog = &state.catalog;
        let Some(index) = catalog.index_of(at) else { return Ok(None) };
        let found = locate(&self.storage, catalog, index, at)?;
        let number = catalog.segments[index].name.number;
        Ok(Some((number, found.map(|it| (it.offset, it.mark)))))
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
