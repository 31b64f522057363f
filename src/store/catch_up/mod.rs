//! Catching stores up with the journal, exactly once (R11).
//!
//! The index first: the others find starts through it. A store that cannot be written lags
//! and says why; what was recorded stands.

mod advance;
mod graph;
pub(crate) mod replay;
mod report;
mod state;
mod within;

use std::path::PathBuf;

use super::rebuild::{Build, Site, replace, take_away};
use super::{Feed, Keep, Rows, StoreError};
use crate::event::Sequence;
use crate::execution::index::Operations;
use crate::store::{StoreName, StorePlaces};
use state::replaceable;

pub use report::{CatchUpReport, StoreReport};
pub use state::{CatchUpError, RebuildReason};

pub(crate) use advance::{Advance, Advanced, BATCH_EVENTS_MAX, load};
pub(crate) use graph::{is_wanted, make_graph, rebuild_in_place};
pub(crate) use replay::{Due, Starts};
pub(crate) use report::{log_anomalies, log_store};
pub(crate) use state::{Standing, standing};
pub(crate) use within::{CaughtWithin, catch_up_memory_within, prepare_memory};

/// Catches every store up. Never fails because of one: its report says why it lags. One that nothing
/// in the journal concerns is neither made nor told of.
pub fn catch_up(places: &StorePlaces, feed: &dyn Feed) -> CatchUpReport {
    catch_up_by(places, feed, BATCH_EVENTS_MAX)
}

/// As [`catch_up`], of what a question about executions is answered from: the index and the
/// execution log alone.
pub fn catch_up_executions(places: &StorePlaces, feed: &dyn Feed) -> CatchUpReport {
    let only = [StoreName::Index, StoreName::ExecutionLog];
    catch_up_of(&only, places, feed, BATCH_EVENTS_MAX)
}

pub fn catch_up_by(places: &StorePlaces, feed: &dyn Feed, batch: u64) -> CatchUpReport {
    catch_up_of(StoreName::ALL, places, feed, batch)
}

fn catch_up_of(
    only: &[StoreName],
    places: &StorePlaces,
    feed: &dyn Feed,
    batch: u64,
) -> CatchUpReport {
    let mut stores = Vec::with_capacity(only.len());
    let mut operations = None;
    for store in only {
        let due = match operations {
            Some(operations) => Ok(Due::by(operations, *store)),
            None => Due::of(*store, places),
        };
        if matches!(due, Ok(Due::Nothing)) && matches!(places.has(*store), Ok(false)) {
            continue;
        }
        let was_made = places.was_made(*store);
        let outcome = due
            .map_err(CatchUpError::from)
            .and_then(|due| catch_up_due(*store, due, places, feed, batch))
            .map(|done| CaughtUp { is_first: !was_made, ..done });
        note(*store, &outcome, places, feed);
        if let (StoreName::Index, Ok(done)) = (store, &outcome) {
            operations = done.operations;
        }
        let failed = outcome.is_err();
        stores.push(StoreReport::new(*store, outcome));
        if failed && *store == StoreName::Index {
            // Without the index no start is found: the other stores wait with it.
            break;
        }
    }
    let last_of_repos = operations.and_then(|known| known.last_of_repos()).map(Sequence);
    CatchUpReport { through: feed.through().sequence, stores, last_of_repos }
}

fn note(
    store: StoreName,
    outcome: &Result<CaughtUp, CatchUpError>,
    places: &StorePlaces,
    feed: &dyn Feed,
) {
    let at = feed.through().sequence;
    match outcome {
        Ok(done) => {
            if let Some(reason) = done.replaced_for() {
                log_store(&places.errors, store, at, "rebuilt", &reason.to_string());
            }
        }
        Err(CatchUpError::Contradicts { reason, .. }) => {
            // By where it stands, which does not change: once.
            let stand = store.open(places.path(store)).and_then(|reader| reader.stand());
            let cursor = stand.ok().and_then(|(cursor, _)| cursor); // what it says, if it does
            let at = Sequence(cursor.map_or(0, |cursor| cursor.position.sequence));
            log_store(&places.errors, store, at, "kept as evidence", &reason.to_string());
        }
        Err(_) => {}
    }
}

#[derive(Debug, Default)]
pub struct CaughtUp {
    pub events: u64,
    pub anomalies: u64,
    /// Events that the journal lacks among those that were to be read.
    pub lost: u64,
    pub rebuilt: Option<RebuildReason>,
    pub quarantined: Option<PathBuf>,
    /// Nobody had made it before.
    is_first: bool,
    /// Where the events are that only some stores are made of, by the index.
    operations: Option<Operations>,
}

impl CaughtUp {
    pub fn replaced_for(&self) -> Option<RebuildReason> {
        let is_first = self.is_first && self.quarantined.is_none();
        self.rebuilt.filter(|reason| match reason {
            RebuildReason::Missing | RebuildReason::NoCursor => !is_first,
            // As often as the code is: nothing was wrong with it.
            RebuildReason::Reindexed => false,
            _ => true,
        })
    }
}

/// Catches one store up; one that cannot be trusted is built anew.
pub fn catch_up_store(
    store: StoreName,
    places: &StorePlaces,
    feed: &dyn Feed,
    batch: u64,
) -> Result<CaughtUp, CatchUpError> {
    let due = Due::of(store, places)?;
    catch_up_due(store, due, places, feed, batch)
}

fn catch_up_due(
    store: StoreName,
    due: Due,
    places: &StorePlaces,
    feed: &dyn Feed,
    batch: u64,
) -> Result<CaughtUp, CatchUpError> {
    if store == StoreName::CodeGraph {
        return graph::catch_up_graph(places, feed, batch);
    }
    if due == Due::Nothing {
        return not_made(store, places, feed, batch);
    }
    let live = Advance { store, places, feed, batch, may_build: true, due };
    let reason = match advance_live(live)? {
        Advanced::Done(done) => return Ok(done),
        Advanced::Rebuild(reason) => replaceable(store, reason, places)?,
    };
    let built = Site::take(places, store).map_err(CatchUpError::from).and_then(|site| {
        // Who built it while this one waited has done the work.
        match advance_live(live)? {
            Advanced::Done(done) => Ok(done),
            Advanced::Rebuild(reason) => {
                build_anew(site, places, feed, replaceable(store, reason, places)?)
            }
        }
    });
    match built {
        // Somebody is connected, or builds for a long time: row by row then.
        Err(error) if error.is_locked() && reason == RebuildReason::FarBehind => {}
        built => return built,
    }
    match advance_live(Advance { may_build: false, ..live })? {
        Advanced::Done(done) => Ok(done),
        Advanced::Rebuild(reason) => Err(CatchUpError::Changed { store, reason }),
    }
}

fn build_anew(
    site: Site,
    places: &StorePlaces,
    feed: &dyn Feed,
    reason: RebuildReason,
) -> Result<CaughtUp, CatchUpError> {
    let store = site.store();
    let built = Build { store, places, feed }.run_at(site, feed.through())?;
    let (events, anomalies, lost) = (built.events, built.anomalies, built.lost);
    // Nothing is wrong with one that is only behind. Any other is not ours to throw away.
    let (rebuilt, keep) = match reason {
        RebuildReason::FarBehind => (None, Keep::Nothing),
        reason => (Some(reason), reason.keep_of(places.path(store))),
    };
    let quarantined = replace(built, places, feed, keep)?;
    Ok(CaughtUp { events, anomalies, lost, quarantined, rebuilt, ..CaughtUp::default() })
}

/// A store that nothing in the journal concerns, as far as the index had read. One that says
/// otherwise is of events that came since, or is not of this journal's making.
fn not_made(
    store: StoreName,
    places: &StorePlaces,
    feed: &dyn Feed,
    batch: u64,
) -> Result<CaughtUp, CatchUpError> {
    if !places.has(store)? {
        return Ok(CaughtUp::default());
    }
    let reason = match store.open(places.path(store)).and_then(|reader| reader.stand()) {
        Ok((cursor, rows)) => match standing(cursor, rows, feed)? {
            Standing::Wrong(reason) => reason,
            // Somebody is about to write the first.
            _ if rows == Rows::default() => return Ok(CaughtUp::default()),
            _ => {
                let later = feed.reopened()?;
                catch_up_store(StoreName::Index, places, later.as_ref(), batch)?;
                match Due::of(store, places)? {
                    Due::Nothing => RebuildReason::Unfounded,
                    due => return catch_up_due(store, due, places, later.as_ref(), batch),
                }
            }
        },
        Err(error) => rebuild_reason(error)?,
    };
    replaceable(store, reason, places)?;
    let quarantined = take_away(store, places, reason.keep())?;
    Ok(CaughtUp { rebuilt: Some(reason), quarantined, ..CaughtUp::default() })
}

/// Feeds a store where it stands; answers why it must be built anew instead, if it must.
fn advance_live(live: Advance<'_>) -> Result<Advanced, CatchUpError> {
    let opened = crate::stores::opened(live.store, live.places);
    match opened.map(|mut projector| live.run(projector.as_mut())) {
        Ok(Err(CatchUpError::Store(error))) | Err(error) => {
            rebuild_reason(error).map(Advanced::Rebuild)
        }
        Ok(advanced) => advanced,
    }
}

pub(crate) fn advance_built(
    store: StoreName,
    places: &StorePlaces,
    feed: &dyn Feed,
) -> Result<CaughtUp, CatchUpError> {
    let due = Due::of(store, places)?;
    let (batch, may_build) = (BATCH_EVENTS_MAX, false);
    match advance_live(Advance { store, places, feed, batch, may_build, due })? {
        Advanced::Done(done) => Ok(done),
        Advanced::Rebuild(reason) => Err(CatchUpError::Changed { store, reason }),
    }
}

/// A store's own error as a reason to build it anew, where that helps.
pub(crate) fn rebuild_reason(error: StoreError) -> Result<RebuildReason, CatchUpError> {
    match error {
        StoreError::Missing { .. } => Ok(RebuildReason::Missing),
        StoreError::Empty { .. } => Ok(RebuildReason::Empty),
        StoreError::Unreadable { .. } => Ok(RebuildReason::Unreadable),
        StoreError::SchemaDiffers { .. } => Ok(RebuildReason::SchemaDiffers),
        StoreError::FilesDiffer { source, .. } => {
            let is_link = source.raw_os_error() == Some(rustix::io::Errno::LOOP.raw_os_error());
            Ok(if is_link { RebuildReason::Linked } else { RebuildReason::FilesDiffer })
        }
        StoreError::Differs { .. } => Ok(RebuildReason::ContentDiffers),
        other => Err(CatchUpError::Store(other)),
    }
}

#[cfg(test)]
pub(crate) mod tests;
