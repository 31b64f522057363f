//! Stores that are built beside the index, from what it reads: nothing of the journal is read twice, and starts
//! are found through the index as it is being made.

use std::sync::mpsc::SyncSender;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread;

use super::ahead::{End, ended, ends};
use super::fed::{Batch, Fed};
use super::replay::OpenStarts;
use super::{CatchUpError, CaughtUp, Due, Feeding};
use crate::event::Sequence;
use crate::store::feed::Step;
use crate::store::{Feed, KnownStarts, StoreName};

/// Hands on what the index has read.
pub struct Onward {
    index: StoreName,
    range: (Sequence, Sequence),
    full: Vec<SyncSender<Batch>>,
    end: End,
    starts: OpenStarts,
}

impl Onward {
    /// Notes the start of what a step closes, which the index has read.
    pub(super) fn find_start(
        &mut self,
        fed: &Fed,
        index: Option<&dyn KnownStarts>,
        feed: &dyn Feed,
    ) -> Result<(), CatchUpError> {
        let (Step::Event(recorded), Some(index)) = (&fed.step, index) else { return Ok(()) };
        let has_void = index.has_void_starts()?;
        let start = self.starts.of(index, has_void, feed, recorded)?;
        let is_told_again = self.starts.is_told_again(index, recorded, start.as_deref())?;
        fed.found(start, is_told_again);
        Ok(())
    }

    pub(super) fn hand_on(&self, batch: &Batch) {
        for to in &self.full {
            // Who has gone has an error of its own to tell.
            drop(to.send(Arc::clone(batch)));
        }
    }

    /// All was read.
    pub(super) fn finish(self) {
        self.end.get_or_init(|| Ok(None));
    }
}

impl Drop for Onward {
    fn drop(&mut self) {
        // Before the folds see that nothing more comes.
        let store = self.index;
        self.end.get_or_init(|| Err(Arc::new(CatchUpError::Panicked { store })));
    }
}

/// What the index is to hand on, once.
pub struct Handover(Mutex<Option<Onward>>);

impl Handover {
    /// For who reads just that.
    pub(super) fn take(&self, range: (Sequence, Sequence)) -> Option<Onward> {
        self.close().filter(|onward| onward.range == range)
    }

    fn close(&self) -> Option<Onward> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// Whether the index that others are built beside is in its place: they come into theirs after it.
pub type Gate = OnceLock<bool>;

/// Whatever becomes of who builds the index, nobody waits for more.
struct Opens<'a>(&'a Gate, &'a Handover);

impl Drop for Opens<'_> {
    fn drop(&mut self) {
        drop(self.1.close());
        self.0.get_or_init(|| false);
    }
}

impl Feeding<'_> {
    /// Builds an index by `build`, and meanwhile does `work` for others that are loaded from the first event on:
    /// from what the index reads.
    pub fn beside_index<I, T: Send>(
        &self,
        index: StoreName,
        build: impl FnOnce(Feeding<'_>) -> Result<I, CatchUpError>,
        stores: &[StoreName],
        work: impl Fn(Feeding<'_>, StoreName) -> Result<T, CatchUpError> + Sync,
    ) -> Result<(I, Vec<(StoreName, Result<T, CatchUpError>)>), CatchUpError> {
        let range = (self.feed.begins_after(), self.feed.through().sequence);
        let (full, aheads, end) = ends(range, stores.len());
        let starts = OpenStarts::default();
        let handover = Handover(Mutex::new(Some(Onward { index, range, full, end, starts })));
        let (gate, work) = (Gate::new(), &work);
        thread::scope(|scope| {
            let opens = Opens(&gate, &handover);
            let beside = Feeding { gate: Some(&gate), ..*self };
            let begun = beside.begun_beside(scope, stores, aheads, work);
            let built = build(Feeding { onward: Some(&handover), ..*self });
            if built.is_ok() {
                gate.get_or_init(|| true);
            }
            drop(opens);
            let made = ended(begun);
            Ok((built?, made))
        })
    }

    /// Catches the index up. Where there is none, others of which there is none either are made from what it reads;
    /// what became of them where they were.
    pub(super) fn index_and_beside(
        &self,
        index: StoreName,
        is_meant: impl Fn(&StoreName) -> bool,
    ) -> (Result<CaughtUp, CatchUpError>, Vec<(StoreName, Result<CaughtUp, CatchUpError>)>) {
        let work = |from: Feeding<'_>, store| from.outcome(store, Due::Everything);
        // Whether one that others have as well is wanted the index says.
        let is_late = |it: &StoreName| {
            it.concern().is_none() && it.shared().is_none() && *it != index && self.is_late(*it)
        };
        let mut late = Vec::new();
        // One that is there is opened once, by who catches it up.
        let is_gone = matches!(self.places.has(index), Ok(false));
        if self.until.is_none() && is_gone && self.is_late(index) {
            let stores = self.places.list.stores.iter().copied();
            late.extend(stores.filter(|it| is_meant(it) && is_late(it)));
        }
        if late.is_empty() {
            return (work(*self, index), Vec::new());
        }
        match self.beside_index(index, |from| work(from, index), &late, work) {
            // Of one that could not be, who comes to it in its turn says why.
            Ok((done, made)) => (Ok(done), made.into_iter().filter(|it| it.1.is_ok()).collect()),
            Err(error) => (Err(error), Vec::new()),
        }
    }

    /// Waits until the index that this is built beside is in its place.
    pub(in crate::store) fn behind_index(&self, store: StoreName) -> Result<(), CatchUpError> {
        match self.gate.is_none_or(|gate| *gate.wait()) {
            true => Ok(()),
            false => Err(CatchUpError::Panicked { store }),
        }
    }

    /// Reads for itself from here on, beside nobody.
    pub(in crate::store) fn leave(&self, store: StoreName) -> Result<(), CatchUpError> {
        drop(self.tap.and_then(|tap| tap.close()));
        self.behind_index(store)
    }
}
