//! Stores against histories: caught up, rebuilt, damaged, replaced.

mod agreed;
mod asked;
mod folds;
mod graph;
mod grounding;
mod histories;
mod history;
mod kills;
mod logs;
mod naive;
mod plans;
mod queries;
mod sessions;
mod standing;
mod swaps;
mod tally;
mod timeline;

use std::path::Path;

use crate::command::feed::memory::MemoryFeed;
use crate::command::{RebuildMode, catch_up, rebuild};
use crate::store::code_graph::CodeGraphReader;
use crate::store::execution_log::ExecutionLogReader;
use crate::store::index::IndexReader;
use crate::store::{Digest, StorePlaces};

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

/// The digests of all stores; of a graph only where there is one.
fn digests(places: &StorePlaces) -> (Digest, Digest, Option<Digest>) {
    let index = IndexReader::open(&places.index).unwrap().digest().unwrap().1;
    let log = ExecutionLogReader::open(&places.execution_log).unwrap().digest().unwrap().1;
    let graph = places.code_graph.exists().then(|| {
        let graph = CodeGraphReader::open(&places.code_graph).unwrap();
        graph.digest().unwrap().1
    });
    (index, log, graph)
}
