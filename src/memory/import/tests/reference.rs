//! The reference's own file, here and back.

use std::fs;
use std::path::Path;

use rusqlite::Connection;

use super::{MORE, Scene, rows};
use crate::memory::import::MemoryImport;
use crate::memory::query::{core, recall};

const REFERENCE: &str = "../shared/data/branch-memory/reference.sqlite";

/// Each table, and what of it is the same in the reference's file and in the one that it comes back
/// as. What is not in this list, or left out of a row, is a difference that we want:
///
/// - `core_meta.updated_at` is when the value was written, not when its importance was judged.
/// - `archival_fts` has a record's tags as they are; the reference's keeps those it was first given.
/// - `sqlite_sequence` has a row for `inherited_summaries` only where a number was given.
/// - Times are whole milliseconds.
/// - A deleted key that hides an inherited one has a row without value here, and none in the file.
const SAME: [&str; 9] = [
    "SELECT id, parent_id, node_uid, created_at FROM branches ORDER BY id",
    "SELECT branch_id, key, value, updated_at FROM core_kv ORDER BY 1, 2",
    "SELECT branch_id, key, importance, ttl FROM core_meta ORDER BY 1, 2",
    "SELECT id, branch_id, kind, text, tags, created_at, task_hint, memory_size FROM events \
     ORDER BY id",
    "SELECT id, branch_id, text, tags, created_at FROM archival ORDER BY id",
    "SELECT rowid, text, branch_id FROM archival_fts ORDER BY rowid",
    "SELECT branch_id, excluded_event_id, excluded_at FROM inherited_exclusions ORDER BY 1, 2",
    "SELECT id, branch_id, summary_text, summarized_event_ids, kind, created_at \
     FROM inherited_summaries ORDER BY id",
    "SELECT name, seq FROM sqlite_sequence ORDER BY name",
];

fn must_be_the_same(given: &Path, back: &Path) {
    for sql in SAME {
        assert_eq!(rows(given, sql), rows(back, sql), "{sql}");
    }
}

#[test]
fn the_reference_s_file_comes_back_as_it_was() {
    let reference = Path::new(env!("CARGO_MANIFEST_DIR")).join(REFERENCE);
    if !reference.exists() {
        crate::skipped::skipped(&format!("no {REFERENCE}"));
        return;
    }
    let scene = Scene::new();
    let before = fs::read(&reference).unwrap();
    let done = scene.import(&reference).unwrap();
    let expected =
        MemoryImport { branches: 4, core: 3, events: 10, records: 6, ..MemoryImport::default() };
    assert_eq!(done, expected);
    let back = scene.export("back.sqlite");
    must_be_the_same(&reference, &back);
    assert_eq!(fs::read(&reference).unwrap(), before);
    let indexes = "SELECT name, tbl_name FROM sqlite_master WHERE type = 'index' ORDER BY 1";
    assert_eq!(rows(&reference, indexes), rows(&back, indexes));
    let words = "SELECT rowid FROM archival_fts WHERE archival_fts MATCH 'root' ORDER BY 1";
    assert_eq!(rows(&reference, words), rows(&back, words));
}

#[test]
fn consolidated_events_come_back_and_hide_what_they_hid() {
    let scene = Scene::new();
    let file = scene.made(MORE);
    let done = scene.import(&file).unwrap();
    assert_eq!((done.branches, done.summaries, done.renumbered), (5, 1, 0));
    let reader = scene.reader();
    for (branch, events, summaries) in
        [("root", 2, 0), ("child", 0, 1), ("grown", 0, 1), ("lone", 0, 0), ("lost", 0, 0)]
    {
        let seen = recall(&reader.view(), branch, 10).unwrap();
        assert_eq!((seen.events.len(), seen.summaries.len()), (events, summaries), "{branch}");
    }
    let seen = core(&reader.view(), "grown", 1_700_000_004_250 + 3_599_999).unwrap();
    assert_eq!((seen["k"].value.as_str(), seen["k"].importance), ("größe", 5));
    assert!(core(&reader.view(), "grown", 1_700_000_004_250 + 3_600_000).unwrap().is_empty());
    drop(reader);
    let back = scene.export("back.sqlite");
    let named = "INSERT INTO branches VALUES ('lost', NULL, NULL, 1700000003)";
    Connection::open(&file).unwrap().execute_batch(named).unwrap();
    must_be_the_same(&file, &back);
    // And once more into another project.
    let other = Scene::new();
    other.import(&back).unwrap();
    must_be_the_same(&back, &other.export("again.sqlite"));
}
