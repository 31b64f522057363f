//! The lock is taken at any moment by somebody who never gives it back.

use std::path::Path;
use std::sync::{Arc, Mutex};

use super::readback::Readback;
use super::{options, record};
use crate::lock::JournalLock;
use crate::storage::sim::{Fault, FaultKind, OperationKind, SimStorage};
use crate::units::JournalId;
use crate::writer::{AppendError, Durability, Writer, WriterOptions};

/// What happens before the lock is taken for good.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Before {
    Nothing,
    /// Another appends.
    Append,
    /// Another appends, and rolls.
    Roll,
    /// Another's flush fails, and it closes the segment for everyone.
    Fence,
}

fn folder() -> &'static Path {
    Path::new("/p/journal")
}

fn waiting(durability: Durability, seed: u8) -> WriterOptions {
    let segment_bytes_max = 16 << 10;
    WriterOptions { lock_wait_ms_max: 1, segment_bytes_max, ..options(durability, seed) }
}

/// Who takes the lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Taker {
    /// It has the segment's own as well.
    Writer,
    Reader,
}

/// Lets the lock be taken before operation `at` of an append; answers it and whether its flush was
/// done by then.
fn append_while_held(
    at: u64,
    before: Before,
    durability: Durability,
    by: Taker,
) -> (Result<(), AppendError>, bool) {
    let disk = SimStorage::new(4);
    disk.wait_for_locks(std::time::Duration::from_millis(1));
    let id = JournalId([9; 16]);
    let writer = Writer::create(disk.clone(), folder(), id, waiting(durability, 1)).unwrap();
    let other = Writer::open(disk.process(), folder(), waiting(durability, 2)).unwrap().0;
    writer.append(&[record(b"one")]).unwrap();
    other.append(&[record(b"two")]).unwrap();
    let start = disk.operations();
    let held = Arc::new(Mutex::new(None));
    let (keep, taker) = (Arc::clone(&held), disk.clone());
    disk.interpose(start + at, move || {
        let synced = taker.trace()[start as usize..].contains(&OperationKind::Sync);
        let long = vec![b'x'; if before == Before::Roll { 9_000 } else { 500 }];
        if before == Before::Fence {
            // The other's own flush, wherever that comes.
            (0..30).for_each(|more| {
                taker.plan(Fault::once(taker.operations() + more, FaultKind::FailedSync));
            });
        }
        if before != Before::Nothing {
            let _any_answer = other.append(&[record(&long)]);
            let _any_answer = other.append(&[record(&long)]);
        }
        taker.heal();
        let mut lock = JournalLock::open(taker.process(), folder()).unwrap().waiting(1);
        let hold = (by == Taker::Writer).then(|| other.hold().ok()).flatten();
        let taken = (by == Taker::Reader).then(|| lock.acquire().ok()).flatten();
        let is_taken = hold.is_some() || taken.is_some();
        *keep.lock().unwrap() = Some((is_taken, synced, hold, taken, lock, other));
    });
    let answer = writer.append(&[record(b"held")]);
    let taken = held.lock().unwrap().take();
    let flushed = taken.as_ref().is_some_and(|(is_taken, synced, ..)| *is_taken && *synced);
    drop(taken);
    let after = writer.append(&[record(b"after")]).map(drop);
    let what = format!("{at} {before:?} {durability:?} {by:?}: {answer:?}, then {after:?}");
    disk.drop_caches();
    let state = Readback::of(&disk, folder());
    assert!(state.findings.is_empty(), "{what}: {:?}", state.findings);
    let found = state.events.iter().filter(|(_, payload)| payload == b"held").count();
    match &answer {
        Ok(appended) => {
            let there =
                state.events.iter().any(|(at, it)| *at == appended.first.0 && it == b"held");
            assert!(there && found == 1, "{what}");
        }
        Err(error) => assert!(found == 0 || !error.is_certain() && found == 1, "{what}"),
    }
    (answer.map(drop), flushed)
}

#[test]
fn what_was_flushed_is_known_to_be_recorded_whoever_holds_the_lock() {
    let mut known = [0; 2];
    for before in [Before::Nothing, Before::Append, Before::Roll, Before::Fence] {
        for at in 0..40 {
            for (by, known) in [Taker::Writer, Taker::Reader].into_iter().zip(&mut known) {
                let (answer, flushed) = append_while_held(at, before, Durability::Group, by);
                assert!(!flushed || answer.is_ok(), "{at} {before:?} {by:?}: {answer:?}");
                *known += usize::from(flushed);
            }
        }
    }
    assert!(known.iter().all(|known| *known >= 4), "{known:?}");
    // There the slot has to be written too, which needs the segment's lock.
    let strict = |by| {
        let append = move |at| append_while_held(at, Before::Nothing, Durability::Strict, by);
        (0..40).map(append).any(|(answer, flushed)| flushed && answer.is_err())
    };
    assert!(strict(Taker::Writer) && !strict(Taker::Reader));
}
