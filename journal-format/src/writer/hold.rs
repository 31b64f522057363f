//! The journal, held against everybody else.

use std::sync::Arc;

use super::holding::Holding;
use crate::storage::StorageFile;

/// While it lives nobody appends but the writer that gave it: for one who decides what to append by
/// what the journal holds, and was overtaken too often. Others wait, so not for longer than that takes.
pub struct Hold<F: StorageFile>(#[expect(dead_code, reason = "it is held")] Arc<Holding<F>>);

impl<F: StorageFile> Hold<F> {
    pub(super) fn new(holding: Arc<Holding<F>>) -> Self {
        Self(holding)
    }
}
