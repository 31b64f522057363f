//! The eight tables, and what a store keeps through transactions and parts of them.

use std::path::PathBuf;

use rusqlite::Connection;

use super::*;
use crate::event::{ArchivalUpdated, ArchivalWritten, MemoryDoor, MemoryOrigin, RecallAppended};
use crate::store::{Cursor, Position, Projector};

const CONTRACT: &str = include_str!("../../../tests/fixtures/spec/003-branch-memory-flow.md");
const AT: Position = Position { journal: [1; 16], sequence: 7, chain: [2; 32] };

fn made() -> (tempfile::TempDir, PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("memory.db");
    let mut memory = Memory::create(&path).unwrap();
    memory.begin().unwrap();
    fill(&mut memory, 1);
    memory.commit(AT).unwrap();
    Box::new(memory).finish().unwrap();
    (dir, path)
}

fn record(id: u64, branch: &str, text: &str, tag: &str) -> ArchivalWritten {
    let (branch, text, tags) = (branch.to_owned(), text.to_owned(), vec![tag.to_owned()]);
    let origin = MemoryOrigin::by(MemoryDoor::Primitive);
    ArchivalWritten { id, branch, text, tags, whole: None, origin }
}

fn changed() -> ArchivalUpdated {
    let (branch, text) = ("b1".to_owned(), Some("other words".to_owned()));
    let origin = MemoryOrigin::by(MemoryDoor::Primitive);
    ArchivalUpdated { id: 1, branch, text, tags: None, whole: None, origin }
}

fn fill(memory: &mut Memory, id: i64) {
    let at = id as f64;
    let name = format!("b{id}");
    memory.insert_branch(&name, None, None, at).unwrap();
    memory.insert_archival(&record(id as u64, &name, "one word more", "T"), at).unwrap();
    memory.touch(id as u64 * 1000);
}

fn found(path: &std::path::Path, word: &str) -> Vec<i64> {
    let conn = Connection::open(path).unwrap();
    let sql = "SELECT rowid FROM archival_fts WHERE archival_fts MATCH ?1 ORDER BY rowid";
    let mut find = conn.prepare(sql).unwrap();
    find.query_map([word], |row| row.get(0)).unwrap().collect::<Result<_, _>>().unwrap()
}

/// The document's own statements: `tables.sql` holds what a file must have been made with.
#[test]
fn the_tables_are_the_eight_of_spec_003() {
    let (_, schema) = CONTRACT.split_once("## Database Schema").unwrap();
    let (_, schema) = schema.split_once("```sql\n").unwrap();
    let (schema, _) = schema.split_once("```").unwrap();
    let mut expected: Vec<String> = schema
        .split(';')
        .map(|sql| {
            let lines = sql.lines().map(|line| line.split("--").next().unwrap().trim_end());
            let lines: Vec<&str> = lines.filter(|line| !line.is_empty()).collect();
            lines.join("\n").replace("IF NOT EXISTS ", "")
        })
        .filter(|sql| !sql.is_empty())
        .collect();
    expected.sort();
    assert_eq!(expected.len(), 8);

    let (_dir, path) = made();
    let conn = Connection::open(&path).unwrap();
    let sql = "SELECT m.sql FROM sqlite_master m JOIN pragma_table_list t ON t.name = m.name \
               WHERE t.schema = 'main' AND t.type IN ('table', 'virtual') \
               AND m.name <> 'sqlite_sequence'";
    let mut find = conn.prepare(sql).unwrap();
    let mut found: Vec<String> =
        find.query_map([], |row| row.get(0)).unwrap().collect::<Result<_, _>>().unwrap();
    found.sort();
    assert_eq!(found, expected);
    // Besides: SQLite's own, what FTS5 keeps its index in, and indexes.
    let others = "SELECT name FROM pragma_table_list WHERE schema = 'main' \
                  AND type NOT IN ('table', 'virtual') AND name NOT LIKE 'archival_fts_%'";
    assert!(!conn.prepare(others).unwrap().exists([]).unwrap());
    let views = "SELECT 1 FROM sqlite_master WHERE type IN ('view', 'trigger')";
    assert!(!conn.prepare(views).unwrap().exists([]).unwrap());
}

#[test]
fn the_copy_of_the_contract_is_the_shared_one() {
    let shared = concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/spec/003-branch-memory-flow.md");
    if let Ok(text) = std::fs::read_to_string(shared) {
        assert!(text == CONTRACT, "tests/fixtures/spec/003-branch-memory-flow.md is not {shared}");
    }
}

#[test]
fn a_file_with_other_tables_is_not_opened() {
    for change in [
        "DROP TABLE core_meta",
        "ALTER TABLE events ADD COLUMN more",
        "CREATE TABLE notes (text)",
        "DROP INDEX idx_events_branch",
        "CREATE TRIGGER t AFTER INSERT ON events BEGIN SELECT 1; END",
    ] {
        let (_dir, path) = made();
        Connection::open(&path).unwrap().execute_batch(change).unwrap();
        let differs = |error: &StoreError| matches!(error, StoreError::SchemaDiffers { .. });
        assert!(differs(&Memory::open(&path).unwrap_err()), "{change}");
        assert!(differs(&MemoryReader::open(&path).unwrap_err()), "{change}");
    }
}

#[test]
fn a_load_and_a_live_store_hold_the_same() {
    let (_dir, path) = made();
    let mut memory = Memory::open(&path).unwrap();
    memory.begin().unwrap();
    fill(&mut memory, 2);
    memory.update_archival(&changed()).unwrap();
    memory.commit(AT).unwrap();
    drop(memory);

    let dir = tempfile::tempdir().unwrap();
    let loaded = dir.path().join("memory.db");
    let mut memory = Memory::create(&loaded).unwrap();
    memory.begin().unwrap();
    fill(&mut memory, 1);
    fill(&mut memory, 2);
    memory.update_archival(&changed()).unwrap();
    memory.commit(AT).unwrap();
    Box::new(memory).finish().unwrap();

    let digest = |path: &PathBuf| MemoryReader::open(path).unwrap().digest().unwrap();
    assert_eq!(digest(&path), digest(&loaded));
    for (word, ids) in [("more", vec![2]), ("other", vec![1]), ("T", vec![1, 2])] {
        assert_eq!(found(&path, word), ids, "{word}");
        assert_eq!(found(&loaded, word), ids, "{word}");
    }
    // What the full-text index says is part of the content.
    let conn = Connection::open(&loaded).unwrap();
    conn.execute("UPDATE archival_fts SET text = 'x' WHERE rowid = 1", []).unwrap();
    drop(conn);
    assert_ne!(digest(&path), digest(&loaded));
}

#[test]
fn parts_of_a_transaction_are_undone_alone() {
    let (_dir, path) = made();
    let mut memory = Memory::open(&path).unwrap();
    let before = MemoryReader::open(&path).unwrap().digest().unwrap();
    memory.begin().unwrap();
    assert_eq!(memory.view().last_ms().unwrap(), 1000);
    memory.savepoint().unwrap();
    fill(&mut memory, 2);
    memory.savepoint().unwrap();
    fill(&mut memory, 9);
    let last = memory.view().last_ids().unwrap();
    assert_eq!((last.archival, memory.view().last_ms().unwrap()), (9, 9000));
    memory.rollback_to().unwrap();
    let last = memory.view().last_ids().unwrap();
    assert_eq!((last.archival, memory.view().last_ms().unwrap()), (2, 2000));
    memory.release().unwrap();
    memory.commit(Position { sequence: 8, ..AT }).unwrap();
    drop(memory);
    let reader = MemoryReader::open(&path).unwrap();
    assert_eq!(reader.view().last_ms().unwrap(), 2000);
    assert_eq!(reader.view().last_ids().unwrap(), LastIds { archival: 2, ..LastIds::default() });
    assert_eq!(found(&path, "more"), [1, 2]);
    assert_ne!(reader.digest().unwrap(), before);

    let now = reader.digest().unwrap();
    let mut memory = Memory::open(&path).unwrap();
    memory.begin().unwrap();
    fill(&mut memory, 3);
    memory.rollback().unwrap();
    assert_eq!(reader.digest().unwrap(), now);
}

#[test]
fn numbers_are_not_given_again_after_their_rows_went() {
    let (_dir, path) = made();
    let mut memory = Memory::open(&path).unwrap();
    memory.begin().unwrap();
    let event = RecallAppended {
        id: 5,
        branch: "b1".to_owned(),
        kind: "k".to_owned(),
        text: "t".to_owned(),
        tags: Vec::new(),
        task_hint: None,
        memory_size: None,
        origin: MemoryOrigin::by(MemoryDoor::Primitive),
    };
    memory.insert_event(&event, 1.0).unwrap();
    assert!(!memory.remove_event("b2", 5).unwrap());
    assert!(memory.remove_event("b1", 5).unwrap());
    memory.commit(AT).unwrap();
    assert_eq!(memory.view().last_ids().unwrap().events, 5);
    let cursor = memory.cursor().unwrap();
    assert_eq!(cursor, Some(Cursor { position: AT, rows: memory.found_rows().unwrap() }));
}

#[test]
fn lists_are_written_as_python_writes_them() {
    for (texts, json) in [
        (vec![], "[]"),
        (vec!["A"], "[\"A\"]"),
        (vec!["a", "b"], "[\"a\", \"b\"]"),
        (vec!["\"\\/\n\r\t\u{8}\u{c}"], "[\"\\\"\\\\/\\n\\r\\t\\b\\f\"]"),
        (vec!["\u{0}\u{1f}~\u{7f}"], "[\"\\u0000\\u001f~\\u007f\"]"),
        (vec!["é", "日", "😀"], "[\"\\u00e9\", \"\\u65e5\", \"\\ud83d\\ude00\"]"),
    ] {
        assert_eq!(json_texts(&texts), json);
        assert_eq!(serde_json::from_str::<Vec<String>>(json).unwrap(), texts);
    }
    assert_eq!(json_numbers(&[]), "[]");
    assert_eq!(json_numbers(&[1, 22]), "[1, 22]");
}

#[test]
fn records_beyond_ascii_are_found_along_an_index_of_their_own() {
    let (_dir, path) = made();
    let mut memory = Memory::open(&path).unwrap();
    memory.begin().unwrap();
    for (id, text, tag) in [(2, "größe", "T"), (3, "plain", "größe"), (4, "plain", "T")] {
        memory.insert_archival(&record(id, "b1", text, tag), 1.0).unwrap();
    }
    // Which SQLite refuses where the index does not say the same.
    let from = "FROM archival INDEXED BY idx_archival_wide";
    let sql = format!("SELECT id {from} WHERE branch_id = ?1 AND ({WIDE}) ORDER BY id");
    let wide: Vec<i64> = memory.view().rows(&sql, ["b1"], |row| row.get(0)).unwrap();
    assert_eq!(wide, [2, 3]);
}

thread_local! {
    /// What was asked on this thread, for the test that looks at the plans.
    static ASKED: std::cell::RefCell<BTreeSet<String>> = Default::default();
}

pub fn asked(sql: &str) {
    ASKED.with(|asked| asked.borrow_mut().insert(sql.to_owned()));
}

impl MemoryView<'_> {
    /// What was asked on this thread so far, each with the lines of its plan.
    pub fn plans(&self) -> rusqlite::Result<Vec<(String, Vec<String>)>> {
        let asked = ASKED.with(|asked| asked.borrow().clone());
        asked.into_iter().map(|sql| Ok((sql.clone(), self.plan(&sql)?))).collect()
    }

    fn plan(&self, sql: &str) -> rusqlite::Result<Vec<String>> {
        let mut explain = self.conn.prepare(&format!("EXPLAIN QUERY PLAN {sql}"))?;
        explain.raw_query().mapped(|row| row.get("detail")).collect()
    }
}
