//! A graph that was copied in the middle of a transaction: its rollback journal lies beside it.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::{Evidence, copy, everything};

/// A copy whose graph is in delete mode, and how it stands; and another copy of that, in the middle
/// of a transaction which wrote over what annals put there.
fn hot(evidence: &Evidence) -> (Value, PathBuf) {
    let settled = evidence.copy("settled");
    let database = rusqlite::Connection::open(settled.join("codegraph.db")).expect("opened");
    let mode = "PRAGMA journal_mode = DELETE";
    let mode: String = database.query_row(mode, [], |row| row.get(0)).expect("set");
    assert_eq!(mode, "delete");
    let stands = graph(evidence, &settled);
    assert_eq!(stands["verdict"], "same");
    let writing = "
        PRAGMA cache_size = 1; PRAGMA cache_spill = 1; BEGIN;
        UPDATE graph_entities SET name = 'unsettled ' || id, data = hex(zeroblob(20000));
        CREATE TABLE more (x); WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n
        WHERE i < 300) INSERT INTO more SELECT zeroblob(20000) FROM n;";
    let bytes = fs::read(settled.join("codegraph.db")).expect("read").len();
    database.execute_batch(writing).expect("writing");
    let hot = evidence.outside.path().join("hot");
    copy(&settled, &hot);
    let journal = fs::read(hot.join("codegraph.db-journal")).expect("a rollback journal");
    assert_eq!(journal[..4], [0xd9, 0xd5, 0x05, 0xf9], "it is hot");
    assert!(fs::read(hot.join("codegraph.db")).expect("read").len() > bytes, "it was spilled");
    (stands, hot)
}

/// What `status` says of the graph in a copy.
fn graph(evidence: &Evidence, folder: &Path) -> Value {
    let ran = evidence.run(folder, "status --evidence --json");
    let state = ran.json();
    let found = state["found"].as_array().expect("a list");
    let graph = found.iter().find(|it| it["store"] == "codegraph.db");
    graph.expect("the graph").clone()
}

#[test]
fn a_graph_copied_in_a_transaction_is_read_as_it_was_before() {
    let evidence = Evidence::new();
    let (stands, hot) = hot(&evidence);
    let before = everything(&hot);
    let mut found = graph(&evidence, &hot);
    found["path"] = stands["path"].clone();
    assert_eq!(found, stands);
    evidence.run(&hot, "status --evidence").code(0);
    evidence.run(&hot, "rebuild --check --evidence").code(0);
    assert_eq!(everything(&hot), before);
}

#[test]
fn a_rollback_journal_that_names_another_file_is_not_rolled_back() {
    let evidence = Evidence::new();
    let (_, hot) = hot(&evidence);
    let other = evidence.outside.path().join("other");
    fs::write(&other, "somebody's").expect("written");
    let name = other.as_os_str().as_encoded_bytes();
    let sum = name.iter().map(|byte| u32::from(*byte)).sum::<u32>();
    let mut end = name.to_vec();
    end.extend(u32::try_from(name.len()).expect("short").to_be_bytes());
    end.extend(sum.to_be_bytes());
    end.extend([0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]);
    let journal = fs::File::options().append(true).open(hot.join("codegraph.db-journal"));
    journal.expect("opened").write_all(&end).expect("written");
    let before = everything(&hot);
    assert_eq!(graph(&evidence, &hot)["verdict"], "unreadable");
    evidence.run(&hot, "status --evidence").code(1).says("names no other file failed");
    assert_eq!(everything(&hot), before);
    assert_eq!(fs::read(&other).expect("still there"), b"somebody's");
}
