//! What is a graph, and what is refused.

use std::path::Path;

use rusqlite::Connection;

use super::{CodeGraph, CodeGraphReader};
use crate::store::StoreError;
use crate::store::projector::Projector as _;

fn made(folder: &Path) -> std::path::PathBuf {
    let path = folder.join("codegraph.db");
    Box::new(CodeGraph::create(&path, folder).unwrap()).finish().unwrap();
    path
}

#[test]
fn a_made_graph_is_one_that_sqlitegraph_brings_up_to_date() {
    let folder = tempfile::tempdir().unwrap();
    let path = made(folder.path());
    CodeGraph::open(&path, folder.path()).unwrap();
    CodeGraphReader::open(&path).unwrap();
    let conn = Connection::open(&path).unwrap();
    let version: i64 =
        conn.query_row("SELECT schema_version FROM graph_meta", [], |row| row.get(0)).unwrap();
    assert_eq!(version, 2);
}

#[test]
fn what_is_no_graph_or_too_new_is_refused_and_left_as_it_is() {
    let cases = [
        ("DROP TABLE graph_meta", "no table graph_meta"),
        ("DELETE FROM graph_meta", "graph_meta is empty"),
        ("UPDATE graph_meta SET schema_version = 11", "a newer sqlitegraph"),
        ("UPDATE graph_meta SET schema_version = 3", "newer than its tables"),
        ("UPDATE graph_meta SET schema_version = 10", "newer than its tables"),
        ("DROP TABLE graph_edges", "newer than its tables"),
    ];
    for (sql, expect) in cases {
        let folder = tempfile::tempdir().unwrap();
        let path = made(folder.path());
        Connection::open(&path).unwrap().execute_batch(sql).unwrap();
        let before = std::fs::read(&path).unwrap();
        for error in [
            CodeGraph::open(&path, folder.path()).unwrap_err(),
            CodeGraphReader::open(&path).unwrap_err(),
        ] {
            assert!(matches!(error, StoreError::NoGraph { .. }), "{sql}: {error}");
            assert!(error.to_string().contains(expect), "{sql}: {error}");
        }
        assert!(std::fs::read(&path).unwrap() == before, "{sql}");
    }
}

#[test]
fn a_file_that_is_no_database_is_said_to_be_damaged() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("codegraph.db");
    std::fs::write(&path, "no database at all".repeat(300)).unwrap();
    let error = CodeGraph::open(&path, folder.path()).unwrap_err();
    assert!(matches!(error, StoreError::GraphDamaged { .. }), "{error}");
    assert!(matches!(
        CodeGraph::open(&folder.path().join("x"), folder.path()),
        Err(StoreError::Missing { .. })
    ));
}

/// A graph that another program made.
fn foreign(folder: &Path) -> std::path::PathBuf {
    let path = made(folder);
    Connection::open(&path).unwrap().execute_batch("PRAGMA application_id = 0").unwrap();
    path
}

fn wal_bytes(path: &Path) -> u64 {
    std::fs::metadata(path.with_extension("db-wal")).map_or(0, |about| about.len())
}

#[test]
fn the_wal_beside_a_graph_that_others_made_grows_to_its_bound_and_no_further() {
    // What is put in, and what SQLite writes for it.
    const ROUND: u64 = 2 << 20;
    const BOUND: u64 = 32 << 20;
    let folder = tempfile::tempdir().unwrap();
    let path = foreign(folder.path());
    let (mut seen, text) = (Vec::new(), "x".repeat(1 << 20));
    for round in 0..40 {
        // Another command each time.
        let graph = CodeGraph::open(&path, folder.path()).unwrap();
        let sql = "INSERT INTO graph_entities (kind, name, data) VALUES ('t', ?1, '{}')";
        graph.conn.execute(sql, [format!("{round}{text}")]).unwrap();
        drop(graph);
        seen.push(wal_bytes(&path));
    }
    let (early, most) = (seen[12], seen.iter().copied().max().unwrap());
    assert!(early > 12 * ROUND, "it is left to the others: {seen:?}");
    assert!((BOUND..BOUND + 4 * ROUND).contains(&most), "{most}: {seen:?}");
}

#[test]
fn no_graph_but_our_own_is_put_away_when_we_close() {
    for (sql, is_ours) in [
        ("SELECT 1", true),
        ("PRAGMA application_id = 0", false),
        ("CREATE TABLE magellan_meta (id INTEGER)", false),
        ("UPDATE graph_meta SET schema_version = 11", false),
        ("DROP TABLE graph_meta", false),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let path = made(folder.path());
        let other = Connection::open(&path).unwrap();
        other.execute_batch(sql).unwrap();
        other.execute_batch("CREATE TABLE theirs (a); INSERT INTO theirs VALUES (1)").unwrap();
        // As magellan leaves it to us, whose locks on the file are gone.
        let leaves = rusqlite::config::DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE;
        other.set_db_config(leaves, true).unwrap();
        drop(other);
        let before = wal_bytes(&path);
        assert!(before > 0, "{sql}");
        drop(CodeGraph::open(&path, folder.path()));
        drop(CodeGraphReader::open(&path));
        assert_eq!(wal_bytes(&path) == before, !is_ours, "{sql}");
    }
}
