//! The lock file: its slot, its segment number, and its being removed.

use std::fs;

use super::*;
use crate::storage::FsStorage;
use crate::units::{Chain, JournalId, Mark, Offset, Sequence};

fn slot() -> TailSlot {
    let mark = |n| Mark { sequence: Sequence(n), chain: Chain([n as u8; 32]) };
    TailSlot {
        boot: [7; 16],
        journal: JournalId([8; 16]),
        segment: SegmentNumber(3),
        commit: Offset(4096),
        end: Offset(8192),
        mark: mark(9),
        proven_end: Offset(4096),
        proven: mark(5),
        turn: 1,
    }
}

#[test]
fn a_slot_with_any_bit_flipped_is_not_believed() {
    let bytes = slot().to_bytes();
    assert_eq!(TailSlot::parse(&bytes), Some(slot()));
    for bit in 0..bytes.len() * 8 {
        let mut bytes = bytes;
        bytes[bit / 8] ^= 1 << (bit % 8);
        assert_eq!(TailSlot::parse(&bytes), None, "bit {bit}");
    }
}

#[test]
fn an_empty_lock_file_says_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let lock = JournalLock::open(FsStorage, dir.path()).unwrap();
    assert_eq!(lock.said().unwrap().active, None);
    assert_eq!(lock.said().unwrap().slot(), None);
    lock.set_active(SegmentNumber(4)).unwrap();
    lock.set_slot(&slot(), &lock.said().unwrap()).unwrap();
    assert_eq!(lock.said().unwrap().active, Some(SegmentNumber(4)));
    assert_eq!(lock.said().unwrap().slot(), Some(slot()));
}

#[test]
fn a_slot_cut_short_leaves_the_one_before() {
    let dir = tempfile::tempdir().unwrap();
    let lock = JournalLock::open(FsStorage, dir.path()).unwrap();
    for turn in 1..6 {
        let end = Offset(8192 + turn);
        lock.set_slot(&TailSlot { end, ..slot() }, &lock.said().unwrap()).unwrap();
        assert_eq!(lock.said().unwrap().slot(), Some(TailSlot { end, turn, ..slot() }));
        // The next write is cut short in its middle.
        let at = SLOTS_AT[(turn % 2) as usize];
        lock.put(&[0xEE; 80], at + 40).unwrap();
        assert_eq!(lock.said().unwrap().slot(), Some(TailSlot { end, turn, ..slot() }));
    }
}

#[test]
fn who_waits_gives_up_only_where_nothing_moves() {
    let dir = tempfile::tempdir().unwrap();
    let mut holder = JournalLock::open(FsStorage, dir.path()).unwrap();
    let open = || JournalLock::open(FsStorage, dir.path()).unwrap();
    let held = holder.acquire().unwrap();
    assert!(matches!(open().waiting(40).acquire(), Err(LockError::Busy { .. })));
    thread::scope(|scope| {
        let waiter = scope.spawn(|| open().waiting(200).acquire().is_ok());
        // Longer than it waits for one that stands still.
        for number in 0..40 {
            open().set_active(SegmentNumber(number)).unwrap();
            thread::sleep(Duration::from_millis(20));
        }
        drop(held);
        assert!(waiter.join().unwrap());
    });
}

#[test]
fn a_removed_lock_file_is_no_lock() {
    let dir = tempfile::tempdir().unwrap();
    let mut first = JournalLock::open(FsStorage, dir.path()).unwrap();
    let mut second = JournalLock::open(FsStorage, dir.path()).unwrap();
    assert!(!first.acquire().unwrap().fresh());
    fs::remove_file(dir.path().join(LOCK_NAME)).unwrap();
    let held = second.acquire().unwrap();
    assert!(held.fresh());
    // The first could still lock the removed file: that must not pass for the lock.
    assert!(first.file.try_lock(LockKind::Exclusive).unwrap());
    first.file.unlock().unwrap();
    assert!(!first.is_current().unwrap());
    drop(held);
    assert!(first.acquire().unwrap().fresh());
    assert!(first.is_current().unwrap() && second.is_current().unwrap());
}

#[test]
fn a_lock_file_that_was_renamed_is_no_lock_a_moment_later_or_where_it_is_looked_for() {
    let dir = tempfile::tempdir().unwrap();
    let mut first = JournalLock::open(FsStorage, dir.path()).unwrap();
    for looks in [true, false] {
        assert!(!first.acquire().unwrap().fresh());
        fs::rename(dir.path().join(LOCK_NAME), dir.path().join("moved")).unwrap();
        match looks {
            true => first.look_anew(),
            false => thread::sleep(2 * LOOK_HOLDS),
        }
        assert!(first.acquire().unwrap().fresh(), "looked for: {looks}");
        assert!(first.is_current().unwrap());
    }
}
