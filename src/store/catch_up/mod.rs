//! Catching stores up with the journal, exactly once (R11).
//!
//! The index first: the others find starts through it. A store that cannot be written lags
//! and says why; what was recorded stands.

mod advance;
mod ahead;
mod beside_index;
mod fed;
mod following;
mod known;
mod load;
mod pass;
pub(crate) mod replay;
mod report;
mod shared;
mod state;
mod tap;

use std::time::{Duration, Instant};

use super::rebuild::{Site, WAIT_MAX, take_away};
use super::{Feed, Keep, Rows, StoreName, StorePlaces};
use crate::event::Sequence;
use crate::journal::Mark;

use advance::FAR_BEHIND_EVENTS_MIN;
use beside_index::{Gate, Handover};

pub use advance::{Advance, Advanced, BATCH_EVENTS_MAX};
pub use following::{Followed, following};
pub use known::has_all;
pub use load::beginning;
pub(crate) use pass::brought;
pub(crate) use replay::{Due, Starts};
pub use report::{CatchUpReport, CaughtUp, StoreReport};
pub(crate) use report::{log_anomalies, log_store};
pub use state::{CatchUpError, RebuildReason};
pub(crate) use state::{Standing, rebuild_reason, replaceable, standing, standing_by_its_word};
pub use tap::{Tap, Told, told};

/// Catches every store up. Never fails because of one: its report says why it lags. One that nothing
/// in the journal concerns is neither made nor told of, nor is one that is made on demand.
pub fn catch_up(places: &StorePlaces, feed: &dyn Feed) -> CatchUpReport {
    Feeding::of(places, feed).all(|store| !store.is_on_demand())
}

/// Catches up a store that is made on demand, after the index, through which it finds what it needs.
pub fn catch_up_on_demand(
    store: StoreName,
    places: &StorePlaces,
    feed: &dyn Feed,
) -> Result<CaughtUp, CatchUpError> {
    let feeding = Feeding::of(places, feed);
    feeding.index()?;
    let is_first = !places.was_made(store);
    let done = feeding.store(store).map(|done| CaughtUp { is_first, ..done });
    feeding.note(store, &done);
    done
}

/// As [`catch_up`], of what a question about executions is answered from alone.
pub fn catch_up_executions(places: &StorePlaces, feed: &dyn Feed) -> CatchUpReport {
    Feeding::of(places, feed).all(|store| store.is_needed())
}

/// As [`catch_up_executions`], for so long about: what is not done then is whoever's who asks next. A store
/// that is not there is begun, and goes on the next time; one that something else is wrong with is left as it is.
pub fn catch_up_briefly(places: &StorePlaces, feed: &dyn Feed, most: Duration) -> CatchUpReport {
    let until = Instant::now().checked_add(most);
    let brief = Feeding { batch: BRIEF_BATCH_EVENTS, until, ..Feeding::of(places, feed) };
    brief.all(|store| store.is_needed())
}

/// Events after which who has little time looks whether there is any left.
const BRIEF_BATCH_EVENTS: u64 = 256;

/// Stores at their places, and the journal that they are fed from.
#[derive(Clone, Copy)]
pub struct Feeding<'a> {
    pub places: &'a StorePlaces,
    pub feed: &'a dyn Feed,
    /// Events of one transaction, about.
    pub batch: u64,
    /// After this no other transaction is begun, and of a store that is built anew only the beginning is.
    pub until: Option<Instant>,
    /// What others that are loaded beside this read too.
    pub tap: Option<&'a Tap>,
    /// What an index that is loaded hands on.
    pub onward: Option<&'a Handover>,
    /// What is built beside an index comes into its place after it.
    pub gate: Option<&'a Gate>,
}

impl<'a> Feeding<'a> {
    pub fn of(places: &'a StorePlaces, feed: &'a dyn Feed) -> Self {
        let (batch, until, tap, onward, gate) = (BATCH_EVENTS_MAX, None, None, None, None);
        Self { places, feed, batch, until, tap, onward, gate }
    }

    /// The same stores, from the journal as it is later.
    pub fn later<'l>(&self, feed: &'l dyn Feed) -> Feeding<'l>
    where
        'a: 'l,
    {
        Feeding { feed, ..*self }
    }

    pub fn all(&self, is_meant: impl Fn(&StoreName) -> bool) -> CatchUpReport {
        let mut told = Vec::new();
        let (mut operations, mut made) = (None, Vec::new());
        let list = self.places.list;
        for store in list.stores.iter().copied().filter(&is_meant) {
            let due = match &operations {
                Some(operations) => Ok(Due::by(operations, store)),
                None => Due::of(store, self.places),
            };
            if matches!(due, Ok(Due::Nothing)) && matches!(self.places.has(store), Ok(false)) {
                continue;
            }
            let known = made.iter().position(|(it, _)| *it == store);
            let mut outcome = match known.map(|at| made.swap_remove(at)) {
                Some((_, outcome)) => outcome,
                None if list.is_index(store) => {
                    let (outcome, beside) = self.index_and_beside(store, &is_meant);
                    made = beside;
                    outcome
                }
                None => due.map_err(CatchUpError::from).and_then(|due| self.outcome(store, due)),
            };
            self.note(store, &outcome);
            if let Ok(done) = &mut outcome
                && list.is_index(store)
            {
                operations = done.operations.take().or_else(|| self.operations(store));
            }
            let is_late = outcome.as_ref().is_ok_and(|it| it.events >= FAR_BEHIND_EVENTS_MIN);
            if is_late && list.is_index(store) && self.until.is_none() {
                made.extend(self.made(list.stores.iter().copied().filter(&is_meant)));
            }
            let failed = outcome.is_err();
            told.push(StoreReport { store, outcome });
            if failed && list.is_index(store) {
                // Without the index no start is found: the other stores wait with it.
                break;
            }
        }
        CatchUpReport { through: self.feed.through().sequence, stores: told, operations }
    }

    fn note(&self, store: StoreName, outcome: &Result<CaughtUp, CatchUpError>) {
        let errors = &self.places.errors;
        match outcome {
            Ok(done) => {
                if let Some(reason) = done.replaced_for() {
                    let at = self.feed.through().sequence;
                    log_store(errors, store, at, "rebuilt", &reason.to_string());
                }
            }
            Err(CatchUpError::Contradicts { reason, .. }) => {
                // By where it stands, which does not change: once.
                let stand = store.open(self.places.path(store)).and_then(|reader| reader.stand());
                let cursor = stand.ok().and_then(|(cursor, _)| cursor); // what it says, if it does
                let at = Sequence(cursor.map_or(0, |cursor| cursor.position.sequence));
                log_store(errors, store, at, "kept as evidence", &reason.to_string());
            }
            Err(_) => {}
        }
    }

    /// Catches one store up; one that cannot be trusted is built anew.
    pub fn store(&self, store: StoreName) -> Result<CaughtUp, CatchUpError> {
        self.due(store, Due::of(store, self.places)?)
    }

    /// Catches the index up, through which starts are found, and what there is for a store.
    pub fn index(&self) -> Result<CaughtUp, CatchUpError> {
        match self.places.list.stores.first() {
            Some(index) => self.store(*index),
            None => Ok(CaughtUp::default()),
        }
    }

    fn due(&self, store: StoreName, due: Due) -> Result<CaughtUp, CatchUpError> {
        if let Some(shared) = store.shared() {
            return self.shared(store, shared);
        }
        if due == Due::Nothing {
            return self.not_made(store);
        }
        let may_build = self.until.is_none();
        let live = Advance { store, from: *self, may_build, due };
        let reason = match live.opened()? {
            Advanced::Done(done) => return Ok(done),
            Advanced::Rebuild(RebuildReason::Missing) if !may_build => return self.begun(store),
            Advanced::Rebuild(_) if !may_build => return Ok(CaughtUp::default()),
            Advanced::Rebuild(reason) => replaceable(store, reason, self.places)?,
        };
        let built = self.site(store, WAIT_MAX).and_then(|site| {
            // Who built it while this one waited has done the work.
            match live.opened()? {
                Advanced::Done(done) => Ok(done),
                Advanced::Rebuild(reason) => {
                    self.build_anew(site, replaceable(store, reason, self.places)?)
                }
            }
        });
        match built {
            // Somebody is connected, or builds for a long time: row by row then.
            Err(error) if error.is_locked() && reason == RebuildReason::FarBehind => {
                Advance { may_build: false, ..live }.only_fed()
            }
            built => built,
        }
    }

    /// Makes a store that is missing, empty, and feeds it for as long as there is time.
    fn begun(&self, store: StoreName) -> Result<CaughtUp, CatchUpError> {
        let site = Site::take_within(self.places, store, Duration::ZERO)?;
        let built = self.build_at(site, Mark { sequence: Sequence(0), chain: [0; 32] })?;
        self.replace(built, Keep::Nothing)?;
        Ok(CaughtUp { rebuilt: Some(RebuildReason::Missing), ..CaughtUp::default() })
    }

    pub(crate) fn build_anew(
        &self,
        site: Site,
        reason: RebuildReason,
    ) -> Result<CaughtUp, CatchUpError> {
        let mut built = self.build_at(site, self.feed.through())?;
        // Nothing is wrong with one that is only behind. Any other is not ours to throw away.
        let (rebuilt, keep) = match reason {
            RebuildReason::FarBehind => (None, Keep::Nothing),
            reason if built.store().is_on_demand() => (Some(reason), Keep::Nothing),
            reason => (Some(reason), reason.keep_of(self.places.path(built.store()))),
        };
        let done = std::mem::take(&mut built.done);
        Ok(CaughtUp { quarantined: self.replace(built, keep)?, rebuilt, ..done })
    }

    /// A store that nothing in the journal concerns, as far as the index had read. One that says
    /// otherwise is of events that came since, or is not of this journal's making.
    fn not_made(&self, store: StoreName) -> Result<CaughtUp, CatchUpError> {
        if !self.places.has(store)? {
            return Ok(CaughtUp::default());
        }
        let reason = match store.open(self.places.path(store)).and_then(|reader| reader.stand()) {
            Ok((cursor, rows)) => match standing(cursor, rows, self.feed)? {
                Standing::Wrong(reason) => reason,
                // Somebody is about to write the first.
                _ if rows == Rows::default() => return Ok(CaughtUp::default()),
                _ => {
                    let later = self.feed.reopened()?;
                    let later = self.later(later.as_ref());
                    later.index()?;
                    match Due::of(store, self.places)? {
                        Due::Nothing => RebuildReason::Unfounded,
                        due => return later.due(store, due),
                    }
                }
            },
            Err(error) => rebuild_reason(error)?,
        };
        replaceable(store, reason, self.places)?;
        let quarantined = take_away(store, self.places, reason.keep())?;
        Ok(CaughtUp { rebuilt: Some(reason), quarantined, ..CaughtUp::default() })
    }

    /// Feeds a store that was just built with what came meanwhile.
    pub fn built(&self, store: StoreName) -> Result<CaughtUp, CatchUpError> {
        let due = Due::of(store, self.places)?;
        Advance { store, from: *self, may_build: false, due }.only_fed()
    }
}

#[cfg(test)]
pub(crate) mod tests;
