//! Caught up = rebuilt, at every prefix of every history; two rebuilds are one file.

use proptest::prelude::*;
use rusqlite::Connection;

use super::history::any_history;
use super::{digests, places, rebuilt};
use crate::store::catch_up::catch_up_on_demand;
use crate::store::catch_up::tests::catch_up_by;
use crate::store::rebuild::{RebuildMode, rebuild};
use crate::store::{StoreName, StorePlaces};

proptest! {
    #![proptest_config(ProptestConfig {
        cases: std::env::var("PROPTEST_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(12),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    /// Batches of 1, 7 and 1000, with the program ended and started again at random prefixes.
    #[test]
    fn a_store_caught_up_equals_one_rebuilt(
        history in any_history(),
        stops in prop::collection::vec(0..25_usize, 0..4),
        batch in prop::sample::select(&[1_u64, 7, 1000][..]),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let (live, anew) = (places(&folder.path().join("live")), places(&folder.path().join("anew")));
        let mut stops = stops;
        stops.sort_unstable();
        stops.push(history.commits.len());
        for stop in stops {
            let shown = history.up_to(stop);
            let report = catch_up_by(&live, &shown, batch);
            prop_assert!(report.is_current(), "{report:?}");
            rebuilt(&anew, &shown);
            // What is made on demand, piece by piece and at once.
            catch_up_on_demand(StoreName::SEARCH, &live, &shown).unwrap();
            rebuild(&anew, &shown, &[StoreName::SEARCH], RebuildMode::Replace).unwrap();
            prop_assert_eq!(digests(&live), digests(&anew));
            prop_assert_eq!(found(&live), found(&anew));
        }
        same_ordinals(&live);
    }

    #[test]
    fn two_rebuilds_give_files_with_the_same_bytes(history in any_history()) {
        let folder = tempfile::tempdir().unwrap();
        let hashes = ["one", "two"].map(|name| {
            let places = places(&folder.path().join(name));
            rebuilt(&places, &history);
            let hash = |path| blake3::hash(&std::fs::read(path).unwrap());
            let memory = places.memory().exists().then(|| hash(places.memory()));
            (hash(places.index()), hash(places.execution_log()), memory)
        });
        prop_assert_eq!(hashes[0], hashes[1]);
    }
}

/// The index and the log agree on every ordinal, which are 1 to n without a gap.
fn same_ordinals(places: &StorePlaces) {
    let read = |path, sql| -> Vec<(u64, String)> {
        let conn = Connection::open(path).unwrap();
        let mut rows = conn.prepare(sql).unwrap();
        let found = rows.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
        found.collect::<Result<_, _>>().unwrap()
    };
    let log = read(places.execution_log(), "SELECT rowid, id FROM executions ORDER BY rowid");
    let sql = "SELECT ordinal, id FROM executions WHERE ordinal IS NOT NULL ORDER BY ordinal";
    assert_eq!(log, read(places.index(), sql));
    assert!(log.iter().zip(1..).all(|((ordinal, _), expected)| *ordinal == expected));
}

/// What the full-text index says of each word, after it has checked itself against what it holds.
fn found(places: &StorePlaces) -> Vec<Vec<i64>> {
    if !places.memory().exists() {
        return Vec::new();
    }
    let conn = Connection::open(places.memory()).unwrap();
    let check = "INSERT INTO archival_fts (archival_fts) VALUES ('integrity-check')";
    conn.execute(check, []).unwrap();
    let sql = "SELECT rowid FROM archival_fts WHERE archival_fts MATCH ?1 ORDER BY rowid";
    let mut find = conn.prepare(sql).unwrap();
    let mut found = |word: &str| -> Vec<i64> {
        find.query_map([word], |row| row.get(0)).unwrap().collect::<Result<_, _>>().unwrap()
    };
    ["apple", "tree", "résumé", "\"a-b_c\"", "tags: pear", "branch_id: root"]
        .map(&mut found)
        .to_vec()
}
