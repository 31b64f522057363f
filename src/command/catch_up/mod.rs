//! Catching stores up with the journal, exactly once (R11).
//!
//! The index first: the others find starts through it. A store that cannot be written lags
//! and says why; what was recorded stands.

mod advance;
mod ahead;
mod error;
mod error_log;
mod graph;
mod relink;
mod report;
mod standing;
mod starts;

use std::path::PathBuf;

use super::feed::Feed;
use super::rebuild::{Build, replace};
use crate::projector::{CodeGraphProjector, ExecutionLogProjector, IndexProjector};
use crate::store::{CodeGraph, ExecutionLog, Index, StoreError, StoreName, StorePlaces};

pub use error::CatchUpError;
pub use report::{CatchUpReport, StoreReport};
pub use standing::RebuildReason;

pub(super) use advance::{
    Advanced, BATCH_EVENTS_MAX, CaughtWithin, advance, catch_up_within, load,
};
pub(super) use error_log::log_anomalies;
pub(super) use graph::{is_there, is_wanted, make_graph, rebuild_in_place};
pub(super) use standing::{Standing, standing};
pub(super) use starts::Starts;

/// Catches every store up. Never fails because of one: its report says why it lags.
pub fn catch_up(places: &StorePlaces, feed: &dyn Feed) -> CatchUpReport {
    catch_up_by(places, feed, BATCH_EVENTS_MAX)
}

/// As [`catch_up`], in transactions of about this many events.
pub fn catch_up_by(places: &StorePlaces, feed: &dyn Feed, batch: u64) -> CatchUpReport {
    let mut stores = Vec::with_capacity(StoreName::ALL.len());
    for store in StoreName::ALL {
        let outcome = catch_up_store(*store, places, feed, batch);
        let failed = outcome.is_err();
        stores.push(StoreReport::new(*store, outcome));
        if failed && *store == StoreName::Index {
            // Without the index no start is found: the other stores wait with it.
            break;
        }
    }
    CatchUpReport { through: feed.through().sequence, stores }
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
}

/// Catches one store up; one that cannot be trusted is built anew.
pub fn catch_up_store(
    store: StoreName,
    places: &StorePlaces,
    feed: &dyn Feed,
    batch: u64,
) -> Result<CaughtUp, CatchUpError> {
    if store == StoreName::CodeGraph {
        return graph::catch_up_graph(places, feed, batch);
    }
    let reason = match advance_live(store, places, feed, batch, true)? {
        Advanced::Done(done) => return Ok(done),
        Advanced::Rebuild(RebuildReason::FarBehind) => {
            match build_anew(store, places, feed, false) {
                // Somebody is connected: row by row then.
                Err(error) if error.is_locked() => {}
                built => return built,
            }
            match advance_live(store, places, feed, batch, false)? {
                Advanced::Done(done) => return Ok(done),
                Advanced::Rebuild(reason) => reason,
            }
        }
        // Another process may have gone on, and caught the store up, since we looked.
        Advanced::Rebuild(RebuildReason::Ahead) => {
            let later = feed.reopened()?;
            match advance_live(store, places, later.as_ref(), batch, false)? {
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
    Ok(CaughtUp { events, anomalies, rebuilt: None, quarantined })
}

/// Feeds a store where it stands; answers why it must be built anew instead, if it must.
fn advance_live(
    store: StoreName,
    places: &StorePlaces,
    feed: &dyn Feed,
    batch: u64,
    may_build: bool,
) -> Result<Advanced, CatchUpError> {
    let opened = match store {
        StoreName::Index => Index::open(&places.index).map(|index| {
            let mut projector = IndexProjector::new(index);
            advance(&mut projector, store, places, feed, batch, may_build)
        }),
        StoreName::ExecutionLog => ExecutionLog::open(&places.execution_log).map(|log| {
            let mut projector = ExecutionLogProjector::new(log);
            advance(&mut projector, store, places, feed, batch, may_build)
        }),
        StoreName::CodeGraph => CodeGraph::open(&places.code_graph, &places.root).map(|graph| {
            let mut projector = CodeGraphProjector::new(graph);
            advance(&mut projector, store, places, feed, batch, may_build)
        }),
    };
    match opened {
        Ok(Err(CatchUpError::Store(error))) | Err(error) => reason(error).map(Advanced::Rebuild),
        Ok(advanced) => advanced,
    }
}

/// Feeds a store that was just built, and that nobody else knows of.
pub(super) fn advance_built(
    store: StoreName,
    beside: &StorePlaces,
    feed: &dyn Feed,
) -> Result<CaughtUp, CatchUpError> {
    match advance_live(store, beside, feed, BATCH_EVENTS_MAX, false)? {
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
mod tests;
