//! A graph that cannot be written, that is not there, and that is kept in another way.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::Duration;

use rusqlite::Connection;

use super::{
    GRAPH, RebuildReason, as_rebuilt, catch_up, caught_up, code, history, places, rebuilt_because,
};
use crate::store::catch_up::Feeding;
use crate::store::rebuild::{RebuildMode, Site, rebuild};
use crate::store::{StoreName, store_status};

#[test]
fn a_graph_that_cannot_be_written_lags_says_why_and_stops_nothing() {
    type Case = (&'static str, fn(&Path) -> Option<Connection>, fn(&Path), &'static str);
    let cases: [Case; 9] = [
        (
            "somebody writes",
            |path| {
                let other = Connection::open(path).unwrap();
                other.execute_batch("BEGIN IMMEDIATE").unwrap();
                Some(other)
            },
            |_| {},
            "in use by another program",
        ),
        (
            "somebody keeps everyone out",
            |path| {
                let other = Connection::open(path).unwrap();
                other.execute_batch("BEGIN EXCLUSIVE").unwrap();
                Some(other)
            },
            |_| {},
            "in use by another program",
        ),
        (
            "a FIFO in its place",
            |path| {
                fs::rename(path, path.with_extension("kept")).unwrap();
                let made = std::process::Command::new("mkfifo").arg(path).status().unwrap();
                assert!(made.success());
                None
            },
            |path| {
                fs::remove_file(path).unwrap();
                fs::rename(path.with_extension("kept"), path).unwrap();
            },
            "codegraph.db",
        ),
        (
            "newer",
            |path| {
                let other = Connection::open(path).unwrap();
                other.execute_batch("UPDATE graph_meta SET schema_version = 11").unwrap();
                None
            },
            |path| {
                let other = Connection::open(path).unwrap();
                other.execute_batch("UPDATE graph_meta SET schema_version = 10").unwrap();
            },
            "newer sqlitegraph",
        ),
        (
            "an entity with the greatest id",
            |path| put_entity(path, i64::MAX),
            take_entity,
            "the graph is full",
        ),
        (
            "an entity with nearly the greatest id",
            |path| put_entity(path, i64::MAX - 1),
            take_entity,
            "the graph is full",
        ),
        (
            "corrupt",
            |path| {
                fs::rename(path, path.with_extension("kept")).unwrap();
                fs::write(path, [0x5a; 40_000]).unwrap();
                None
            },
            |path| fs::rename(path.with_extension("kept"), path).unwrap(),
            "cannot be read as a graph",
        ),
        (
            "a folder in its place",
            |path| {
                fs::rename(path, path.with_extension("kept")).unwrap();
                fs::create_dir(path).unwrap();
                None
            },
            |path| {
                fs::remove_dir(path).unwrap();
                fs::rename(path.with_extension("kept"), path).unwrap();
            },
            "codegraph.db",
        ),
        (
            "another program's database",
            |path| {
                fs::rename(path, path.with_extension("kept")).unwrap();
                Connection::open(path).unwrap().execute_batch("CREATE TABLE mine (x)").unwrap();
                None
            },
            |path| fs::rename(path.with_extension("kept"), path).unwrap(),
            "not sqlitegraph's",
        ),
    ];
    for (name, wound, heal, why) in cases {
        let folder = tempfile::tempdir().unwrap();
        let (places, feed) = (places(folder.path()), history());
        // Without a -wal that a rename would leave behind.
        let code = code(&places);
        code.run("PRAGMA journal_mode = DELETE");
        drop(code);
        caught_up(&places, &feed.up_to(5));
        let held = wound(places.code_graph());
        // Reading a FIFO would be the hang that must not be.
        let bytes =
            || places.code_graph().is_file().then(|| fs::read(places.code_graph()).unwrap());
        let before = bytes();
        let report = catch_up(&places, &feed);
        let (store, error) = report.lag().unwrap();
        assert_eq!(store, StoreName::CODE_GRAPH, "{name}");
        assert!(error.to_string().contains(why), "{name}: {error}");
        assert_eq!(bytes(), before, "{name}: left as it was");
        let status = store_status(&places, &feed).unwrap();
        assert_eq!((status[0].lag_events, status[1].lag_events), (Some(0), Some(0)), "{name}");
        let graph = &status[GRAPH];
        assert!(graph.problem.is_some() || graph.lag_events > Some(0), "{name}: {graph:?}");
        let logged = fs::read_to_string(&places.errors).unwrap();
        assert!(logged.contains("not written") && logged.contains("codegraph.db"), "{logged}");
        drop(held);
        heal(places.code_graph());
        caught_up(&places, &feed);
        as_rebuilt(&places, &feed, name);
    }
}

fn put_entity(path: &Path, id: i64) -> Option<Connection> {
    let other = Connection::open(path).unwrap();
    let sql =
        "INSERT INTO graph_entities (id, kind, name, data) VALUES (?1, 'Module', 'far', '{}')";
    other.execute(sql, [id]).unwrap();
    None
}

fn take_entity(path: &Path) {
    let sql = "DELETE FROM graph_entities WHERE name = 'far'; UPDATE sqlite_sequence \
               SET seq = (SELECT max(id) FROM graph_entities) WHERE name = 'graph_entities'";
    Connection::open(path).unwrap().execute_batch(sql).unwrap();
}

#[test]
fn a_graph_is_made_with_the_first_execution_and_not_before() {
    let folder = tempfile::tempdir().unwrap();
    let (places, feed) = (places(folder.path()), history());
    caught_up(&places, &feed.up_to(1));
    assert!(!places.code_graph().exists());
    let status = store_status(&places, &feed.up_to(1)).unwrap();
    assert_eq!((status[GRAPH].lag_events, &status[GRAPH].problem), (Some(0), &None));
    let report = rebuild(&places, &feed.up_to(1), &[], RebuildMode::Replace).unwrap();
    assert_eq!(report.stores.len(), 2, "none is made");
    caught_up(&places, &feed);
    let mode = fs::metadata(places.code_graph()).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    as_rebuilt(&places, &feed, "made");
    fs::remove_file(places.code_graph()).unwrap();
    assert_eq!(rebuilt_because(&places, &feed), Some(RebuildReason::Missing));
    as_rebuilt(&places, &feed, "made again");
}

#[test]
fn the_journal_mode_stays_as_it_is() {
    for mode in ["wal", "delete", "truncate"] {
        let folder = tempfile::tempdir().unwrap();
        let (places, feed) = (places(folder.path()), history());
        let code = code(&places);
        code.run(&format!("PRAGMA journal_mode = {mode}"));
        drop(code);
        caught_up(&places, &feed.up_to(4));
        rebuild(&places, &feed, &[StoreName::CODE_GRAPH], RebuildMode::Replace).unwrap();
        caught_up(&places, &feed);
        let conn = Connection::open(places.code_graph()).unwrap();
        let is: String = conn.query_row("PRAGMA journal_mode", [], |row| row.get(0)).unwrap();
        assert_eq!(is, if mode == "truncate" { "delete" } else { mode });
    }
}

#[test]
fn one_of_ours_that_is_at_it_is_no_other_program_and_is_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    let (places, feed) = (places(folder.path()), history());
    caught_up(&places, &feed.up_to(5));
    let turn = Site::take(&places, StoreName::CODE_GRAPH).unwrap();
    let report = catch_up(&places, &feed);
    assert!(report.stores.iter().all(|it| it.outcome.is_ok()), "{report:?}");
    let told = fs::read_to_string(&places.errors).unwrap_or_default();
    assert!(!told.contains("another program"), "{told}");
    let lag = |places| store_status(places, &feed).unwrap()[GRAPH].lag_events;
    assert!(lag(&places).is_some_and(|lag| lag > 0), "it lags, and status says so");
    drop(turn);
    caught_up(&places, &feed);
    assert_eq!(lag(&places), Some(0));
    as_rebuilt(&places, &feed, "after the other");
}

#[test]
fn a_graph_that_another_makes_is_waited_for_until_it_is_there() {
    let folder = tempfile::tempdir().unwrap();
    let (places, feed) = (places(folder.path()), history());
    Feeding::of(&places, &feed).index().unwrap();
    let turn = Site::take(&places, StoreName::CODE_GRAPH).unwrap();
    std::thread::scope(|scope| {
        let asked = scope.spawn(|| catch_up(&places, &feed));
        // Longer than one waits for a graph that is there.
        std::thread::sleep(Duration::from_millis(2500));
        drop(turn);
        let report = asked.join().unwrap();
        assert!(report.stores.iter().all(|it| it.outcome.is_ok()), "{report:?}");
    });
    assert_eq!(store_status(&places, &feed).unwrap()[GRAPH].lag_events, Some(0));
}
