//! The stores as a replay folds them in memory are the stores: over every prefix of histories in
//! which everything collides.

use std::path::Path;

use proptest::prelude::*;
use rusqlite::Connection;

use super::history::{NOW_MS, any_history, event, finished, started};
use super::{caught_up, places, rebuilt};
use crate::event::{Body, ExecutionStarted, Json, Outcome, Sequence};
use crate::execution::query::Stores;
use crate::execution::tally::{Tally, TallyCounts};
use crate::store::feed::Step;
use crate::store::feed::memory::MemoryFeed;
use crate::store::{Feed, StorePlaces};

proptest! {
    #![proptest_config(ProptestConfig {
        cases: std::env::var("PROPTEST_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(12),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn the_stores_folded_in_memory_are_the_stores(
        history in any_history(),
        stop in 1..25_usize,
    ) {
        let folder = tempfile::tempdir().unwrap();
        for (name, shown) in [("part", history.up_to(stop)), ("whole", history)] {
            let places = places(&folder.path().join(name));
            rebuilt(&places, &shown);
            let (counts, rows, edges) = folded(&shown, &folder.path().join(name));
            prop_assert_eq!(rows, stored(&places));
            prop_assert_eq!(counted(counts), counts_of(&places));
            let stored = edges_of(&places);
            for entity in &edges {
                prop_assert!(stored.contains(entity), "{entity:?} in {stored:?}");
            }
        }
    }
}

/// The counts at the end, and each row of the execution log with its execution.
fn folded(feed: &MemoryFeed, root: &Path) -> (TallyCounts, Vec<(u64, String)>, Vec<(String, u64)>) {
    let mut tally = Tally::new(root);
    let (mut rows, mut edges) = (Vec::new(), Vec::new());
    for step in feed.replay(Sequence(0), feed.through().sequence).unwrap() {
        let Step::Event(recorded) = step.unwrap() else { continue };
        let started = tally.wants(&recorded).map(|at| feed.get(at).unwrap().unwrap());
        let has = |content: &_| feed.content(content).is_some();
        let added = tally.apply(&recorded, started.as_ref(), &has);
        if let Some(graph) = added.graph {
            edges.push((graph.entity, graph.edges.len() as u64));
        }
        if let Some(row) = added.row {
            rows.push((row, added.execution.unwrap().to_string()));
        }
    }
    edges.sort();
    (tally.counts(), rows, edges)
}

fn stored(places: &StorePlaces) -> Vec<(u64, String)> {
    let conn = Connection::open(places.execution_log()).unwrap();
    let mut rows = conn.prepare("SELECT rowid, id FROM executions ORDER BY rowid").unwrap();
    let found = rows.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
    found.collect::<Result<_, _>>().unwrap()
}

fn counted(counts: TallyCounts) -> [u64; 14] {
    let TallyCounts { sessions, prompts, calls, ok, failed, refused, interrupted, .. } = counts;
    let TallyCounts { open, corrected, artifacts, files, flaws, tools, symbols, .. } = counts;
    [
        sessions,
        prompts,
        calls,
        ok,
        failed,
        refused,
        interrupted,
        open,
        corrected,
        artifacts,
        files,
        flaws,
        tools,
        symbols,
    ]
}

fn counts_of(places: &StorePlaces) -> [u64; 14] {
    let counts = Stores::open(places).unwrap().counts().unwrap();
    let count = |path, sql| -> u64 {
        Connection::open(path).unwrap().query_row(sql, [], |row| row.get(0)).unwrap()
    };
    let of_index = |sql| count(places.index(), sql);
    [
        counts.sessions,
        counts.prompts,
        counts.calls,
        counts.ok,
        counts.failed,
        counts.refused,
        counts.interrupted,
        counts.open,
        counts.corrected,
        count(places.execution_log(), "SELECT count(*) FROM execution_artifacts"),
        of_index("SELECT count(*) FROM paths"),
        of_index("SELECT count(*) FROM flaws"),
        of_index("SELECT count(*) FROM tools"),
        of_index("SELECT count(*) FROM symbols"),
    ]
}

/// Each execution's entity in the graph, and how many edges it has.
fn edges_of(places: &StorePlaces) -> Vec<(String, u64)> {
    if !places.code_graph().exists() {
        return Vec::new();
    }
    let conn = Connection::open(places.code_graph()).unwrap();
    let sql = "SELECT name, (SELECT count(*) FROM graph_edges WHERE from_id = e.id) \
               FROM graph_entities e WHERE kind = 'execution' ORDER BY name";
    let mut entities = conn.prepare(sql).unwrap();
    let found = entities.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
    found.collect::<Result<_, _>>().unwrap()
}

/// A check whose first end is of a tool that has no rows, begun again with other arguments, and ended as one that has.
#[test]
fn an_execution_has_the_edges_of_the_start_that_counts() {
    let check = r#"{"command":"cargo check -q 2>&1 | tail -3"}"#;
    let start = |arguments: &str| {
        let start = started(8, "file_read", None);
        let arguments = Json(arguments.to_owned());
        event(NOW_MS, None, Body::ExecutionStarted(ExecutionStarted { arguments, ..start }))
    };
    let mut feed = MemoryFeed::new(1);
    feed.commit(vec![
        event(NOW_MS, None, Body::ExecutionStarted(started(1, "file_read", None))),
        event(NOW_MS, None, finished(1, "file_read", Outcome::Ok)),
    ]);
    feed.commit(vec![start(check), event(NOW_MS, None, finished(8, "not_declared", Outcome::Ok))]);
    feed.commit(vec![start("{}"), event(NOW_MS, None, finished(8, "file_read", Outcome::Ok))]);
    let folder = tempfile::tempdir().unwrap();
    let (anew, fed) = (places(&folder.path().join("anew")), places(&folder.path().join("fed")));
    rebuilt(&anew, &feed);
    caught_up(&fed, &feed.up_to(1));
    caught_up(&fed, &feed);
    for places in [anew, fed] {
        let conn = Connection::open(places.code_graph()).unwrap();
        let sql = "SELECT json_extract(data, '$.operation') FROM graph_edges ORDER BY id";
        let mut edges = conn.prepare(sql).unwrap();
        let edges = edges.query_map([], |row| row.get(0)).unwrap();
        let edges: Vec<String> = edges.collect::<Result<_, _>>().unwrap();
        assert_eq!(edges, ["read", "check"]);
    }
}
