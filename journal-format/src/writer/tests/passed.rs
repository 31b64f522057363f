//! What others appended is passed by the tail slot's word, and what they have proven stays told.

use std::path::Path;
use std::sync::{Arc, Mutex};

use super::readback::Readback;
use super::{options, record};
use crate::lock::{LOCK_NAME, TailSlot, read_slot};
use crate::storage::sim::{Fault, FaultKind, OperationKind, SimStorage};
use crate::storage::{OpenHow, Storage, write_full};
use crate::units::JournalId;
use crate::writer::{Durability, Writer};

fn folder() -> &'static Path {
    Path::new("/p/journal")
}

fn create(disk: &SimStorage, durability: Durability) -> Writer<SimStorage> {
    let options = options(durability, 1);
    Writer::create(disk.clone(), folder(), JournalId([9; 16]), options).unwrap()
}

fn open(disk: &SimStorage, durability: Durability, seed: u8) -> Writer<SimStorage> {
    Writer::open(disk.process(), folder(), options(durability, seed)).unwrap().0
}

fn slot(disk: &SimStorage) -> TailSlot {
    read_slot(&disk.open(&folder().join(LOCK_NAME), OpenHow::Read).unwrap()).unwrap().unwrap()
}

#[test]
fn what_another_has_proven_meanwhile_stays_told() {
    // Another appends and is acknowledged before each operation of an append; whoever fences the
    // segment then must not bound it before that.
    for at in 0..20 {
        let disk = SimStorage::new(4);
        let (one, other) = (create(&disk, Durability::Group), open(&disk, Durability::Group, 2));
        one.append(&[record(b"one")]).unwrap();
        other.append(&[record(b"two")]).unwrap();
        let told = Arc::new(Mutex::new(None));
        let tell = Arc::clone(&told);
        disk.interpose(disk.operations() + at, move || {
            *tell.lock().unwrap() = other.append(&[record(b"meanwhile")]).ok();
        });
        let mut marks = vec![one.append(&[record(b"three")]).unwrap().mark];
        marks.extend(told.lock().unwrap().take().map(|it| it.mark));
        let last = marks.iter().map(|mark| mark.sequence).max();
        assert!(Some(slot(&disk).proven.sequence) >= last, "{at}");
        let third = open(&disk, Durability::Group, 3);
        let start = disk.operations();
        (0..40).for_each(|more| disk.plan(Fault::once(start + more, FaultKind::FailedSync)));
        // Fenced, and again: what becomes of it is another test's.
        let _any_answer = third.append(&[record(b"fencing")]);
        assert!(disk.trace()[start as usize..].contains(&OperationKind::Sync));
        disk.heal();
        let state = Readback::of(&disk, folder());
        assert!(marks.iter().all(|mark| state.marks.contains(mark)), "{at}");
    }
}

#[test]
fn what_others_appended_is_passed_unread_and_gone_on_from() {
    let disk = SimStorage::new(4);
    let writers = [create(&disk, Durability::Buffered), open(&disk, Durability::Buffered, 2)];
    let reads = || disk.trace().iter().filter(|it| **it == OperationKind::Read).count();
    let append = |writer: &Writer<SimStorage>, bytes: usize| {
        writer.append(&[record(&vec![b'x'; bytes])]).unwrap()
    };
    append(&writers[0], 10);
    append(&writers[1], 10);
    append(&writers[0], 10);
    // Each stretch is told of, since the other is at work.
    for _ in 0..100 {
        append(&writers[0], 20_000);
    }
    let before = reads();
    append(&writers[1], 10);
    assert!(reads() - before <= 3, "{}", reads() - before);
    let state = Readback::of(&disk, folder());
    assert!(state.findings.is_empty() && state.is_gap_free(), "{:?}", state.findings);
    assert_eq!(state.events.len(), 104);
}

#[test]
fn a_slot_that_nothing_bears_out_is_not_followed() {
    let disk = SimStorage::new(4);
    let (one, other) = (create(&disk, Durability::Buffered), open(&disk, Durability::Buffered, 2));
    one.append(&[record(b"one")]).unwrap();
    other.append(&[record(b"two")]).unwrap();
    let two = one.append(&[record(b"three")]).unwrap();
    let sound = slot(&disk);
    for (commit, end) in [(0, 100), (100, 0), (0, u64::MAX / 2), (4096, 4096)] {
        let mut slot =
            TailSlot { segment: sound.segment, turn: sound.turn + 1, mark: two.mark, ..sound };
        (slot.commit.0, slot.end.0) = (sound.end.0 + commit, sound.end.0 + commit + end);
        let lock = disk.open(&folder().join(LOCK_NAME), OpenHow::ReadWrite).unwrap();
        write_full(&lock, &slot.to_bytes(), 0).unwrap();
        other.append(&[record(b"more")]).unwrap();
        one.append(&[record(b"more")]).unwrap();
    }
    let state = Readback::of(&disk, folder());
    assert!(state.findings.is_empty() && state.is_gap_free(), "{:?}", state.findings);
    assert_eq!(state.events.len(), 11);
}

#[test]
fn what_was_passed_unread_is_saved_around_a_damaged_commit() {
    let disk = SimStorage::new(4);
    let (one, other) = (create(&disk, Durability::Group), open(&disk, Durability::Buffered, 2));
    one.append(&[record(b"one")]).unwrap();
    other.append(&[record(b"two")]).unwrap();
    one.append(&[record(b"three")]).unwrap();
    let appended: Vec<_> =
        (0..40_u8).map(|it| other.append(&[record(&[it; 900])]).unwrap()).collect();
    let path = folder().join("0000000000-00000000000000000001.seg");
    let damaged = disk.bytes(&path).unwrap().windows(900).position(|it| it == [7; 900]).unwrap();
    let file = disk.open(&path, OpenHow::ReadWrite).unwrap();
    write_full(&file, &[0xEE; 100], damaged as u64 + 300).unwrap();
    let start = disk.operations();
    (0..20).for_each(|more| disk.plan(Fault::once(start + more, FaultKind::FailedSync)));
    one.append(&[record(b"last")]).unwrap();
    let state = Readback::of(&disk, folder());
    assert_eq!(state.segments, 2);
    let kept = appended.iter().filter(|it| state.events.iter().any(|(at, _)| *at == it.first.0));
    assert_eq!(kept.count(), appended.len() - 1);
}
