//! What the simulated disk promises the trials that stand on it.

mod faults;
mod names;

use std::path::Path;

use super::*;
use crate::limits::SECTOR_BYTES;
use crate::storage::{OpenHow, Storage, StorageFile};

const FILE: &str = "/d/file";

fn disk_with_file(seed: u64) -> (SimStorage, SimFile) {
    let disk = SimStorage::new(seed);
    disk.create_folder(Path::new("/d")).unwrap();
    let file = disk.open(Path::new(FILE), OpenHow::CreateNew).unwrap();
    disk.sync_folder(Path::new("/d")).unwrap();
    disk.sync_folder(Path::new("/")).unwrap();
    (disk, file)
}

fn crash(tail: Tail, seed: u64) -> Crash {
    Crash { tail, names: NamesLeft::Nothing, seed }
}

fn after(disk: &SimStorage, tail: Tail, seed: u64) -> Vec<u8> {
    disk.snapshot().crash(crash(tail, seed)).bytes(Path::new(FILE)).unwrap()
}

#[test]
fn synced_bytes_survive_every_tail_and_unsynced_bytes_only_those_that_say_so() {
    let (disk, file) = disk_with_file(1);
    file.write_at(&[1; 2000], 0).unwrap();
    file.sync_data().unwrap();
    file.write_at(&[2; 1000], 1500).unwrap();
    let mut written = vec![1; 1500];
    written.extend([2; 1000]);
    for tail in Tail::ALL {
        for seed in 0..50 {
            let left = after(&disk, tail, seed);
            assert_eq!(left[..1024], [1; 1024], "{tail:?}: a sector that no one wrote again");
            match tail {
                Tail::Nothing => assert_eq!(left, [1; 2000]),
                Tail::All => assert_eq!(left, written),
                Tail::Zeros => {
                    assert_eq!(left.len(), 2500);
                    assert_eq!(left[2000..], [0; 500]);
                }
                Tail::PrefixBytes | Tail::PrefixSectors => {
                    let new = left.iter().filter(|byte| **byte == 2).count();
                    assert!(left.iter().all(|byte| *byte != 0), "{tail:?}: nothing but 1 and 2");
                    assert!(left[1500..1500 + new].iter().all(|byte| *byte == 2));
                    let unit = if tail == Tail::PrefixBytes { 8 } else { SECTOR_BYTES as usize };
                    assert!(new == 0 || new == 1000 || (1500 + new).is_multiple_of(unit));
                }
                Tail::Subset | Tail::Stale => {}
            }
        }
    }
}

#[test]
fn every_tail_but_nothing_and_all_differs_with_the_seed_and_repeats_with_it() {
    let (disk, file) = disk_with_file(1);
    file.write_at(&[7; 4096], 0).unwrap();
    for tail in [Tail::PrefixBytes, Tail::PrefixSectors, Tail::Subset, Tail::Stale] {
        let images: std::collections::BTreeSet<_> =
            (0..30).map(|seed| after(&disk, tail, seed)).collect();
        assert!(images.len() > 3, "{tail:?} gives {} images", images.len());
        assert_eq!(after(&disk, tail, 7), after(&disk, tail, 7));
    }
}

#[test]
fn stale_bytes_appear_only_where_the_file_was_never_synced() {
    let (disk, file) = disk_with_file(1);
    file.write_at(&[0; 2048], 0).unwrap();
    file.sync_data().unwrap();
    file.write_at(&[5; 4096], 0).unwrap();
    let (mut foreign_new, mut foreign_old) = (0, 0);
    for seed in 0..100 {
        let left = after(&disk, Tail::Stale, seed);
        let foreign = |bytes: &[u8]| bytes.iter().filter(|byte| ![0, 5].contains(*byte)).count();
        foreign_old += foreign(&left[..2048]);
        foreign_new += foreign(&left[2048..]);
    }
    assert_eq!(foreign_old, 0, "an overwritten sector is old or new");
    assert!(foreign_new > 1000, "a block new to the file may hold anything");
}

#[test]
fn a_failed_sync_marks_pages_clean_and_tells_each_open_descriptor_once() {
    let (disk, first) = disk_with_file(3);
    let path = Path::new(FILE);
    let second = disk.process().open(path, OpenHow::ReadWrite).unwrap();
    first.write_at(&[9; 512], 0).unwrap();
    disk.plan(Fault::once(disk.operations(), FaultKind::FailedSync));
    let lost = (0..20).any(|seed| {
        let (disk, first) = disk_with_file(seed);
        first.write_at(&[9; 512], 0).unwrap();
        disk.plan(Fault::once(disk.operations(), FaultKind::FailedSync));
        first.sync_data().unwrap_err();
        first.sync_data().unwrap();
        after(&disk, Tail::All, 0) != [9; 512]
    });
    assert!(lost, "the sync after the failed one succeeds, and the bytes are still not on disk");
    assert_eq!(first.sync_data().unwrap_err().raw_os_error(), Some(5));
    assert_eq!(first.sync_data().map_err(|error| error.raw_os_error()), Ok(()));
    second.sync_data().unwrap_err();
    second.sync_data().unwrap();
    let third = disk.open(path, OpenHow::ReadWrite).unwrap();
    third.sync_data().unwrap();
    let mut seen = [0; 512];
    third.read_at(&mut seen, 0).unwrap();
    assert_eq!(seen, [9; 512], "readers still see what is not on disk");
}

#[test]
fn dropping_caches_shows_readers_what_a_failed_sync_lost() {
    let (disk, file) = disk_with_file(2);
    file.write_at(&[1; 512], 0).unwrap();
    file.sync_data().unwrap();
    file.write_at(&[2; 512], 0).unwrap();
    while disk.bytes_on_disk(Path::new(FILE)) != Some(vec![1; 512]) {
        file.sync_data().unwrap();
        file.write_at(&[1; 512], 0).unwrap();
        file.sync_data().unwrap();
        file.write_at(&[2; 512], 0).unwrap();
    }
    disk.fail_write_back(Path::new(FILE));
    file.write_at(&[3; 512], 512).unwrap();
    disk.drop_caches();
    let seen = disk.bytes(Path::new(FILE)).unwrap();
    assert_eq!(seen[512..], [3; 512], "what is still dirty stays");
    assert!(seen[..512] == [1; 512] || seen[..512] == [2; 512]);
    assert_eq!(Some(&seen[..512]), disk.bytes_on_disk(Path::new(FILE)).as_deref());
    file.sync_data().unwrap_err();
}

#[test]
fn a_write_back_error_nobody_was_told_reaches_a_descriptor_opened_later() {
    let (disk, file) = disk_with_file(2);
    file.write_at(&[1; 512], 0).unwrap();
    disk.fail_write_back(Path::new(FILE));
    let later = disk.open(Path::new(FILE), OpenHow::ReadWrite).unwrap();
    later.sync_data().unwrap_err();
    disk.open(Path::new(FILE), OpenHow::ReadWrite).unwrap().sync_data().unwrap();
    file.sync_data().unwrap_err();
}
