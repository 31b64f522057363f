//! Schedules of two writers, each of which broke a simpler rule.

use std::path::Path;
use std::sync::{Arc, Mutex};

use super::readback::Readback;
use super::{options, record};
use crate::lock::LOCK_NAME;
use crate::scan::Verdict;
use crate::storage::sim::{Fault, FaultKind, SimStorage};
use crate::storage::{OpenHow, Storage, StorageFile, write_full};
use crate::units::{JournalId, Sequence};
use crate::writer::{AppendError, Appended, Durability, Writer, WriterOptions};

fn folder() -> &'static Path {
    Path::new("/p/journal")
}

fn create(disk: &SimStorage, options: WriterOptions) -> Writer<SimStorage> {
    Writer::create(disk.clone(), folder(), JournalId([9; 16]), options).unwrap()
}

fn open(disk: &SimStorage, options: WriterOptions) -> Writer<SimStorage> {
    Writer::open(disk.clone(), folder(), options).unwrap().0
}

fn group(seed: u8) -> WriterOptions {
    options(Durability::Group, seed)
}

/// Rolls after every few appends.
fn tiny(seed: u8) -> WriterOptions {
    WriterOptions { segment_bytes_max: 12 << 10, ..group(seed) }
}

/// What was acknowledged, with its payload.
type Acknowledged = Vec<(Appended, Vec<u8>)>;

/// Two writers taking turns, one fault at an operation; whatever is acknowledged must be there.
fn taking_turns(fault: Fault, drop_caches: bool, options: fn(u8) -> WriterOptions) -> Readback {
    let disk = SimStorage::new(4);
    let first = create(&disk, options(1));
    let second = open(&disk.process(), options(2));
    let start = disk.operations();
    disk.plan(Fault { at: start + fault.at, ..fault });
    let mut acknowledged: Acknowledged = Vec::new();
    for turn in 0..10_u8 {
        let writer = if turn % 2 == 0 { &first } else { &second };
        let payload = vec![b'a' + turn; 700 + 400 * usize::from(turn % 3)];
        if let Ok(appended) = writer.append(&[record(&payload)]) {
            acknowledged.push((appended, payload));
        }
        if drop_caches {
            disk.drop_caches();
        }
    }
    disk.heal();
    let what = format!("{fault:?}, caches dropped: {drop_caches}");
    let after = open(&disk.process(), options(3));
    after.append(&[record(b"after")]).unwrap_or_else(|error| panic!("{what}: {error:?}"));
    let state = Readback::of(&disk, folder());
    for (appended, payload) in &acknowledged {
        let held = state.events.iter().find(|(sequence, _)| *sequence == appended.first.0);
        assert_eq!(held.map(|(_, bytes)| bytes), Some(payload), "{what}: {appended:?}");
        assert!(state.marks.contains(&appended.mark), "{what}: {appended:?}");
    }
    // Where neither taking back nor fencing was possible, a fragment stays behind the end.
    let told = state.findings.iter().all(|it| fault.sticky && it.verdict == Verdict::TornTail);
    assert!(told, "{what}: {:?}", state.findings);
    state
}

#[test]
fn two_writers_and_a_failed_sync() {
    let mut fenced = 0;
    for at in 0..160 {
        for drop_caches in [false, true] {
            let fault = Fault::once(at, FaultKind::FailedSync);
            let state = taking_turns(fault, drop_caches, group);
            // Rescued or appended again: every one of the ten is there, and the one after.
            assert_eq!(state.events.len(), 11, "{fault:?}");
            fenced += state.segments - 1;
            // A roll whose new segment cannot be flushed costs the append, and says so.
            let state = taking_turns(fault, drop_caches, tiny);
            assert!(state.events.len() >= 10, "{fault:?}: {}", state.events.len());
        }
    }
    assert!(fenced >= 10, "{fenced}");
}

#[test]
fn a_roll_between_two_writers() {
    let state = taking_turns(Fault::once(u64::MAX / 2, FaultKind::Eio), false, tiny);
    assert_eq!(state.events.len(), 11);
    assert!(state.is_gap_free() && state.segments > 1);
}

#[test]
fn a_failed_append_moves_nothing() {
    for kind in FaultKind::ALL {
        if matches!(kind, FaultKind::PowerLoss | FaultKind::Kill) {
            continue;
        }
        for at in 0..120 {
            taking_turns(Fault::once(at, kind), false, tiny);
            taking_turns(Fault::sticky(at, kind), false, group);
        }
    }
}

#[test]
fn a_failed_append_says_not_recorded_and_the_next_takes_its_number() {
    for kind in [FaultKind::Enospc, FaultKind::Efbig, FaultKind::Eio] {
        let mut failed = 0;
        for at in 0..10 {
            let disk = SimStorage::new(4);
            let writer = create(&disk, group(1));
            writer.append(&[record(b"one")]).unwrap();
            // A write may be cut short first, and fail when it goes on.
            disk.plan(Fault::once(disk.operations() + at, kind));
            disk.plan(Fault::once(disk.operations() + at + 1, kind));
            let answer = writer.append(&[record(&[7; 4000])]);
            disk.heal();
            let certain = answer.as_ref().is_err_and(AppendError::is_certain);
            let next = if certain { 2 } else { 3 };
            failed += usize::from(certain);
            assert_eq!(writer.append(&[record(b"two")]).unwrap().first, Sequence(next), "{at}");
            assert!(Readback::of(&disk, folder()).is_gap_free());
        }
        // A full disk takes the beginning of a write first, and here has room again by then.
        assert!(failed > 0 || kind != FaultKind::Eio, "{kind:?}");
    }
}

#[test]
fn lock_removed_under_a_holder() {
    // Somebody removes LOCK before each operation of the holder, and a writer that comes then
    // makes a new one. It must not get at the end before the holder is done.
    let (mut went_on, mut waited) = (0, 0);
    for options in [group, tiny] {
        for at in 0..60 {
            let disk = SimStorage::new(4);
            let holder = create(&disk, options(1));
            for _ in 0..4 {
                holder.append(&[record(&[b'.'; 1700])]).unwrap();
            }
            let newcomer = disk.process();
            let appended = Arc::new(Mutex::new(None));
            let answer = Arc::clone(&appended);
            disk.interpose(disk.operations() + at, move || {
                newcomer.remove(&folder().join(LOCK_NAME)).unwrap();
                let opened = Writer::open(newcomer, folder(), options(2));
                let other = opened.ok().and_then(|(it, _)| it.append(&[record(b"other")]).ok());
                *answer.lock().unwrap() = Some(other);
            });
            let held = holder.append(&[record(&[b'h'; 1700])]);
            let after = holder.append(&[record(b"after")]).unwrap();
            let state = Readback::of(&disk, folder());
            assert!(state.findings.is_empty(), "{at}: {:?}", state.findings);
            let other = appended.lock().unwrap().take();
            waited += usize::from(matches!(other, Some(None)));
            went_on += usize::from(matches!(other, Some(Some(_))));
            for told in [held.ok(), Some(after), other.flatten()].into_iter().flatten() {
                assert!(state.marks.contains(&told.mark), "{at}: {told:?}");
            }
        }
    }
    assert!(went_on > 5 && waited > 5, "{went_on} {waited}");
}

#[test]
fn a_dead_writers_fragment_is_quarantined() {
    let disk = SimStorage::new(4);
    let writer = create(&disk, group(1));
    writer.append(&[record(b"one")]).unwrap();
    let killed = open(&disk.process(), options(Durability::Buffered, 2));
    killed.append(&[record(&[b'x'; 3000])]).unwrap();
    // The killed writer's commit loses its end, as if the kill had come within the write.
    let names = disk.list(folder()).unwrap();
    let path = folder().join(names.iter().find(|name| name.ends_with(".seg")).unwrap());
    let file = disk.open(&path, OpenHow::ReadWrite).unwrap();
    let bytes = disk.bytes(&path).unwrap();
    let end = bytes.iter().rposition(|byte| *byte != 0).unwrap() + 1;
    write_full(&file, &vec![0; 1500], end as u64 - 1500).unwrap();
    file.sync_data().unwrap();
    let next = writer.append(&[record(b"next")]).unwrap();
    let recoveries = writer.take_recoveries();
    let [recovery] = recoveries.as_slice() else { panic!("{recoveries:?}") };
    assert_eq!(recovery.verdict, Verdict::TornTail);
    let kept = folder().join("quarantine").join(recovery.quarantined.as_ref().unwrap());
    assert!(disk.bytes(&kept).unwrap().windows(100).any(|window| window == [b'x'; 100]));
    // Its number was seen on disk: it is not given again.
    assert_eq!(next.first, Sequence(3));
    let state = Readback::of(&disk, folder());
    assert_eq!(state.payloads(), [b"one".as_slice(), b"next"]);
    // Twice is once.
    let (_, again) = Writer::open(disk.process(), folder(), group(5)).unwrap();
    assert_eq!(again, []);
}
