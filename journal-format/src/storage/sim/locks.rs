//! Advisory locks as `flock` gives them: they belong to the open file description.

use std::collections::{BTreeMap, BTreeSet};

use crate::storage::LockKind;

#[derive(Debug, Default)]
struct Held {
    exclusive: Option<u64>,
    shared: BTreeSet<u64>,
}

/// All locks, by inode; descriptors are numbers.
#[derive(Debug, Default)]
pub(super) struct Locks(BTreeMap<u64, Held>);

impl Locks {
    /// Takes or converts a lock; `false` where another descriptor's stands against it. A failed
    /// conversion loses the lock held before, as `flock(2)` says.
    pub(super) fn take(&mut self, inode: u64, descriptor: u64, kind: LockKind) -> bool {
        self.release(inode, descriptor);
        let held = self.0.entry(inode).or_default();
        let free = held.exclusive.is_none() && (kind == LockKind::Shared || held.shared.is_empty());
        if free {
            match kind {
                LockKind::Shared => {
                    held.shared.insert(descriptor);
                }
                LockKind::Exclusive => held.exclusive = Some(descriptor),
            }
        }
        free
    }

    pub(super) fn release(&mut self, inode: u64, descriptor: u64) {
        if let Some(held) = self.0.get_mut(&inode) {
            held.shared.remove(&descriptor);
            if held.exclusive == Some(descriptor) {
                held.exclusive = None;
            }
        }
    }
}
