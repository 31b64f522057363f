//! A program killed between any two of its writes, and in the middle of each.

use std::fs;
use std::path::Path;

use super::{digest, go_on, made, position};
use crate::store::folder::{Folder, FolderReader};
use crate::store::{Digest, StoreError, fuse};

fn transaction(path: &Path) -> Result<(), StoreError> {
    let mut store = Folder::open(path)?;
    store.begin()?;
    go_on(&mut store)?;
    // More than is held: some is written before the transaction ends.
    store.append(super::log("a"), &vec![b'x'; 5 << 20])?;
    go_on(&mut store)?;
    store.remove(super::log("gone"))?;
    store.commit(position(2))
}

/// What the folder holds once it is whole, and what a reader said before: one of the two, to the end.
fn must_be_whole(path: &Path, [before, after]: [Digest; 2], when: &str) {
    let (cursor, seen) = FolderReader::open(path).unwrap().digest().unwrap();
    let expected = match cursor.unwrap().position {
        at if at == position(1) => before,
        at if at == position(2) => after,
        other => panic!("{when}: {other:?}"),
    };
    assert_eq!(seen, expected, "{when}: what a reader sees");
    drop(Folder::open(path).unwrap());
    assert_eq!(digest(path), expected, "{when}: what is left");
    for entry in fs::read_dir(path).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        // Of a cursor that was never renamed nothing is read, and the next takes it away.
        let is_left = name.starts_with('.') && name != ".cursor.json" && name != ".cursor.json.new";
        assert!(!is_left, "{when}: {name}");
    }
}

fn copied(from: &Path, to: &Path) {
    fs::create_dir(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let at = to.join(entry.file_name());
        match entry.file_type().unwrap().is_dir() {
            true => copied(&entry.path(), &at),
            false => drop(fs::copy(entry.path(), at).unwrap()),
        }
    }
}

#[test]
fn killed_between_any_two_writes_it_holds_all_of_a_transaction_or_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let first = made(folder.path());
    let before = digest(&first);
    let whole = folder.path().join("whole");
    copied(&first, &whole);
    transaction(&whole).unwrap();
    let both = [before, digest(&whole)];
    let mut kills = 0;
    loop {
        let path = folder.path().join(format!("killed-{kills}"));
        copied(&first, &path);
        fuse::light(kills);
        let done = transaction(&path);
        fuse::put_out();
        if done.is_ok() {
            break;
        }
        // Killed again while it puts in order what was left.
        for again in 0..4 {
            fuse::light(again);
            drop(Folder::open(&path));
            fuse::put_out();
        }
        must_be_whole(&path, both, &format!("kill {kills}"));
        transaction_or_done(&path, both[1]);
        kills += 1;
        fs::remove_dir_all(&path).unwrap();
    }
    assert!(kills > 20, "{kills}");
}

/// What a catch-up does next: the same events again, where they are not there.
fn transaction_or_done(path: &Path, after: Digest) {
    let cursor = Folder::open(path).unwrap().cursor().unwrap();
    if cursor.unwrap().position == position(1) {
        transaction(path).unwrap();
    }
    assert_eq!(digest(path), after);
}
