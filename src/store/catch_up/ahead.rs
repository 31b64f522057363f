//! A replay that is read ahead by a thread of its own, decoded once for whoever folds it: one store, or
//! several side by side.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread::{self, Scope, ScopedJoinHandle};

use super::advance::is_far_behind;
use super::beside_index::Onward;
use super::replay::{Due, Starts};
use super::{CatchUpError, CaughtUp, Feeding};
use crate::event::{Body, Content, Recorded, Sequence};
use crate::store::feed::Step;
use crate::store::{Feed, StoreError, StoreName, StorePlaces};

/// A step, and what is found of the execution that it closes.
pub struct Fed {
    pub step: Step,
    start: OnceLock<Arc<Recorded>>,
    is_told_again: AtomicBool,
}

impl Fed {
    fn of(step: Step) -> Self {
        Self { step, start: OnceLock::new(), is_told_again: AtomicBool::new(false) }
    }

    /// Notes the start, and whether its end was told before.
    pub(super) fn found(&self, start: Option<Arc<Recorded>>, is_told_again: bool) {
        // Before the batch is handed on, which is what orders it.
        self.is_told_again.store(is_told_again, Ordering::Relaxed);
        if let Some(start) = start {
            self.start.get_or_init(|| start);
        }
    }

    pub fn start(&self) -> Option<&Recorded> {
        self.start.get().map(Arc::as_ref)
    }

    /// Whether it tells an end that was told before.
    pub fn is_told_again(&self) -> bool {
        self.is_told_again.load(Ordering::Relaxed)
    }
}

pub(super) type Batch = Arc<Vec<Fed>>;

const BATCHES_MAX: usize = 2;
/// Steps of one batch, and the bytes of what they hold after which it is full sooner.
const BATCH_STEPS_MAX: usize = 128;
const BATCH_BYTES_MAX: usize = 128 << 10;

/// How the reading ended; not set where its thread panicked.
pub(super) type End = Arc<OnceLock<Result<(), Arc<CatchUpError>>>>;

struct Reader<'f> {
    feed: &'f dyn Feed,
    after: Sequence,
    through: Sequence,
    /// Through whose index starts are looked for, where they are wanted.
    places: Option<&'f StorePlaces>,
    full: Vec<SyncSender<Batch>>,
    end: End,
}

/// One fold's end of it.
pub struct Ahead {
    after: Sequence,
    through: Sequence,
    batches: Receiver<Batch>,
    end: End,
}

impl Ahead {
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
                if let Some(end) = take(fed, onward.as_mut())? {
                    return Ok(Some(end));
                }
            }
            if let Some(onward) = &onward {
                onward.hand_on(&batch);
            }
        }
        if let (Some(Ok(())), Some(onward)) = (self.end.get(), onward) {
            onward.finish();
        }
        match self.end.get() {
            Some(Ok(())) => Ok(None),
            Some(Err(error)) => Err(CatchUpError::Ahead(Arc::clone(error))),
            None => Err(CatchUpError::Panicked { store }),
        }
    }
}

impl Reader<'_> {
    fn run(self) {
        let ended = self.read().map_err(Arc::new);
        // Before the folds see that nothing more comes.
        self.end.get_or_init(|| ended);
    }

    fn read(&self) -> Result<(), CatchUpError> {
        let starts = self.places.map(|places| Starts::through_index(places, self.through));
        let mut starts = starts.transpose()?;
        let mut steps = self.feed.replay(self.after, self.through)?;
        loop {
            let (mut batch, mut bytes) = (Vec::with_capacity(BATCH_STEPS_MAX), 0);
            while batch.len() < BATCH_STEPS_MAX && bytes < BATCH_BYTES_MAX {
                let Some(step) = steps.next().transpose()? else { break };
                bytes += weight(&step);
                let fed = Fed::of(step);
                if let (Step::Event(recorded), Some(starts)) = (&fed.step, &mut starts) {
                    let start = starts.of(self.feed, recorded)?;
                    let is_told_again = starts.is_told_again(recorded, start.as_deref())?;
                    fed.found(start, is_told_again);
                }
                batch.push(fed);
            }
            let batch = Arc::new(batch);
            // Who has gone has read enough, or has an error of their own to tell.
            let sent = self.full.iter().filter(|to| to.send(Arc::clone(&batch)).is_ok()).count();
            if batch.is_empty() || sent == 0 {
                return Ok(());
            }
        }
    }
}

fn weight(step: &Step) -> usize {
    let Step::Event(recorded) = step else { return 0 };
    let body = &recorded.event.body;
    let json = match body {
        Body::ExecutionStarted(started) => Some(&started.arguments),
        Body::ExecutionFinished(finished) => finished.closing.diagnostics.as_ref(),
        Body::ExecutionCorrected(corrected) => corrected.closing.diagnostics.as_ref(),
        _ => None,
    };
    json.map_or(0, |json| json.0.len()) + body.contents().map(of_content).sum::<usize>()
}

fn of_content(content: &Content) -> usize {
    match content {
        Content::Inline(bytes) => bytes.len(),
        Content::Blob { .. } | Content::Repeated { .. } => 0,
        Content::Truncated { head, tail, .. } => head.len() + tail.len(),
    }
}

/// A replay that others read too, for whoever loads what they do.
pub struct Tap(Mutex<Option<Ahead>>);

impl Tap {
    /// What it gives, where that is what is asked for; who reads something else keeps nobody waiting.
    fn take(&self, after: Sequence, through: Sequence) -> Option<Ahead> {
        self.close().filter(|ahead| (ahead.after, ahead.through) == (after, through))
    }

    pub(super) fn close(&self) -> Option<Ahead> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// Ends for so many folds, and what fills them.
pub(super) fn ends(
    (after, through): (Sequence, Sequence),
    folds: usize,
) -> (Vec<SyncSender<Batch>>, Vec<Ahead>, End) {
    let (mut full, mut all, end) = (Vec::new(), Vec::new(), End::default());
    for _ in 0..folds {
        let (to, batches) = sync_channel(BATCHES_MAX);
        full.push(to);
        all.push(Ahead { after, through, batches, end: Arc::clone(&end) });
    }
    (full, all, end)
}

impl<'a> Feeding<'a> {
    fn reader(
        &self,
        (after, through): (Sequence, Sequence),
        wants_starts: bool,
        folds: usize,
    ) -> (Reader<'a>, Vec<Ahead>) {
        let (full, all, end) = ends((after, through), folds);
        let places = wants_starts.then_some(self.places);
        (Reader { feed: self.feed, after, through, places, full, end }, all)
    }

    /// Gives `fold` what is read of the journal, ahead of it.
    pub(super) fn ahead<T>(
        &self,
        (after, through): (Sequence, Sequence),
        wants_starts: bool,
        fold: impl FnOnce(Ahead) -> T,
    ) -> Option<T> {
        if let Some(ahead) = self.tap.and_then(|tap| tap.take(after, through)) {
            return Some(fold(ahead));
        }
        let (reader, mut ahead) = self.reader((after, through), wants_starts, 1);
        let ahead = ahead.pop()?;
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
        let (reader, aheads) = self.reader(all, true, stores.len());
        let work = &work;
        thread::scope(|scope| {
            let reader = scope.spawn(move || reader.run());
            let begun = self.begun_beside(scope, stores, aheads, work);
            let ended = ended(begun);
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
        aheads: Vec<Ahead>,
        work: &'scope (impl Fn(Feeding<'_>, StoreName) -> Result<T, CatchUpError> + Sync),
    ) -> Vec<(StoreName, ScopedJoinHandle<'scope, Result<T, CatchUpError>>)>
    where
        'a: 'scope,
    {
        let from = *self;
        let begin = |(store, ahead): (&StoreName, Ahead)| {
            let (store, tap) = (*store, Tap(Mutex::new(Some(ahead))));
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

    fn is_late(&self, store: StoreName) -> bool {
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
