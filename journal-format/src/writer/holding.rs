//! Everything that is locked while the journal's end is moved.

use std::sync::{Arc, Mutex, PoisonError};

use crate::lock::Held;
use crate::storage::StorageFile;

/// The lock and the active segment; a roll adds another.
const HELD: usize = 2;

/// The journal's lock, and the segments that are written under it.
///
/// `LOCK` can be removed while somebody holds it; whoever comes then makes and locks a new one.
/// So the active segment is locked too, which nobody removes and keeps the journal: the newcomer
/// waits there. All are let go when this is dropped, also by a panic; the lock last, so that
/// whoever gets it need not wait again.
pub(super) struct Holding<F: StorageFile> {
    fresh: bool,
    held: Mutex<Vec<Held<F>>>,
}

impl<F: StorageFile> Holding<F> {
    pub fn new(lock: Held<F>) -> Arc<Self> {
        let fresh = lock.fresh();
        let mut held = Vec::with_capacity(HELD);
        held.push(lock);
        Arc::new(Self { fresh, held: Mutex::new(held) })
    }

    /// Whether the lock file is another one than at the last time.
    pub fn fresh(&self) -> bool {
        self.fresh
    }

    pub fn also(&self, segment: Held<F>) {
        self.held.lock().unwrap_or_else(PoisonError::into_inner).push(segment);
    }
}

impl<F: StorageFile> Drop for Holding<F> {
    fn drop(&mut self) {
        let held = self.held.get_mut().unwrap_or_else(PoisonError::into_inner);
        while held.pop().is_some() {}
    }
}
