//! The lock, held.

use std::sync::Arc;

use crate::storage::StorageFile;

/// The lock, held until dropped, also by a panic.
pub struct Held<F: StorageFile> {
    file: Arc<F>,
    fresh: bool,
}

impl<F: StorageFile> Held<F> {
    pub(super) fn new(file: Arc<F>, fresh: bool) -> Self {
        Self { file, fresh }
    }

    /// Whether the lock file is another one than at the last acquisition.
    pub fn fresh(&self) -> bool {
        self.fresh
    }
}

impl<F: StorageFile> Drop for Held<F> {
    fn drop(&mut self) {
        // By an explicit unlock: a child process may hold the descriptor open. Should it fail,
        // closing the descriptor is all that is left, and the next acquisition says so.
        let _ = self.file.unlock();
    }
}
