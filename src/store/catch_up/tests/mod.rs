//! Stores against histories: caught up, rebuilt, damaged, replaced.

mod agreed;
mod ahead;
mod asked;
mod debug;
mod detail;
mod folds;
mod following;
mod graph;
mod grounding;
mod histories;
mod history;
mod interleaved;
mod kills;
mod logs;
mod naive;
pub(crate) mod of_repo;
mod plans;
mod queries;
mod recovered;
mod remembered;
mod sessions;
mod standing;
mod swaps;
mod tally;
mod timeline;
mod told;

use std::path::Path;

use crate::store::catch_up::{CatchUpError, CatchUpReport, Feeding, RebuildReason, catch_up};
use crate::store::feed::memory::MemoryFeed;
use crate::store::rebuild::{RebuildMode, rebuild};
use crate::store::{Digest, Feed, StoreName, StorePlaces, store_digest};
use crate::stores::STORES;

/// The places of a project in a fresh folder.
fn places(folder: &Path) -> StorePlaces {
    let annals = folder.join(".annals");
    std::fs::create_dir_all(&annals).unwrap();
    crate::stores::places(folder)
}

/// As [`catch_up`], so many events a transaction.
pub(crate) fn catch_up_by(places: &StorePlaces, feed: &dyn Feed, batch: u64) -> CatchUpReport {
    Feeding { batch, ..Feeding::of(places, feed) }.all(|store| !store.is_on_demand())
}

fn caught_up(places: &StorePlaces, feed: &MemoryFeed) {
    let report = catch_up(places, feed);
    assert!(report.is_current(), "{report:?}");
}

fn rebuilt(places: &StorePlaces, feed: &MemoryFeed) {
    let report = rebuild(places, feed, &[], RebuildMode::Replace).unwrap();
    assert!(report.stores.iter().all(|store| store.replaced), "{report:?}");
}

/// Holds that a store says more than its journal is kept as it is and told of once, and that what was
/// asked for sets it aside; answers why.
fn set_aside(places: &StorePlaces, feed: &MemoryFeed, store: StoreName) -> Option<RebuildReason> {
    let found = |report: &CatchUpReport| {
        let of = report.stores.iter().find(|of| of.store == store)?;
        of.outcome.as_ref().err().and_then(CatchUpError::evidence)
    };
    // `None` where its tables are not ours.
    let before = store_digest(places, store).ok();
    let reason = found(&catch_up(places, feed))?;
    assert_eq!(found(&catch_up(places, feed)), Some(reason));
    assert_eq!(store_digest(places, store).ok(), before, "it was touched");
    let told = std::fs::read_to_string(&places.errors).unwrap();
    let lines = told.lines().filter(|it| it.contains("kept as evidence"));
    let of = lines.filter(|it| it.contains(store.as_str()) && it.contains(&reason.to_string()));
    assert_eq!(of.count(), 1, "{told}");
    assert!(catch_up(places, feed).contradicts().is_some());
    rebuild(places, feed, &[store], RebuildMode::Replace).unwrap();
    let kept =
        std::fs::read_dir(&places.quarantine).unwrap().map(|entry| entry.unwrap().file_name());
    let mut kept = kept.map(|name| name.to_string_lossy().into_owned());
    let is_its = |name: String| name.starts_with(store.as_str()) && name.ends_with(".evidence");
    assert!(kept.any(is_its), "{store}: {reason}");
    Some(reason)
}

/// The digests of all stores that there are.
fn digests(places: &StorePlaces) -> Vec<(StoreName, Digest)> {
    let there = STORES.stores.iter().filter(|store| places.has(**store).unwrap());
    there.map(|store| (*store, store_digest(places, *store).unwrap())).collect()
}
