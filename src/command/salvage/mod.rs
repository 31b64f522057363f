//! Salvaging what is whole in a damaged journal, and what stores have beyond theirs. The source is not
//! touched.

mod stores;

use std::path::Path;

use super::{id, journal_path};
use crate::journal::{self, JournalError, Reading, SalvageReport};

pub use stores::{StoreRemains, StoreSalvageError, salvage_stores};

/// Writes every event that is whole into a fresh journal in `to`, which must be new or empty.
///
/// `from` is a project, its `.annals`, a journal's folder, one `.seg` file or a bundle.
///
/// # Errors
/// As [`journal::salvage`] has them.
pub fn salvage(from: &Path, to: &Path, reading: Reading) -> Result<SalvageReport, JournalError> {
    let mut entropy = [0; 32];
    entropy.copy_from_slice(&id::entropy()[..32]);
    journal::salvage(&journal_path(from), to, entropy, reading)
}
