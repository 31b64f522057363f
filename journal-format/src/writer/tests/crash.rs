//! Power lost after every operation of a scripted history, in every way the disk knows.

use std::path::Path;

use super::readback::Readback;
use super::{options, record};
use crate::storage::sim::{Crash, NamesLeft, SimStorage, Tail};
use crate::units::JournalId;
use crate::writer::{Durability, Seal, Writer, WriterOptions};

const FOLDER: &str = "/p/journal";

fn small(durability: Durability, seed: u8) -> WriterOptions {
    WriterOptions { segment_bytes_max: 40 << 10, ..options(durability, seed) }
}

/// Ways of losing power tried at each moment.
const WAYS: usize = 3;

/// A payload that says which append it is of, some too long for a sector.
fn payload(index: usize) -> Vec<u8> {
    let mut bytes = format!("append {index} ").into_bytes();
    let more = [10, 700, 30, 3000, 9000][index % 5];
    bytes.extend((0..more).map(|at: usize| (at * 7 + index) as u8 | 1));
    bytes
}

/// Runs the history; answers how many appends were acknowledged after how many operations.
fn history(disk: &SimStorage, durability: Durability, appends: usize) -> Vec<u64> {
    let folder = Path::new(FOLDER);
    let writer =
        Writer::create(disk.clone(), folder, JournalId([9; 16]), small(durability, 1)).unwrap();
    let mut acknowledged = Vec::new();
    let mut writer = Some(writer);
    for index in 0..appends {
        if index % 7 == 6 {
            drop(writer.take());
            let (again, recoveries) =
                Writer::open(disk.clone(), folder, small(durability, index as u8)).unwrap();
            assert!(recoveries.is_empty());
            writer = Some(again);
        }
        let own = writer.as_ref().unwrap();
        own.append(&[record(&payload(index))]).unwrap();
        if durability == Durability::Buffered {
            own.sync().unwrap();
        }
        acknowledged.push(disk.operations());
        if index % 5 == 4 {
            let (last, size) = (own.watermark().sequence, index as u64 + 1);
            assert!(own.seal(&Seal { last, size, root: [7; 32] }).unwrap().is_some());
        }
    }
    acknowledged
}

#[test]
fn acknowledged_is_recovered_after_a_crash_at_any_operation() {
    let mut images = 0;
    for durability in [Durability::Group, Durability::Strict, Durability::Buffered] {
        let disk = SimStorage::new(1);
        disk.record();
        let acknowledged = history(&disk, durability, 16);
        for (at, snapshot) in disk.snapshots().iter().enumerate() {
            let known = acknowledged.iter().filter(|it| **it <= snapshot.operations).count();
            // The torture binary tries them all; here each moment meets some of them.
            for turn in at..at + WAYS {
                let crash = Crash {
                    tail: Tail::ALL[turn % Tail::ALL.len()],
                    names: NamesLeft::ALL[turn % NamesLeft::ALL.len()],
                    seed: turn as u64,
                };
                if durability == Durability::Buffered && crash.tail == Tail::Stale {
                    // Not filled ahead: what the disk held there before is taken for damage,
                    // reported, and kept.
                    continue;
                }
                let what = format!("{durability:?} snapshot {at} {crash:?}");
                check(&snapshot.crash(crash), durability, known, &what);
                images += 1;
            }
            check(&snapshot.kill(3), durability, known, &format!("{durability:?} kill {at}"));
        }
    }
    assert!(images > 500, "{images}");
}

fn check(disk: &SimStorage, durability: Durability, known: usize, what: &str) {
    let folder = Path::new(FOLDER);
    let opened = Writer::open(disk.clone(), folder, small(durability, 77));
    let (writer, _) = match opened {
        Ok(opened) => opened,
        Err(error) => {
            assert_eq!(known, 0, "{what}: {error:?}");
            return;
        }
    };
    let state = Readback::of(disk, folder);
    let payloads = state.payloads();
    assert!(payloads.len() >= known, "{what}: {} of {known} left", payloads.len());
    for (index, bytes) in payloads.iter().enumerate() {
        assert_eq!(*bytes, payload(index), "{what}");
    }
    assert!(state.findings.is_empty(), "{what}: {:?}", state.findings);
    // Twice is once.
    drop(writer);
    let (writer, recoveries) = Writer::open(disk.clone(), folder, small(durability, 78)).unwrap();
    assert!(recoveries.is_empty(), "{what}: {recoveries:?}");
    assert_eq!(Readback::of(disk, folder).events, state.events, "{what}");
    writer.append(&[record(b"after")]).unwrap();
    let mark = writer.sync().unwrap();
    let after = Readback::of(disk, folder);
    assert_eq!(after.events.len(), state.events.len() + 1, "{what}");
    assert_eq!(after.marks.last(), Some(&mark), "{what}");
    assert!(after.findings.is_empty(), "{what}: {:?}", after.findings);
}
