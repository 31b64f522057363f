//! The reference's own file moved here and back, and files that nobody should trust.

mod hostile;
mod reference;

use std::fs;
use std::path::{Path, PathBuf};

use rusqlite::Connection;
use rusqlite::types::Value;

use super::{MemoryImport, export_memory};
use crate::journal::{InitOptions, Project};
use crate::memory::query::{branches, core, recall};
use crate::memory::store::MemoryReader;
use crate::memory::{Asker, Memory};

struct Scene {
    folder: tempfile::TempDir,
    project: Project,
}

impl Scene {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let (project, _) = Project::init(folder.path(), &InitOptions::default()).unwrap();
        Self { folder, project }
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn import(&self, file: &Path) -> Result<MemoryImport, String> {
        let mut memory = Memory::open(&self.project).unwrap();
        memory.import(None, file).map_err(|error| error.to_string())
    }

    fn export(&self, name: &str) -> PathBuf {
        let file = self.file(name);
        export_memory(&self.reader().view(), &file).unwrap();
        file
    }

    fn reader(&self) -> MemoryReader {
        MemoryReader::open(crate::stores::places(self.project.root()).memory()).unwrap()
    }

    fn events(&self) -> u64 {
        self.project.reader().unwrap().mark().sequence.0
    }

    /// A file of these statements, after the tables of the reference.
    fn made(&self, sql: &str) -> PathBuf {
        let file = self.file("made.sqlite");
        drop(fs::remove_file(&file));
        let conn = Connection::open(&file).unwrap();
        conn.execute_batch(include_str!("../../store/tables.sql")).unwrap();
        conn.execute_batch(sql).unwrap();
        file
    }
}

fn rows(file: &Path, sql: &str) -> Vec<Vec<Value>> {
    let conn = Connection::open(file).unwrap();
    let mut find = conn.prepare(sql).unwrap();
    let width = find.column_count();
    let row = |row: &rusqlite::Row<'_>| (0..width).map(|at| row.get(at)).collect();
    find.query_map([], row).unwrap().collect::<rusqlite::Result<_>>().unwrap()
}

/// What the reference's scripted run has none of.
const MORE: &str = "
    INSERT INTO branches VALUES ('child', 'root', 'n1', 1700000002.5), ('root', NULL, 'n0', 1700000001);
    INSERT INTO branches VALUES ('grown', 'child', NULL, 1700000050), ('lone', 'lost', 'n2', 1700000003);
    INSERT INTO core_kv VALUES ('root', 'k', 'größe', 1700000004.25);
    INSERT INTO core_meta VALUES ('root', 'k', 5, '3600', 1700000005);
    INSERT INTO events VALUES (7, 'root', 'note', 'one', '[\"t\", \"\\u00e4\"]', 1700000010, 'draft', 12);
    INSERT INTO events VALUES (9, 'root', 'note', 'two', '[]', 1700000011, NULL, NULL);
    INSERT INTO archival VALUES (3, 'child', 'text', '[\"A\"]', 1700000012);
    INSERT INTO archival_fts (rowid, text, tags, branch_id) VALUES (3, 'text', '[\"A\"]', 'child');
    INSERT INTO inherited_summaries VALUES (2, 'child', 'sum', '[7, 9]', 'note', 1700000020);
    INSERT INTO inherited_exclusions VALUES ('child', 7, 1700000020), ('child', 9, 1700000020);";

#[test]
fn what_was_imported_once_is_not_imported_again_whatever_became_of_it() {
    let scene = Scene::new();
    let file = scene.made(MORE);
    scene.import(&file).unwrap();
    let events = scene.events();
    let again = scene.import(&file).unwrap();
    assert_eq!(again, MemoryImport { known: 10, ..MemoryImport::default() });
    assert_eq!(scene.events(), events);
    let mut memory = Memory::open(&scene.project).unwrap();
    memory
        .operate(&Asker::default(), |operation| {
            operation.mem_core_del("root", "k")?;
            let change = crate::parse::reply::ArchivalChange {
                id: 3,
                text: Some("changed".to_owned()),
                tags: None,
                meta: Vec::new(),
            };
            operation.mem_archival_update(None, &change)?;
            operation.set_core("child", "own", "value", None, None).map(drop)
        })
        .unwrap();
    drop(memory);
    let events = scene.events();
    assert_eq!(scene.import(&file).unwrap().known, 10);
    assert_eq!(scene.events(), events);
    // What is new in the file is taken.
    let more =
        "INSERT INTO events VALUES (10, 'root', 'note', 'three', '[]', 1700000099, NULL, NULL)";
    Connection::open(&file).unwrap().execute_batch(more).unwrap();
    let more = scene.import(&file).unwrap();
    assert_eq!((more.events, more.known), (1, 10));
}

#[test]
fn numbers_that_are_given_here_are_not_given_twice() {
    let scene = Scene::new();
    let mut memory = Memory::open(&scene.project).unwrap();
    memory
        .operate(&Asker::default(), |operation| {
            operation.mem_node_fork(None, "mine", &[], None)?;
            for text in ["a", "b", "c", "d", "e", "f", "g", "h"] {
                operation.write_event("mine", "note", text, &[])?;
            }
            operation.insert_archival("mine", "record", &[]).map(drop)
        })
        .unwrap();
    drop(memory);
    let file = scene.made(MORE);
    let done = scene.import(&file).unwrap();
    // 7 becomes 9, and 9 then 10; the record 3 is above the one that is here.
    assert_eq!((done.events, done.records, done.renumbered), (2, 1, 2));
    let reader = scene.reader();
    let seen = recall(&reader.view(), "child", 10).unwrap();
    assert_eq!((seen.events.len(), seen.summaries[0].events.clone()), (0, vec![9, 10]));
    assert_eq!(recall(&reader.view(), "mine", 10).unwrap().events.len(), 8);
}

#[test]
fn what_a_row_has_beside_its_type_is_taken_as_well_as_it_can_be() {
    let scene = Scene::new();
    let big = "é".repeat(50_000);
    let file = scene.made(&format!(
        "INSERT INTO events VALUES (9223372036854775807, 17, 'k', 3.5, 'not json', 'soon', NULL, 'x');
         INSERT INTO events VALUES (1, 17, '', NULL, '[1]', 1e300, NULL, -3);
         INSERT INTO archival VALUES (1, 17, '{big}', NULL, NULL);
         INSERT INTO core_kv VALUES (17, 'k', '{big}', -1), (17, 'gone', NULL, 5);
         INSERT INTO core_meta VALUES (17, 'k', 'much', 60, 0);
         INSERT INTO inherited_exclusions VALUES (17, 1, 5);",
    ));
    let done = scene.import(&file).unwrap();
    assert_eq!((done.branches, done.events, done.records, done.core), (1, 2, 1, 2));
    // The highest number is not kept: nothing could follow it.
    assert_eq!(done.renumbered, 1);
    let reader = scene.reader();
    let listed = branches(&reader.view()).unwrap();
    assert_eq!((listed[0].branch.as_str(), listed[0].archival), ("17", 4));
    let seen = core(&reader.view(), "17", 0).unwrap();
    assert!(seen["k"].value.ends_with("(archived as 3)"), "{}", seen["k"].value.len());
    assert!(!seen.contains_key("gone"));
    assert_eq!(scene.import(&file).unwrap().known, 7);
}

#[test]
fn a_file_that_is_still_written_to_is_read_whole_and_left_as_it_is() {
    let scene = Scene::new();
    let file = scene.made("");
    let conn = Connection::open(&file).unwrap();
    conn.execute_batch("PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0;").unwrap();
    conn.execute_batch(MORE).unwrap();
    let wal = scene.file("made.sqlite-wal");
    let before = (fs::read(&file).unwrap(), fs::read(&wal).unwrap());
    assert_eq!(scene.import(&file).unwrap().events, 2);
    assert_eq!((fs::read(&file).unwrap(), fs::read(&wal).unwrap()), before);
    let building = crate::stores::places(scene.project.root()).building;
    let left: Vec<String> = names(&building);
    assert!(left.iter().all(|name| !name.starts_with("import-")), "{left:?}");
}

#[test]
fn a_file_of_an_older_reference_is_read_too() {
    let scene = Scene::new();
    let file = scene.made(
        "ALTER TABLE events DROP COLUMN task_hint; ALTER TABLE events DROP COLUMN memory_size;
         DROP TABLE inherited_summaries; DROP TABLE inherited_exclusions; DROP TABLE archival_fts;
         INSERT INTO branches VALUES ('root', NULL, NULL, 1);
         INSERT INTO events VALUES (1, 'root', 'note', 'text', '[]', 1)",
    );
    assert_eq!(scene.import(&file).unwrap().events, 1);
}

#[test]
fn equal_rows_of_one_file_are_all_kept_and_once() {
    let scene = Scene::new();
    let file = scene.made(
        "INSERT INTO branches VALUES ('root', NULL, NULL, 1);
         INSERT INTO archival (id, branch_id, text, tags, created_at) VALUES
             (1, 'root', 'same', '[]', 1), (2, 'root', 'same', '[]', 1), (3, 'root', 'same', '[]', 2);
         INSERT INTO events (id, branch_id, kind, text, tags, created_at) VALUES
             (1, 'root', 'note', 'same', '[]', 1), (2, 'root', 'note', 'same', '[]', 2)",
    );
    let done = scene.import(&file).unwrap();
    assert_eq!((done.records, done.events, done.known), (3, 2, 0));
    let again = scene.import(&file).unwrap();
    assert_eq!((again.records, again.events, again.known), (0, 0, 6));
}

#[test]
fn a_value_whose_time_is_over_is_named_when_it_is_exported() {
    let scene = Scene::new();
    scene.import(&scene.made(MORE)).unwrap();
    let mut memory = Memory::open(&scene.project).unwrap();
    let set = memory.operate(&Asker::default(), |operation| {
        operation.set_core("root", "short", "value", Some("0.001"), None)
    });
    set.unwrap();
    drop(memory);
    std::thread::sleep(std::time::Duration::from_millis(20));
    let written = export_memory(&scene.reader().view(), &scene.file("out.sqlite")).unwrap();
    // The file's own has an hour from long ago.
    assert_eq!(written.unsaid.expired, 2);
    let keys = written.unsaid.expired_keys.iter();
    let keys: Vec<(&str, &str)> = keys.map(|it| (it.branch.as_str(), it.key.as_str())).collect();
    assert_eq!(keys, [("root", "k"), ("root", "short")]);
}

#[test]
fn an_export_takes_nobody_s_place() {
    let scene = Scene::new();
    scene.import(&scene.made(MORE)).unwrap();
    let there = scene.file("there");
    fs::write(&there, "mine").unwrap();
    let error = export_memory(&scene.reader().view(), &there).unwrap_err().to_string();
    assert!(error.contains("is there already"), "{error}");
    assert_eq!(fs::read(&there).unwrap(), b"mine");
    let nowhere = scene.file("no/such/folder");
    assert!(export_memory(&scene.reader().view(), &nowhere).is_err());
    let mut memory = Memory::open(&scene.project).unwrap();
    memory
        .operate(&Asker::default(), |operation| {
            operation.set_core("root", "own", "value", None, None)?;
            operation.mem_core_del("child", "own")
        })
        .unwrap();
    drop(memory);
    let file = scene.file("out.sqlite");
    let written = export_memory(&scene.reader().view(), &file).unwrap();
    assert_eq!((written.written.branches, written.written.core, written.unsaid.deleted), (5, 2, 1));
    assert_eq!(written.unsaid.deleted_keys[0].branch, "child");
    let left = names(scene.folder.path());
    assert!(left.iter().all(|name| !name.ends_with(".tmp")), "{left:?}");
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect()
}
