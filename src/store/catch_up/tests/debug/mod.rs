//! Debug memory against histories: caught up, rebuilt, changed by hand, asked.

mod asked;
mod folded;
mod history;
mod similar;
mod times;
mod told;
mod wounds;

use crate::debug::schema::DebugSchema;
use std::fs;

use proptest::prelude::*;

use self::history::{any_debugged_history, session};
use super::places;
use crate::event::{DebugDocument, TemplateTally};
use crate::execution::query::Stores;
use crate::store::catch_up::tests::catch_up_by;
use crate::store::feed::memory::MemoryFeed;
use crate::store::rebuild::{RebuildMode, rebuild};
use crate::store::{Digest, StoreName, StorePlaces, store_digest};

const STORES: [StoreName; 2] = [StoreName::INDEX, StoreName::DEBUG_MEMORY];

/// The digests of both; nothing for one that is not made.
fn digests(places: &StorePlaces) -> [Option<Digest>; 2] {
    STORES.map(|store| {
        let is_made = places.path(store).exists();
        is_made.then(|| store_digest(places, store).unwrap())
    })
}

fn rebuilt(places: &StorePlaces, feed: &MemoryFeed) {
    let stores = [StoreName::INDEX, StoreName::EXECUTION_LOG, StoreName::DEBUG_MEMORY];
    rebuild(places, feed, &stores, RebuildMode::Replace).unwrap();
}

/// Each session's document as the file has it, and what is counted beside it.
fn files(places: &StorePlaces) -> Vec<Option<(DebugDocument, Vec<TemplateTally>)>> {
    (0..3)
        .map(|number| {
            let name = format!("{}.json", session(number));
            let document = fs::read(places.path(StoreName::DEBUG_MEMORY).join(&name)).ok()?;
            let tallies =
                fs::read(places.path(StoreName::DEBUG_MEMORY).join("effectiveness").join(&name))
                    .ok();
            let tallies = tallies.map(|bytes| serde_json::from_slice(&bytes).unwrap());
            Some((serde_json::from_slice(&document).unwrap(), tallies.unwrap_or_default()))
        })
        .collect()
}

/// What the schema does not take of the documents, and what it does not name.
fn faults(places: &StorePlaces) -> Vec<String> {
    let schema = DebugSchema::new(false).unwrap();
    let mut found = Vec::new();
    for entry in fs::read_dir(places.path(StoreName::DEBUG_MEMORY)).into_iter().flatten().flatten()
    {
        if entry.path().extension().is_some_and(|extension| extension == "json")
            && entry.file_name() != ".cursor.json"
        {
            let document = serde_json::from_slice(&fs::read(entry.path()).unwrap()).unwrap();
            found.extend(schema.faults(&document).iter().map(|fault| format!("{fault:?}")));
            found.extend(schema.unnamed(&document));
        }
    }
    found
}

/// The same as the index has it.
fn indexed(places: &StorePlaces) -> Vec<Option<(DebugDocument, Vec<TemplateTally>)>> {
    let stores = Stores::open(places).unwrap();
    (0..3)
        .map(|number| {
            let record = stores.debug().record(session(number)).unwrap()?;
            Some((record.document, record.beside.tallies))
        })
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: std::env::var("PROPTEST_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(12),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    /// Batches of 1, 7 and 1000, with the program ended and started again at random prefixes.
    #[test]
    fn debug_memory_caught_up_equals_that_rebuilt(
        history in any_debugged_history(),
        stops in prop::collection::vec(0..16_usize, 0..3),
        batch in prop::sample::select(&[1_u64, 7, 1000][..]),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let live = places(folder.path());
        let mut stops = stops;
        stops.sort_unstable();
        stops.push(history.commits.len());
        for stop in stops {
            let shown = history.up_to(stop);
            let report = catch_up_by(&live, &shown, batch);
            prop_assert!(report.is_current(), "{report:?}");
            let checked = rebuild(&live, &shown, &STORES, RebuildMode::Check).unwrap();
            prop_assert!(checked.stores.iter().all(|store| store.same == Some(true)), "{checked:?}");
            prop_assert_eq!(files(&live), indexed(&live));
            prop_assert_eq!(faults(&live), Vec::<String>::new());
        }
    }
}
