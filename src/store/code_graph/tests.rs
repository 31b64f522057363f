//! What is a graph, and what is refused.

use std::path::Path;

use rusqlite::Connection;

use super::{CodeGraph, CodeGraphReader};
use crate::store::StoreError;

fn made(folder: &Path) -> std::path::PathBuf {
    let path = folder.join("codegraph.db");
    CodeGraph::create(&path, folder).unwrap().finish().unwrap();
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
