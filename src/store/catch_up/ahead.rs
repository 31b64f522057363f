//! A replay that is read ahead by a thread of its own, decoded once for whoever folds it: one store, or
//! several side by side.

use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread;

use super::advance::is_far_behind;
use super::pass::brought;
use super::replay::{Due, Starts};
use super::{CatchUpError, CaughtUp, Feeding, RebuildReason};
use crate::event::{Body, Content, Recorded, Sequence};
use crate::journal::Mark;
use crate::store::feed::Step;
use crate::store::{Feed, Foreseen, Foresight, StoreError, StoreName, StorePlaces};

/// A step, the start of the execution that it closes, and what of it was made ahead.
pub struct Fed {
    pub step: Step,
    pub start: Option<Arc<Recorded>>,
    pub foreseen: Option<Foreseen>,
}

pub(super) const BATCHES_MAX: usize = 2;
/// Steps of one batch, and the bytes of what they hold after which it is full sooner.
pub(super) const BATCH_STEPS_MAX: usize = 256;
pub(super) const BATCH_BYTES_MAX: usize = 256 << 10;

/// How the reading ended, and where, if that is to be looked at; not set where its thread panicked.
pub(super) type End = Arc<OnceLock<Result<Option<Mark>, Arc<CatchUpError>>>>;

struct Reader<'f> {
    feed: &'f dyn Feed,
    after: Sequence,
    through: Sequence,
    /// Through whose index starts are looked for, where they are wanted.
    places: Option<&'f StorePlaces>,
    foresight: Option<Box<dyn Foresight>>,
    full: Vec<SyncSender<Arc<Vec<Fed>>>>,
    end: End,
}

/// One fold's end of it.
pub struct Ahead<'f> {
    /// `None`: of all there is.
    pub(super) range: Option<(Sequence, Sequence)>,
    /// The feed in whose place somebody else reads the journal.
    pub(super) instead_of: Option<&'f dyn Feed>,
    pub(super) batches: Receiver<Arc<Vec<Fed>>>,
    pub(super) end: End,
}

impl Ahead<'_> {
    /// Gives the steps to `take`, until it answers something or they end.
    pub fn each<T>(
        self,
        store: StoreName,
        mut take: impl FnMut(&Fed) -> Result<Option<T>, CatchUpError>,
    ) -> Result<Option<T>, CatchUpError> {
        for batch in &self.batches {
            for fed in batch.iter() {
                self.instead_of.map_or(Ok(()), |feed| feed.allows_more())?;
                if let Some(taken) = take(fed)? {
                    return Ok(Some(taken));
                }
            }
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
        loop {
            let (mut batch, mut bytes) = (Vec::with_capacity(BATCH_STEPS_MAX), 0);
            while batch.len() < BATCH_STEPS_MAX && bytes < BATCH_BYTES_MAX {
                let Some(mut step) = steps.next().transpose()? else { break };
                let start = match (&step, &mut starts) {
                    (Step::Event(recorded), Some(starts)) => starts.of(self.feed, recorded)?,
                    _ => None,
                };
                let mut foreseen = None;
                if let (Step::Event(recorded), Some(foresight)) = (&mut step, &mut self.foresight) {
                    if let Some(brought) = brought(self.feed, recorded) {
                        *recorded = Arc::new(brought);
                    }
                    foreseen = foresight.of(recorded, start.as_deref());
                }
                bytes += weight(&step);
                batch.push(Fed { step, start, foreseen });
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

pub(super) fn weight(step: &Step) -> usize {
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
pub struct Tap(Mutex<Option<Ahead<'static>>>);

impl Tap {
    /// What it gives, where that is what is asked for; who reads something else keeps nobody waiting.
    fn take<'f>(
        &self,
        range: (Sequence, Sequence),
        wants_starts: bool,
        feed: &'f dyn Feed,
    ) -> Option<Ahead<'f>> {
        let ahead = self.0.lock().unwrap_or_else(PoisonError::into_inner).take()?;
        if ahead.range.is_some() {
            return Some(ahead).filter(|ahead| ahead.range == Some(range));
        }
        let all = (feed.begins_after(), feed.through().sequence);
        let is_it = range == all && !wants_starts;
        is_it.then_some(Ahead { instead_of: Some(feed), ..ahead })
    }

    pub(super) fn of(ahead: Ahead<'static>) -> Self {
        Self(Mutex::new(Some(ahead)))
    }
}

impl<'a> Feeding<'a> {
    fn reader(
        &self,
        (after, through): (Sequence, Sequence),
        wants_starts: bool,
        folds: usize,
    ) -> (Reader<'a>, Vec<Ahead<'static>>) {
        let (mut full, mut all, end) = (Vec::new(), Vec::new(), End::default());
        for _ in 0..folds {
            let (to, batches) = sync_channel(BATCHES_MAX);
            full.push(to);
            let (range, end) = (Some((after, through)), Arc::clone(&end));
            all.push(Ahead { range, instead_of: None, batches, end });
        }
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
        let (reader, aheads) = self.reader(all, true, stores.len());
        let work = &work;
        thread::scope(|scope| {
            let reader = scope.spawn(move || reader.run());
            let begin = |(store, ahead): (&StoreName, Ahead<'static>)| {
                let (store, tap) = (*store, Tap::of(ahead));
                // The tap goes with the thread: what is not taken keeps nobody waiting for long.
                let work = move || work(Feeding { tap: Some(&tap), ..*self }, store);
                (store, scope.spawn(work))
            };
            let begun: Vec<_> = stores.iter().zip(aheads).map(begin).collect();
            let ended = begun.into_iter().map(|(store, thread)| {
                (store, thread.join().unwrap_or(Err(CatchUpError::Panicked { store })))
            });
            let ended = ended.collect();
            // Whoever was fed by it says what became of it.
            drop(reader.join());
            ended
        })
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
