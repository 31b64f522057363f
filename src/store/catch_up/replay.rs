//! Up to which event the journal concerns a store, and the starts of what its events close.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::Arc;

use super::CatchUpError;
use crate::event::{Body, ExecutionId, ExecutionStarted, Recorded, Sequence, SessionId};
use crate::store::bounded_set::Met;
use crate::store::{Feed, KnownStarts, Lookup, Operations, StoreError, StoreName, StorePlaces};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Due {
    /// Any event may.
    Everything,
    /// None after this one, as far as the index has read.
    Through(Sequence),
    /// None has: such a store is not made.
    Nothing,
}

impl Due {
    /// What a caught-up index says of a store.
    pub fn by(operations: &Operations, store: StoreName) -> Self {
        store.concern().map_or(Self::Everything, |it| Self::through(operations.last(it)))
    }

    fn through(last: Option<u64>) -> Self {
        last.map_or(Self::Nothing, |last| Self::Through(Sequence(last)))
    }

    /// As [`Self::by`], by the index at its place. It is not asked where nothing depends on it.
    pub fn of(store: StoreName, places: &StorePlaces) -> Result<Self, StoreError> {
        match store.concern() {
            None => Ok(Self::Everything),
            Some(_) => Self::found(store, lookup(places)?.as_ref()),
        }
    }

    /// As [`Self::of`], by an index that is open.
    pub fn found(store: StoreName, index: &dyn Lookup) -> Result<Self, StoreError> {
        let Some(concern) = store.concern() else { return Ok(Self::Everything) };
        Ok(Self::through(index.last(concern)?))
    }

    pub fn is_done(self, at: Sequence) -> bool {
        match self {
            Self::Everything => false,
            Self::Through(last) => at >= last,
            Self::Nothing => true,
        }
    }
}

/// The index, as other stores ask it.
pub fn lookup(places: &StorePlaces) -> Result<Box<dyn Lookup>, StoreError> {
    (places.list.lookup)(places.index())
}

/// The event after which there is something for a store: what lies between is not read.
pub(super) fn skipped(
    store: StoreName,
    places: &StorePlaces,
    after: Sequence,
) -> Result<Sequence, StoreError> {
    let Some(concern) = store.concern() else { return Ok(after) };
    let next = lookup(places)?.next(concern, after.0)?;
    Ok(next.map_or(after, |next| Sequence(next.saturating_sub(1)).max(after)))
}

/// Whether a store reads any event of the journal, as far as the index has.
pub(super) fn reads(store: StoreName, places: &StorePlaces) -> Result<bool, StoreError> {
    let Some(concern) = store.concern() else { return Ok(true) };
    Ok(lookup(places)?.next(concern, 0)?.is_some())
}

/// Bytes of open executions that are remembered; the others are read again by seek.
const BYTES_MAX: usize = 8 << 20;
const OVERHEAD_BYTES: usize = 512;

/// The starts of open executions, in memory as far as they fit, else through the index.
///
/// The index may be ahead of the replay, and never behind it. What is asked of it does not depend on
/// how far it is ahead: a start is found only if it came before the event that closes it, and an id
/// never changes its row.
#[derive(Debug)]
pub struct Starts {
    open: OpenStarts,
    index: Box<dyn Lookup>,
    void_starts: bool,
}

/// Those in memory; the index is the caller's.
#[derive(Debug, Default)]
pub(super) struct OpenStarts {
    open: BTreeMap<[u8; 16], Arc<Recorded>>,
    bytes: usize,
    /// Rows that have ended.
    ended: Met,
}

impl Starts {
    pub fn through_index(places: &StorePlaces, through: Sequence) -> Result<Self, CatchUpError> {
        let index = lookup(places)?;
        let cursor = index.cursor()?;
        let read = Sequence(cursor.map_or(0, |cursor| cursor.position.sequence));
        if read < through {
            return Err(CatchUpError::IndexBehind { read, wanted: through });
        }
        let void_starts = index.has_void_starts()?;
        Ok(Self { open: OpenStarts::default(), index, void_starts })
    }

    /// The start of what an event closes; one that begins an execution is remembered.
    pub fn of(
        &mut self,
        feed: &dyn Feed,
        recorded: &Arc<Recorded>,
    ) -> Result<Option<Arc<Recorded>>, CatchUpError> {
        self.open.of(self.index.as_ref(), self.void_starts, feed, recorded)
    }

    pub fn take(
        &mut self,
        feed: &dyn Feed,
        recorded: &Recorded,
    ) -> Result<Option<Arc<Recorded>>, CatchUpError> {
        self.open.take(self.index.as_ref(), feed, recorded)
    }

    /// Whether an event tells an end that one before it told, since the first that this was asked of.
    pub fn is_told_again(
        &mut self,
        recorded: &Recorded,
        start: Option<&Recorded>,
    ) -> Result<bool, StoreError> {
        self.open.is_told_again(self.index.as_ref(), recorded, start)
    }
}

/// The execution that an event ends, or corrects.
fn closed(body: &Body) -> Option<(ExecutionId, bool)> {
    match body {
        Body::ExecutionFinished(event) => Some((event.execution, false)),
        Body::ExecutionInterrupted(event) => Some((event.execution, false)),
        Body::ExecutionCorrected(event) => Some((event.corrects, true)),
        _ => None,
    }
}

/// The id of the row that an event ends: a correction's is its own, else it is the start's.
fn ended(body: &Body, start: Option<&Recorded>) -> Option<ExecutionId> {
    match (body, start.map(|start| &start.event.body)) {
        (Body::ExecutionCorrected(event), _) => Some(event.execution),
        (body, Some(Body::ExecutionStarted(start))) => closed(body).map(|_| start.execution),
        (body, _) => closed(body).map(|(id, _)| id),
    }
}

impl OpenStarts {
    /// As [`Starts::of`], through an index that has read up to this event at least.
    pub fn of(
        &mut self,
        index: &dyn KnownStarts,
        void_starts: bool,
        feed: &dyn Feed,
        recorded: &Arc<Recorded>,
    ) -> Result<Option<Arc<Recorded>>, CatchUpError> {
        let start = self.take(index, feed, recorded)?;
        self.begin(index, void_starts, recorded)?;
        Ok(start)
    }

    fn begin(
        &mut self,
        index: &dyn KnownStarts,
        void_starts: bool,
        recorded: &Arc<Recorded>,
    ) -> Result<(), StoreError> {
        let Body::ExecutionStarted(started) = &recorded.event.body else { return Ok(()) };
        let size = size(started);
        if self.bytes + size > BYTES_MAX {
            return Ok(());
        }
        // One that does not count leads, through the index, to the one that does.
        let (id, at) = (started.execution, recorded.sequence.0);
        if void_starts && index.is_void_start(&id.to_string(), at)? {
            return Ok(());
        }
        if let Entry::Vacant(entry) = self.open.entry(id.0) {
            entry.insert(Arc::clone(recorded));
            self.bytes += size;
        }
        Ok(())
    }

    fn take(
        &mut self,
        index: &dyn KnownStarts,
        feed: &dyn Feed,
        recorded: &Recorded,
    ) -> Result<Option<Arc<Recorded>>, CatchUpError> {
        let Some((id, corrected)) = closed(&recorded.event.body) else { return Ok(None) };
        if !corrected && let Some(start) = self.open.remove(&id.0) {
            if let Body::ExecutionStarted(started) = &start.event.body {
                self.bytes -= size(started);
            }
            return Ok(Some(start));
        }
        let Some((row, at)) = index.start_of(&id.to_string(), recorded.sequence.0)? else {
            return Ok(None);
        };
        let mut start = feed.get(Sequence(at))?;
        if let (Some(start), Some(row)) = (&mut start, SessionId::parse(&row))
            && let Body::ExecutionStarted(started) = &mut start.event.body
        {
            // Under the id of the row that it is the start of.
            started.execution = ExecutionId(row.0);
        }
        Ok(start.map(Arc::new))
    }

    /// As [`Starts::is_told_again`]. Of how far the index is ahead it does not depend: what ended a row stays.
    pub fn is_told_again(
        &mut self,
        index: &dyn KnownStarts,
        recorded: &Recorded,
        start: Option<&Recorded>,
    ) -> Result<bool, StoreError> {
        let Some(row) = ended(&recorded.event.body, start) else { return Ok(false) };
        if !self.ended.may_have(row) {
            self.ended.note(row);
            return Ok(false);
        }
        let at = index.ended_at(&row.to_string())?;
        Ok(at.is_some_and(|at| at != recorded.sequence.0))
    }
}

fn size(started: &ExecutionStarted) -> usize {
    let lists = started.paths.iter().chain(&started.symbols);
    let texts: usize = lists.map(|text| text.len() + size_of::<String>()).sum();
    started.arguments.0.len() + texts + OVERHEAD_BYTES
}
