//! Building stores anew from the journal: beside the old one, then in its place (R12).

mod build;
mod graph;
mod old;
mod report;

use std::path::PathBuf;
use std::thread;

use super::catch_up::{BATCH_EVENTS_MAX, CatchUpError, advance_built, catch_up_store};
use super::feed::Feed;
use crate::store::{StoreName, StorePlaces, Swap};
use old::{Old, OldReader};

pub(super) use build::{Build, Built};
pub use report::{RebuildReport, StoreRebuild};

/// Whether a rebuilt store takes the old one's place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RebuildMode {
    /// Put it in the old one's place.
    Replace,
    /// Only compare the two.
    Check,
}

/// Builds stores anew, all of them where none is named, and replaces or compares the old ones.
///
/// Fails with a locked store while another program has it open: the old one is kept.
pub fn rebuild(
    places: &StorePlaces,
    feed: &dyn Feed,
    stores: &[StoreName],
    mode: RebuildMode,
) -> Result<RebuildReport, CatchUpError> {
    let named = |store: StoreName| stores.is_empty() || stores.contains(&store);
    let mut report = RebuildReport::default();
    if named(StoreName::Index) {
        report.stores.push(rebuild_store(StoreName::Index, places, feed, mode)?);
    }
    let (log, graph) = (named(StoreName::ExecutionLog), named(StoreName::CodeGraph));
    if log || graph {
        // Starts are looked up in it.
        catch_up_store(StoreName::Index, places, feed, BATCH_EVENTS_MAX)?;
    }
    // Side by side: neither reads of the other.
    let (log, graph) = thread::scope(|scope| {
        let graph = graph.then(|| scope.spawn(|| graph::rebuild_graph(places, feed, mode)));
        let log = log.then(|| rebuild_store(StoreName::ExecutionLog, places, feed, mode));
        let graph = graph.map(|graph| {
            let panicked = CatchUpError::Panicked { store: StoreName::CodeGraph };
            graph.join().unwrap_or(Err(panicked))
        });
        (log, graph)
    });
    report.stores.extend(log.transpose()?);
    match graph.transpose() {
        Ok(graph) => report.stores.extend(graph.flatten()),
        // Where it was not asked for by name, what was done stands, and is told.
        Err(error) if stores.is_empty() => report.failed = Some(error),
        Err(error) => return Err(error),
    }
    Ok(report)
}

fn rebuild_store(
    store: StoreName,
    places: &StorePlaces,
    feed: &dyn Feed,
    mode: RebuildMode,
) -> Result<StoreRebuild, CatchUpError> {
    let mut old = Old::open(store, places, feed)?;
    // To be compared, both must have read equally far.
    let through = match (mode, old.mark()) {
        (RebuildMode::Check, Some(mark)) => mark,
        _ => feed.through(),
    };
    // The old one is digested while the new one is built: each has its own file and core.
    let reader = old.reader.take();
    let (built, before) = thread::scope(|scope| {
        let before = scope.spawn(move || reader.map_or(Ok(None), OldReader::digest));
        let built = Build { store, places, feed }.run(through);
        (built, before.join())
    });
    let built = built?;
    old.take_digest(before.map_err(|_| CatchUpError::Panicked { store })??);
    let new = built.digest()?;
    if old.digest.is_none() && old.problem.is_none() {
        old.problem = Some("it is damaged".to_owned());
    }
    let comparable = old.mark().is_some_and(|mark| mark == through);
    let mut done = StoreRebuild {
        store,
        events: built.events,
        anomalies: built.anomalies,
        before: old.digest,
        problem: old.problem,
        after: new,
        same: old.digest.filter(|_| comparable).map(|digest| digest == new),
        replaced: false,
        quarantined: None,
    };
    match mode {
        RebuildMode::Check => built.discard()?,
        RebuildMode::Replace => {
            // Only what cannot be made again is kept.
            let keep = done.same == Some(false) || done.problem.is_some();
            done.quarantined = replace(built, places, feed, keep)?;
            done.replaced = true;
        }
    }
    Ok(done)
}

/// Puts a built store in the old one's place, caught up with what came meanwhile.
pub(super) fn replace(
    built: Built,
    places: &StorePlaces,
    feed: &dyn Feed,
    keep_old: bool,
) -> Result<Option<PathBuf>, CatchUpError> {
    let store = built.store;
    let swap = Swap::begin(places.path(store), &places.quarantine)?;
    // Nobody of ours writes the old one now: what is in the journal by now is all it can have.
    let later = feed.reopened()?;
    if later.through() != built.through {
        let beside = built.places(places);
        advance_built(store, &beside, later.as_ref())?;
    }
    let kept = swap.finish(built.path(), keep_old)?;
    built.discard()?;
    Ok(kept)
}
