//! Names, locks and identities.

use std::io;
use std::path::Path;
use std::sync::Barrier;
use std::time::Duration;

use super::{FILE, disk_with_file};
use crate::storage::sim::*;
use crate::storage::{LockKind, OpenHow, Storage, StorageFile};

#[test]
fn names_last_only_after_their_folder_was_synced() {
    let names_of = |disk: &SimStorage, names, seed| {
        let image = disk.snapshot().crash(Crash { tail: Tail::All, names, seed });
        let mut found = image.paths();
        found.sort();
        found.into_iter().map(|path| path.to_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let (disk, file) = disk_with_file(1);
    file.write_at(b"x", 0).unwrap();
    disk.rename(Path::new(FILE), Path::new("/d/new")).unwrap();
    disk.open(Path::new("/d/other"), OpenHow::CreateNew).unwrap();
    assert_eq!(names_of(&disk, NamesLeft::Nothing, 0), [FILE]);
    assert_eq!(names_of(&disk, NamesLeft::All, 0), ["/d/new", "/d/other"]);
    for seed in 0..20 {
        let prefix = names_of(&disk, NamesLeft::Prefix, seed);
        assert!(prefix != ["/d/file", "/d/other"], "a prefix keeps the order");
    }
    let skips = |seed| names_of(&disk, NamesLeft::Subset, seed) == ["/d/file", "/d/other"];
    assert!((0..20).any(skips));
    disk.sync_folder(Path::new("/d")).unwrap();
    assert_eq!(names_of(&disk, NamesLeft::Nothing, 0), ["/d/new", "/d/other"]);
    // Folders are flushed as they are made: one whose flush failed takes its files with it.
    disk.plan(Fault::once(disk.operations() + 1, FaultKind::Eio));
    disk.create_folder(Path::new("/d/e/f")).unwrap_err();
    disk.open(Path::new("/d/e/f/deep"), OpenHow::CreateNew).unwrap();
    disk.sync_folder(Path::new("/d/e/f")).unwrap();
    assert_eq!(names_of(&disk, NamesLeft::Nothing, 0).len(), 2, "the folder itself was lost");
    disk.create_folder(Path::new("/d/g/h")).unwrap();
    disk.open(Path::new("/d/g/h/deep"), OpenHow::CreateNew).unwrap();
    disk.sync_folder(Path::new("/d/g/h")).unwrap();
    assert_eq!(names_of(&disk, NamesLeft::Nothing, 0).len(), 3);
}

#[test]
fn locks_belong_to_descriptors_and_are_freed_by_close_unlock_and_death() {
    let (disk, first) = disk_with_file(1);
    let other = disk.process();
    let second = other.open(Path::new(FILE), OpenHow::ReadWrite).unwrap();
    first.lock(LockKind::Shared).unwrap();
    assert!(second.try_lock(LockKind::Shared).unwrap());
    assert!(!second.try_lock(LockKind::Exclusive).unwrap());
    first.unlock().unwrap();
    second.lock(LockKind::Exclusive).unwrap();
    assert_eq!(first.lock(LockKind::Shared).unwrap_err().kind(), io::ErrorKind::WouldBlock);
    let tries = (0..100).map(|_| first.try_lock(LockKind::Shared)).find(Result::is_err);
    assert_eq!(tries.unwrap().unwrap_err().kind(), io::ErrorKind::WouldBlock, "tries for ever");
    drop(second);
    first.lock(LockKind::Exclusive).unwrap();
    let third = other.open(Path::new(FILE), OpenHow::ReadWrite).unwrap();
    assert!(!third.try_lock(LockKind::Shared).unwrap());
    disk.kill();
    assert!(third.try_lock(LockKind::Exclusive).unwrap());
    first.len().unwrap_err();
    disk.open(Path::new(FILE), OpenHow::Read).map(drop).unwrap_err();
}

#[test]
fn a_waiting_lock_gets_its_turn_when_the_holder_lets_go() {
    let (disk, first) = disk_with_file(1);
    disk.wait_for_locks(Duration::from_secs(20));
    let second = disk.open(Path::new(FILE), OpenHow::ReadWrite).unwrap();
    first.lock(LockKind::Exclusive).unwrap();
    let gate = Barrier::new(2);
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| {
            gate.wait();
            second.lock(LockKind::Exclusive)
        });
        gate.wait();
        first.unlock().unwrap();
        waiting.join().unwrap().unwrap();
    });
}

#[test]
fn identities_and_links_follow_the_names() {
    let (disk, file) = disk_with_file(1);
    let path = Path::new(FILE);
    assert_eq!(file.identity().unwrap(), (disk.identity_of(path).unwrap(), 1));
    disk.remove(path).unwrap();
    assert_eq!(file.identity().unwrap().1, 0);
    assert_eq!(disk.identity_of(path).unwrap_err().kind(), io::ErrorKind::NotFound);
    let new = disk.open(path, OpenHow::ReadWriteOrCreate).unwrap();
    assert_ne!(new.identity().unwrap().0, file.identity().unwrap().0);
}
