//! Folders of files: what is kept, what is cut back, what is noticed, and what never gets out.

mod hostile;
mod killed;
mod taken;

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use super::{FilePlace, Folder, FolderReader};
use crate::store::{Digest, Position, StoreError};

fn position(sequence: u64) -> Position {
    Position { journal: [7; 16], sequence, chain: [u8::try_from(sequence).unwrap_or(0); 32] }
}

fn log(name: &str) -> FilePlace {
    FilePlace::of(&[], name, "jsonl")
}

/// A folder with one line in `a.jsonl`, another in `gone.jsonl`, and a file in a folder, at position 1.
fn made(folder: &Path) -> PathBuf {
    let path = folder.join("store");
    let mut store = Folder::create(&path).unwrap();
    store.begin().unwrap();
    store.append(log("a"), b"one\n").unwrap();
    store.append(log("gone"), b"one\n").unwrap();
    store.replace(FilePlace::of(&["run", "logs"], "whole", "json"), b"{}".to_vec()).unwrap();
    store.commit(position(1)).unwrap();
    path
}

fn digest(path: &Path) -> Digest {
    FolderReader::open(path).unwrap().digest().unwrap().1
}

/// What a transaction of the tests does.
fn go_on(store: &mut Folder) -> Result<(), StoreError> {
    store.append(log("a"), b"two\n")?;
    store.append(log("b"), b"new\n")?;
    store.replace(FilePlace::of(&["run", "logs"], "whole", "json"), b"[]".to_vec())
}

#[test]
fn what_was_committed_is_there_and_is_ours_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = made(folder.path());
    let mut store = Folder::open(&path).unwrap();
    store.begin().unwrap();
    go_on(&mut store).unwrap();
    store.commit(position(2)).unwrap();
    assert_eq!(store.cursor().unwrap().unwrap().position, position(2));
    let read = |name: &str| fs::read_to_string(path.join(name)).unwrap();
    assert_eq!(read("a.jsonl"), "one\ntwo\n");
    assert_eq!(read("b.jsonl"), "new\n");
    assert_eq!(read("run/logs/whole.json"), "[]");
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    for file in ["a.jsonl", "b.jsonl", "run/logs/whole.json", ".cursor.json"] {
        assert_eq!(mode(&path.join(file)), 0o600, "{file}");
    }
    for inner in ["", "run", "run/logs"] {
        assert_eq!(mode(&path.join(inner)), 0o700, "{inner:?}");
    }
    let names = fs::read_dir(&path).unwrap().count();
    assert_eq!(names, 5, "nothing is left of the transaction");
}

#[test]
fn a_transaction_of_nothing_but_empty_files_leaves_them() {
    let folder = tempfile::tempdir().unwrap();
    let path = made(folder.path());
    let mut store = Folder::open(&path).unwrap();
    store.begin().unwrap();
    store.append(log("empty"), b"").unwrap();
    store.replace(FilePlace::of(&["run", "logs"], "whole", "json"), Vec::new()).unwrap();
    store.commit(position(2)).unwrap();
    assert_eq!(fs::read_to_string(path.join("empty.jsonl")).unwrap(), "");
    assert_eq!(fs::read_to_string(path.join("run/logs/whole.json")).unwrap(), "");
}

#[test]
fn what_was_rolled_back_had_never_been() {
    let folder = tempfile::tempdir().unwrap();
    let path = made(folder.path());
    let before = digest(&path);
    let mut store = Folder::open(&path).unwrap();
    store.begin().unwrap();
    go_on(&mut store).unwrap();
    // Larger than what is held: it is on the disk when it is rolled back.
    store.append(log("a"), &vec![b'x'; 5 << 20]).unwrap();
    assert!(fs::metadata(path.join("a.jsonl")).unwrap().len() > 1 << 20);
    store.rollback().unwrap();
    assert_eq!(digest(&path), before);
    assert!(!path.join("b.jsonl").exists() && !path.join(".undo").exists());
    assert_eq!(store.cursor().unwrap().unwrap().position, position(1));
}

#[test]
fn what_a_dead_writer_left_is_read_as_it_was_and_cut_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = made(folder.path());
    let before = digest(&path);
    let mut store = Folder::open(&path).unwrap();
    store.begin().unwrap();
    go_on(&mut store).unwrap();
    store.append(log("a"), &vec![b'x'; 5 << 20]).unwrap();
    // The lock goes with its holder, and nothing else does.
    drop(store);
    assert!(path.join(".undo").exists());
    assert_eq!(digest(&path), before, "a reader sees what was committed, and writes nothing");
    assert!(path.join(".undo").exists());
    FolderReader::open(&path).unwrap().found_rows().unwrap();
    drop(Folder::open(&path).unwrap());
    assert!(!path.join(".undo").exists() && !path.join("b.jsonl").exists());
    assert_eq!(fs::read(path.join("a.jsonl")).unwrap(), b"one\n");
    assert_eq!(fs::read(path.join("run/logs/whole.json")).unwrap(), b"{}");
    assert_eq!(digest(&path), before);
}

#[test]
fn a_transaction_that_ended_is_not_undone_by_what_was_left_of_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = made(folder.path());
    let mut store = Folder::open(&path).unwrap();
    store.begin().unwrap();
    go_on(&mut store).unwrap();
    store.append(log("a"), &vec![b'x'; 5 << 20]).unwrap();
    let undo = fs::read(path.join(".undo")).unwrap();
    store.commit(position(2)).unwrap();
    let after = digest(&path);
    // As if the machine had stopped between the cursor's rename and the end.
    fs::write(path.join(".undo"), undo).unwrap();
    fs::write(path.join(".kept-0"), b"{}").unwrap();
    assert_eq!(digest(&path), after);
    drop(Folder::open(&path).unwrap());
    assert_eq!(digest(&path), after);
    assert!(!path.join(".undo").exists() && !path.join(".kept-0").exists());
}

#[test]
fn what_a_machine_lost_that_lost_power_is_noticed_at_the_next_opening() {
    let folder = tempfile::tempdir().unwrap();
    let path = made(folder.path());
    let mut store = Folder::open(&path).unwrap();
    store.begin().unwrap();
    go_on(&mut store).unwrap();
    store.commit(position(2)).unwrap();
    let cursor = path.join(".cursor.json");
    let written = fs::read_to_string(&cursor).unwrap();
    let Some((_, boot)) = written.split_once("\"boot\":\"") else {
        crate::skipped::skipped("this system does not tell one boot from another");
        return;
    };
    let boot = boot.split('"').next().unwrap();
    fs::write(path.join("b.jsonl"), "").unwrap();
    drop(Folder::open(&path).unwrap());
    fs::write(&cursor, written.replace(boot, "another")).unwrap();
    let opened = Folder::open(&path);
    assert!(matches!(opened, Err(StoreError::FilesDiffer { .. })), "{opened:?}");
    fs::write(path.join("b.jsonl"), "new\n").unwrap();
    drop(Folder::open(&path).unwrap());
}

#[test]
fn more_files_than_are_remembered_are_made_durable() {
    let folder = tempfile::tempdir().unwrap();
    let path = made(folder.path());
    let mut store = Folder::open(&path).unwrap();
    for turn in 0..3 {
        store.begin().unwrap();
        for number in 0..30 {
            store.append(log(&format!("{turn}-{number}")), b"line\n").unwrap();
        }
        store.commit(position(2 + turn)).unwrap();
        let written = fs::read_to_string(path.join(".cursor.json")).unwrap();
        let unsynced = ["\"unsynced\":30", "\"unsynced\":60", "\"unsynced\":0"];
        let at = usize::try_from(turn).unwrap();
        assert!(written.contains(unsynced[at]), "{turn}: {written}");
    }
}

#[test]
fn a_digest_tells_every_file_and_no_more() {
    let folder = tempfile::tempdir().unwrap();
    let path = made(folder.path());
    let before = digest(&path);
    let mut store = Folder::open(&path).unwrap();
    store.begin().unwrap();
    store.commit(position(9)).unwrap();
    assert_eq!(digest(&path), before, "the cursor is no content");
    fs::create_dir(path.join("empty")).unwrap();
    assert_eq!(digest(&path), before, "nor is a folder");
    fs::write(path.join("run/stray"), b"").unwrap();
    let stray = digest(&path);
    assert_ne!(stray, before);
    fs::remove_file(path.join("run/stray")).unwrap();
    symlink("/etc/passwd", path.join("run/stray")).unwrap();
    assert!(digest(&path) != before && digest(&path) != stray);
}
