//! What is guarded cannot be changed or held.

use std::fs;

use tempfile::tempdir;

use super::*;
use crate::storage::{LockKind, StorageFile};

#[test]
fn a_guarded_source_is_read_and_nothing_else() {
    let folder = tempdir().unwrap();
    let (source, beside) = (folder.path().join("source"), folder.path().join("beside"));
    fs::create_dir(&source).unwrap();
    let path = source.join("LOCK");
    fs::write(&path, "abc").unwrap();
    let storage = SourceStorage::guarding(&source).unwrap();
    for how in [OpenHow::ReadWrite, OpenHow::ReadWriteOrCreate, OpenHow::CreateNew] {
        assert!(storage.open(&source.join("new"), how).is_err(), "{how:?}");
    }
    assert!(storage.rename(&path, &beside).is_err());
    assert!(storage.rename(&beside, &path).is_err());
    assert!(storage.remove(&path).is_err());
    assert!(storage.create_folder(&source.join("inner")).is_err());
    let file = storage.open(&path, OpenHow::Read).unwrap();
    let mut bytes = [0; 3];
    assert_eq!((file.read_at(&mut bytes, 0).unwrap(), &bytes), (3, b"abc"));
    assert!(file.write_at(b"x", 0).is_err());
    assert!(file.try_lock(LockKind::Shared).is_err());
    assert!(file.lock(LockKind::Shared).is_err());
    assert_eq!(fs::read_dir(&source).unwrap().count(), 1);
    // Beside it everything can be done: that is where what is salvaged goes.
    storage.create_folder(&beside).unwrap();
    let file = storage.open(&beside.join("x"), OpenHow::CreateNew).unwrap();
    file.write_at(b"x", 0).unwrap();
    assert!(file.try_lock(LockKind::Shared).unwrap());
}
