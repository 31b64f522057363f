//! Catching stores up with the journal, exactly once (R11).
//!
//! The index first: the others find starts through it. A store that cannot be written lags
//! and says why; what was recorded stands.

mod advance;
mod ahead;
mod due;
mod error;
mod error_log;
mod graph;
mod relink;
mod report;
mod standing;
mod starts;
mod within;

use std::path::PathBuf;

use super::feed::Feed;
use super::rebuild::{Build, replace};
use crate::event::Sequence;
use crate::projector;
use crate::store::index::Operations;
use crate::store::{Rows, StoreError, StoreName, StorePlaces, Swap};

pub use error::CatchUpError;
pub use report::{CatchUpReport, StoreReport};
pub use standing::RebuildReason;

pub(super) use advance::{Advance, Advanced, BATCH_EVENTS_MAX, load};
pub(super) use due::Due;
pub(super) use error_log::log_anomalies;
pub(super) use graph::{is_wanted, make_graph, rebuild_in_place};
pub(super) use standing::{Standing, standing};
pub(super) use starts::Starts;
pub(super) use within::{CaughtWithin, catch_up_memory_within, prepare_memory};

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

/// As [`catch_up`], in transactions of about this many events.
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
        let outcome = due
            .map_err(CatchUpError::from)
            .and_then(|due| catch_up_due(*store, due, places, feed, batch));
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

/// What catching one store up did.
#[derive(Debug, Default)]
pub struct CaughtUp {
    /// Events read.
    pub events: u64,
    /// Anomalies met.
    pub anomalies: u64,
    /// Why the store had to be built anew.
    pub rebuilt: Option<RebuildReason>,
    /// Where the store that was replaced went.
    pub quarantined: Option<PathBuf>,
    /// Where the events are that only some stores are made of, by the index.
    operations: Option<Operations>,
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
        return not_made(store, places, feed);
    }
    let live = Advance { store, places, feed, batch, may_build: true, due };
    let reason = match advance_live(live)? {
        Advanced::Done(done) => return Ok(done),
        Advanced::Rebuild(RebuildReason::FarBehind) => {
            match build_anew(store, places, feed, false) {
                // Somebody is connected: row by row then.
                Err(error) if error.is_locked() => {}
                built => return built,
            }
            match advance_live(Advance { may_build: false, ..live })? {
                Advanced::Done(done) => return Ok(done),
                Advanced::Rebuild(reason) => reason,
            }
        }
        // Another process may have gone on, and caught the store up, since we looked.
        Advanced::Rebuild(RebuildReason::Ahead) => {
            let later = feed.reopened()?;
            let feed = later.as_ref();
            match advance_live(Advance { feed, may_build: false, ..live })? {
                Advanced::Done(done) => return Ok(done),
                Advanced::Rebuild(reason) => reason,
            }
        }
        Advanced::Rebuild(reason) => reason,
    };
    // Missing: there is nothing to keep. Else it is not ours to throw away.
    let built = build_anew(store, places, feed, true)?;
    Ok(CaughtUp { rebuilt: Some(reason), ..built })
}

/// Builds a store beside the old one, and puts it in its place.
fn build_anew(
    store: StoreName,
    places: &StorePlaces,
    feed: &dyn Feed,
    keep_old: bool,
) -> Result<CaughtUp, CatchUpError> {
    let built = Build { store, places, feed }.run(feed.through())?;
    let (events, anomalies) = (built.events, built.anomalies);
    let quarantined = replace(built, places, feed, keep_old)?;
    Ok(CaughtUp { events, anomalies, quarantined, ..CaughtUp::default() })
}

/// A store that nothing in the journal concerns. One that says otherwise is not of its making.
fn not_made(
    store: StoreName,
    places: &StorePlaces,
    feed: &dyn Feed,
) -> Result<CaughtUp, CatchUpError> {
    let path = places.path(store);
    if !places.has(store)? {
        return Ok(CaughtUp::default());
    }
    let judged = store.open(path).and_then(|reader| Ok((reader.cursor()?, reader.found_rows()?)));
    let reason = match judged {
        Ok((_, rows)) if rows != Rows::default() => RebuildReason::Unfounded,
        Ok((cursor, rows)) => match standing(cursor, rows, feed)? {
            // Somebody is about to write the first.
            Standing::Current | Standing::Behind(_) => return Ok(CaughtUp::default()),
            Standing::Wrong(reason) => reason,
        },
        Err(error) => reason(error)?,
    };
    let quarantined = Swap::begin(path, &places.quarantine)?.take_away()?;
    Ok(CaughtUp { rebuilt: Some(reason), quarantined, ..CaughtUp::default() })
}

/// Feeds a store where it stands; answers why it must be built anew instead, if it must.
fn advance_live(live: Advance<'_>) -> Result<Advanced, CatchUpError> {
    let opened = projector::opened(live.store, live.places);
    match opened.map(|mut projector| live.run(projector.as_mut())) {
        Ok(Err(CatchUpError::Store(error))) | Err(error) => reason(error).map(Advanced::Rebuild),
        Ok(advanced) => advanced,
    }
}

/// Feeds a store that was just built, and that nobody else knows of.
pub(super) fn advance_built(
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
fn reason(error: StoreError) -> Result<RebuildReason, CatchUpError> {
    match error {
        StoreError::Missing { .. } => Ok(RebuildReason::Missing),
        StoreError::Unreadable { .. } => Ok(RebuildReason::Unreadable),
        StoreError::SchemaDiffers { .. } => Ok(RebuildReason::SchemaDiffers),
        StoreError::FilesDiffer { .. } => Ok(RebuildReason::FilesDiffer),
        other => Err(CatchUpError::Store(other)),
    }
}

#[cfg(test)]
pub(in crate::command) mod tests;
