//! Stores against histories: caught up, rebuilt, damaged, replaced.

mod agreed;
mod asked;
mod debug;
mod folds;
mod graph;
mod grounding;
mod histories;
mod history;
mod kills;
mod logs;
mod naive;
pub(in crate::command) mod of_repo;
mod plans;
mod queries;
mod recovered;
mod remembered;
mod sessions;
mod standing;
mod swaps;
mod tally;
mod timeline;

use std::path::Path;

use crate::command::feed::memory::MemoryFeed;
use crate::command::{RebuildMode, catch_up, rebuild, store_digest};
use crate::store::{Digest, StoreName, StorePlaces};

/// The places of a project in a fresh folder.
fn places(folder: &Path) -> StorePlaces {
    let annals = folder.join(".annals");
    std::fs::create_dir_all(&annals).unwrap();
    StorePlaces::of(folder)
}

fn caught_up(places: &StorePlaces, feed: &MemoryFeed) {
    let report = catch_up(places, feed);
    assert!(report.is_current(), "{report:?}");
}

fn rebuilt(places: &StorePlaces, feed: &MemoryFeed) {
    let report = rebuild(places, feed, &[], RebuildMode::Replace).unwrap();
    assert!(report.stores.iter().all(|store| store.replaced), "{report:?}");
}

/// The digests of all stores that there are.
fn digests(places: &StorePlaces) -> Vec<(StoreName, Digest)> {
    let there = StoreName::ALL.iter().filter(|store| places.has(**store).unwrap());
    there.map(|store| (*store, store_digest(places, *store).unwrap())).collect()
}
