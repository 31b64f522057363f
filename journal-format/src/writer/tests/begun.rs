//! The disk begins with what is written before it is flushed, in long stretches and once.

use std::io;
use std::sync::{Arc, Mutex};

use crate::segment::{Predecessor, SegmentHeader};
use crate::storage::{LockKind, StorageFile};
use crate::units::{Chain, JournalId, Offset, SegmentNumber, Sequence};
use crate::writer::active::Active;

/// Knows what the disk began with, and does nothing.
#[derive(Default)]
struct Begun(Mutex<Vec<(u64, u64)>>);

impl StorageFile for Begun {
    fn begin_sync(&self, from: u64, to: u64) {
        self.0.lock().unwrap().push((from, to));
    }
    fn read_at(&self, _: &mut [u8], _: u64) -> io::Result<usize> {
        Ok(0)
    }
    fn write_at(&self, bytes: &[u8], _: u64) -> io::Result<usize> {
        Ok(bytes.len())
    }
    fn sync_data(&self) -> io::Result<()> {
        Ok(())
    }
    fn len(&self) -> io::Result<u64> {
        Ok(0)
    }
    fn lock(&self, _: LockKind) -> io::Result<()> {
        Ok(())
    }
    fn try_lock(&self, _: LockKind) -> io::Result<bool> {
        Ok(true)
    }
    fn unlock(&self) -> io::Result<()> {
        Ok(())
    }
    fn identity(&self) -> io::Result<((u64, u64), u64)> {
        Ok(((0, 0), 1))
    }
}

fn active() -> (Arc<Begun>, Active<Begun>) {
    let previous = Predecessor { sequence: Sequence(0), end: Offset(0), chain: Chain([0; 32]) };
    let (journal, number, nonce) = (JournalId([1; 16]), SegmentNumber(0), [2; 16]);
    let header = SegmentHeader { journal, number, first_sequence: Sequence(1), nonce, previous };
    let file = Arc::new(Begun::default());
    let active = Active::new(header, Arc::clone(&file), 0);
    (file, active)
}

#[test]
fn whole_pages_that_nobody_flushed_are_begun_with_once_and_in_long_stretches() {
    let (file, mut active) = active();
    let mut proven = 0;
    for end in (4096_u64..64 << 20).step_by(100_000) {
        if end > 40 << 20 && proven == 0 {
            proven = end;
        }
        active.begin_sync(end, proven, (80 << 20) - end);
    }
    let begun = file.0.lock().unwrap().clone();
    let [first, second, third] = begun.as_slice() else { panic!("{begun:?}") };
    assert!(first.0 == 4096 && first.1 == second.0 && third.0 == proven, "{begun:?}");
    for (from, to) in begun {
        assert!(to - from >= 16 << 20 && to - from < 17 << 20 && to % 4096 == 0);
    }
}

#[test]
fn little_is_left_for_the_flush_where_a_segment_ends() {
    let (file, mut active) = active();
    for end in (4096_u64..64 << 20).step_by(100_000) {
        active.begin_sync(end, 0, (64 << 20) - end);
        let (from, to) = file.0.lock().unwrap().last().copied().unwrap_or((0, 4096));
        let least = if end > 48 << 20 { 4 << 20 } else { 16 << 20 };
        assert!(end - to <= least + 100_000, "{from} {to} {end}");
    }
    assert!(file.0.lock().unwrap().windows(2).all(|pair| pair[0].1 == pair[1].0));
}
