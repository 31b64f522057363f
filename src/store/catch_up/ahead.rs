//! A replay that is read ahead by a thread of its own, decoded once for whoever folds it: one store, or
//! several side by side.

use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread::{self, Scope, ScopedJoinHandle};

use super::advance::is_far_behind;
use super::beside_index::Onward;
use super::fed::{BATCH_BYTES_MAX, BATCH_STEPS_MAX, BATCHES_MAX, Batch, Fed, Sent, weight};
use super::pass::brought;
use super::replay::{Due, Starts};
use super::{CatchUpError, CaughtUp, Feeding, RebuildReason};
use crate::event::Sequence;
use crate::journal::Mark;
use crate::store::feed::Step;
use crate::store::{Feed, Foresight, StoreError, StoreName, StorePlaces};

/// How the reading ended, and where, if that is to be looked at; not set where its thread panicked.
pub(super) type End = Arc<OnceLock<Result<Option<Mark>, Arc<CatchUpError>>>>;

struct Reader<'f> {
    feed: &'f dyn Feed,
    after: Sequence,
    through: Sequence,
    /// Through whose index starts are looked for, where they are wanted.
    places: Option<&'f StorePlaces>,
    foresight: Option<Box<dyn Foresight>>,
    full: Vec<SyncSender<Batch>>,
    end: End,
}

/// One fold's end of it.
pub struct Ahead<'f> {
    /// `None`: of all there is.
    pub(super) range: Option<(Sequence, Sequence)>,
    /// The feed in whose place somebody else reads the journal.
    pub(super) instead_of: Option<&'f dyn Feed>,
    pub(super) batches: Receiver<Batch>,
    pub(super) end: End,
}

impl Ahead<'_> {
    /// Gives the steps to `take`, until it answers something or they end. Whole batches are handed on.
    pub fn each<T>(
        self,
        store: StoreName,
        onward: Option<Onward>,
        mut take: impl FnMut(&Fed, Option<&mut Onward>) -> Result<Option<T>, CatchUpError>,
    ) -> Result<Option<T>, CatchUpError> {
        let mut onward = onward;
        for batch in &self.batches {
            for fed in batch.iter() {
                self.instead_of.map_or(Ok(()), |feed| feed.allows_more())?;
                if let Some(end) = take(fed, onward.as_mut())? {
                    return Ok(Some(end));
                }
            }
            if let Some(onward) = &onward {
                onward.hand_on(&batch);
            }
        }
        if let (Some(Ok(_)), Some(onward)) = (self.end.get(), onward) {
            onward.finish();
        }
        match self.end.get() {
            Some(Ok(end)) if self.is_of_its_end(*end) => Ok(None),
            Some(Ok(_)) => {
                Err(CatchUpError::Changed { store, reason: RebuildReason::ChainDiffers })
            }
            Some(Err(error)) => Err(CatchUpError::Ahead(Arc::clone(error))),
            None => Err(CatchUpError::Panicked { store }),
        }
    }
}

impl Ahead<'_> {
    fn is_of_its_end(&self, end: Option<Mark>) -> bool {
        self.instead_of.is_none_or(|feed| end == Some(feed.through()))
    }
}

impl Reader<'_> {
    fn run(mut self) {
        let ended = self.read().map(|()| None).map_err(Arc::new);
        // Before the folds see that nothing more comes.
        self.end.get_or_init(|| ended);
    }

    fn read(&mut self) -> Result<(), CatchUpError> {
        let starts = self.places.map(|places| Starts::through_index(places, self.through));
        let mut starts = starts.transpose()?;
        let mut steps = self.feed.replay(self.after, self.through)?;
        let mut kept = Sent::default();
        loop {
            let (mut batch, mut bytes) = (Vec::with_capacity(BATCH_STEPS_MAX), 0);
            while batch.len() < BATCH_STEPS_MAX && bytes < BATCH_BYTES_MAX {
                let Some(mut step) = steps.next().transpose()? else { break };
                let (mut start, mut is_told_again, mut foreseen) = (None, false, None);
                if let (Step::Event(recorded), Some(starts)) = (&step, &mut starts) {
                    start = starts.of(self.feed, recorded)?;
                    is_told_again = starts.is_told_again(recorded, start.as_deref())?;
                }
                if let (Step::Event(recorded), Some(foresight)) = (&mut step, &mut self.foresight) {
                    if let Some(brought) = brought(self.feed, recorded) {
                        *recorded = Arc::new(brought);
                    }
                    foreseen = foresight.of(recorded, start.as_deref());
                }
                bytes += weight(&step);
                let fed = Fed::of(step, foreseen);
                fed.found(start, is_told_again);
                batch.push(fed);
            }
            let batch = Arc::new(batch);
            kept.keep(&batch);
            // Who has gone has read enough, or has an error of their own to tell.
            let sent = self.full.iter().filter(|to| to.send(Arc::clone(&batch)).is_ok()).count();
            if batch.is_empty() || sent == 0 {
                return Ok(());
            }
        }
    }
}

/// A replay that others read too, for whoever loads what they do.
pub struct Tap(Mutex<Option<Ahead<'static>>>);

impl Tap {
    pub(super) fn of(ahead: Ahead<'static>) -> Self {
        Self(Mutex::new(Some(ahead)))
    }

    /// What it gives, where that is what is asked for; who reads something else keeps nobody waiting.
    fn take<'f>(
        &self,
        range: (Sequence, Sequence),
        wants_starts: bool,
        feed: &'f dyn Feed,
    ) -> Option<Ahead<'f>> {
        let ahead = self.close()?;
        if ahead.range.is_some() {
            return Some(ahead).filter(|ahead| ahead.range == Some(range));
        }
        let all = (feed.begins_after(), feed.through().sequence);
        let is_it = range == all && !wants_starts;
        is_it.then_some(Ahead { instead_of: Some(feed), ..ahead })
    }

    pub(super) fn close(&self) -> Option<Ahead<'static>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// Ends for so many folds, and what fills them.
pub(super) fn ends(
    range: (Sequence, Sequence),
    folds: usize,
) -> (Vec<SyncSender<Batch>>, Vec<Ahead<'static>>, End) {
    let (mut full, mut all, end) = (Vec::new(), Vec::new(), End::default());
    for _ in 0..folds {
        let (to, batches) = sync_channel(BATCHES_MAX);
        full.push(to);
        let (range, end) = (Some(range), Arc::clone(&end));
        all.push(Ahead { range, instead_of: None, batches, end });
    }
    (full, all, end)
}

impl<'a> Feeding<'a> {
    fn reader(
        &self,
        (after, through): (Sequence, Sequence),
        wants_starts: bool,
        folds: usize,
    ) -> (Reader<'a>, Vec<Ahead<'static>>) {
        let (full, all, end) = ends((after, through), folds);
        let places = wants_starts.then_some(self.places);
        let foresight = None; // one is of one store
        (Reader { feed: self.feed, after, through, places, foresight, full, end }, all)
    }

    /// Gives `fold` what is read of the journal, ahead of it.
    pub(super) fn ahead<T>(
        &self,
        range: (Sequence, Sequence),
        wants_starts: bool,
        foresight: Option<Box<dyn Foresight>>,
        fold: impl FnOnce(Ahead<'_>) -> T,
    ) -> Option<T> {
        if let Some(ahead) = self.tap.and_then(|tap| tap.take(range, wants_starts, self.feed)) {
            return Some(fold(ahead));
        }
        let (reader, mut ahead) = self.reader(range, wants_starts, 1);
        let (reader, ahead) = (Reader { foresight, ..reader }, ahead.pop()?);
        thread::scope(|scope| {
            let reader = scope.spawn(move || reader.run());
            let folded = fold(ahead);
            reader.join().is_ok().then_some(folded)
        })
    }

    /// Does the same for several stores side by side: those that are loaded from the first event on are so
    /// from one replay. The index has caught up.
    pub fn side_by_side<T: Send>(
        &self,
        stores: &[StoreName],
        work: impl Fn(Feeding<'_>, StoreName) -> Result<T, CatchUpError> + Sync,
    ) -> Vec<(StoreName, Result<T, CatchUpError>)> {
        if stores.len() < 2 {
            return stores.iter().map(|store| (*store, work(*self, *store))).collect();
        }
        let all = (self.feed.begins_after(), self.feed.through().sequence);
        let (reader, mut aheads) = self.reader(all, true, stores.len());
        // Who reads for several has time for one: the last one's takes longest.
        let foresight = stores.iter().rev().find_map(|store| store.foresight());
        let reader = Reader { foresight, ..reader };
        let (Some((last, others)), Some(own)) = (stores.split_last(), aheads.pop()) else {
            return Vec::new();
        };
        let work = &work;
        thread::scope(|scope| {
            let reader = scope.spawn(move || reader.run());
            let begun = self.begun_beside(scope, others, aheads, work);
            // The last one here: a thread that only waited would keep to itself what it was given to allocate from.
            let tap = Tap::of(own);
            let done = work(Feeding { tap: Some(&tap), ..*self }, *last);
            drop(tap);
            let mut ended = ended(begun);
            ended.push((*last, done));
            // Whoever was fed by it says what became of it.
            drop(reader.join());
            ended
        })
    }

    /// Begins a thread a store, each with its end of a replay.
    pub(super) fn begun_beside<'scope, 'env, T: Send + 'scope>(
        &self,
        scope: &'scope Scope<'scope, 'env>,
        stores: &[StoreName],
        aheads: Vec<Ahead<'static>>,
        work: &'scope (impl Fn(Feeding<'_>, StoreName) -> Result<T, CatchUpError> + Sync),
    ) -> Vec<(StoreName, ScopedJoinHandle<'scope, Result<T, CatchUpError>>)>
    where
        'a: 'scope,
    {
        let from = *self;
        let begin = |(store, ahead): (&StoreName, Ahead<'static>)| {
            let (store, tap) = (*store, Tap::of(ahead));
            // The tap goes with the thread: what is not taken keeps nobody waiting for long.
            let work = move || work(Feeding { tap: Some(&tap), ..from }, store);
            (store, scope.spawn(work))
        };
        stores.iter().zip(aheads).map(begin).collect()
    }

    pub(super) fn outcome(&self, store: StoreName, due: Due) -> Result<CaughtUp, CatchUpError> {
        let was_made = self.places.was_made(store);
        let done = self.due(store, due)?;
        Ok(CaughtUp { is_first: !was_made, ..done })
    }

    /// Makes those that any event may concern and that lack nearly all of them, from one replay.
    pub(super) fn made(
        &self,
        stores: impl Iterator<Item = StoreName>,
    ) -> Vec<(StoreName, Result<CaughtUp, CatchUpError>)> {
        let late = stores.filter(|it| it.concern().is_none() && self.is_late(*it));
        self.side_by_side(&late.collect::<Vec<_>>(), |from, store| {
            from.outcome(store, Due::Everything)
        })
    }

    pub(super) fn is_late(&self, store: StoreName) -> bool {
        let at = match store.open(self.places.path(store)).and_then(|store| store.cursor()) {
            Ok(Some(cursor)) => cursor.position.sequence,
            Err(StoreError::Missing { .. }) if !self.places.was_made(store) => 0,
            // What is wrong with it is told by who catches it up.
            _ => return false,
        };
        is_far_behind(at, self.feed.through().sequence.0)
    }
}

/// What became of each.
pub(super) fn ended<T>(
    begun: Vec<(StoreName, ScopedJoinHandle<'_, Result<T, CatchUpError>>)>,
) -> Vec<(StoreName, Result<T, CatchUpError>)> {
    let ended = begun.into_iter().map(|(store, thread)| {
        (store, thread.join().unwrap_or(Err(CatchUpError::Panicked { store })))
    });
    ended.collect()
}
