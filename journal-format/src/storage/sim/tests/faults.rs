//! Faults, crashes, recordings and interposed acts.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::{FILE, crash, disk_with_file};
use crate::storage::sim::*;
use crate::storage::{OpenHow, Storage, StorageFile};

#[test]
fn each_fault_strikes_the_operation_it_names() {
    let number = |error: &io::Error| error.raw_os_error();
    let cases = [
        (FaultKind::Eio, Some(5)),
        (FaultKind::Efbig, Some(27)),
        (FaultKind::Eintr, Some(4)),
        (FaultKind::PowerLoss, None),
        (FaultKind::Kill, None),
    ];
    for (kind, errno) in cases {
        for sticky in [false, true] {
            let (disk, file) = disk_with_file(1);
            let at = disk.operations() + 1;
            disk.plan(Fault { at, kind, sticky });
            file.write_at(&[1; 64], 0).unwrap();
            let struck = file.write_at(&[2; 64], 0).unwrap_err();
            assert_eq!(number(&struck), errno, "{kind:?}");
            let next_works = file.write_at(&[3; 64], 0).is_ok();
            let stays = matches!(kind, FaultKind::PowerLoss | FaultKind::Kill)
                || sticky && kind != FaultKind::Eintr;
            assert_eq!(next_works, !stays, "{kind:?} sticky {sticky}");
        }
    }
}

#[test]
fn short_writes_and_full_disks_take_a_beginning() {
    let (disk, file) = disk_with_file(5);
    disk.plan(Fault::once(disk.operations(), FaultKind::ShortWrite));
    let taken = file.write_at(&[1; 4000], 0).unwrap();
    assert!((1..=4000).contains(&taken));
    disk.set_capacity(Some(5000));
    assert_eq!(file.write_at(&[2; 4000], taken as u64).unwrap(), (5000 - taken).min(4000));
    let full = file.write_at(&[3; 10], 5000).unwrap_err();
    assert_eq!(full.kind(), io::ErrorKind::StorageFull);
    assert_eq!(file.write_at(&[4; 100], 50).unwrap(), 100, "what is there can be overwritten");
}

#[test]
fn a_crash_boots_anew_and_a_kill_does_not() {
    let (disk, file) = disk_with_file(1);
    file.write_at(b"unsynced", 0).unwrap();
    let snapshot = disk.snapshot();
    assert_eq!(snapshot.kill(0).boot_id(), disk.boot_id());
    assert_eq!(snapshot.kill(0).bytes(Path::new(FILE)).unwrap(), b"unsynced");
    let booted = disk.crash(crash(Tail::Nothing, 0));
    assert_ne!(booted.boot_id(), disk.boot_id());
    assert_eq!(booted.bytes(Path::new(FILE)).unwrap(), b"");
    file.sync_data().unwrap_err();
}

#[test]
fn recording_keeps_a_snapshot_after_every_change() {
    let (disk, file) = disk_with_file(1);
    disk.record();
    file.write_at(b"one", 0).unwrap();
    file.len().unwrap();
    file.sync_data().unwrap();
    file.write_at(b"two", 0).unwrap();
    let snapshots = disk.snapshots();
    let left: Vec<_> = snapshots
        .iter()
        .map(|moment| moment.crash(crash(Tail::Nothing, 0)).bytes(Path::new(FILE)).unwrap())
        .collect();
    assert_eq!(left, [&b""[..], b"", b"one", b"one"]);
    let first = snapshots[0].operations;
    let after: Vec<_> = snapshots.iter().map(|moment| moment.operations - first).collect();
    assert_eq!(after, [0, 1, 3, 4]);
}

#[test]
fn an_interposed_act_runs_before_its_operation_and_may_use_the_disk() {
    let (disk, file) = disk_with_file(1);
    let seen = Arc::new(AtomicU64::new(0));
    let (other, saw) = (disk.process(), Arc::clone(&seen));
    disk.interpose(disk.operations() + 1, move || {
        let file = other.open(Path::new(FILE), OpenHow::Read).unwrap();
        saw.store(file.len().unwrap(), Ordering::SeqCst);
    });
    file.write_at(&[1; 10], 0).unwrap();
    file.write_at(&[1; 10], 10).unwrap();
    assert_eq!(seen.load(Ordering::SeqCst), 10);
}

#[test]
fn the_same_seed_makes_the_same_disk() {
    let run = |seed| {
        let (disk, file) = disk_with_file(seed);
        disk.plan(Fault::sticky(0, FaultKind::ShortWrite));
        (0..20).map(|at| file.write_at(&[1; 5000], at * 5000).unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(run(4), run(4));
    assert_ne!(run(4), run(5));
}
