//! Salvaging what is whole in a damaged journal, and what stores have beyond theirs. The source is not
//! touched.

mod stores;

use std::path::Path;

use crate::journal::{self, JournalError, Reading, SalvageReport};
use crate::journal::{enclosure, id};
use crate::store::verify::journal_path;

pub use stores::{StoreRemains, StoreSalvageError, salvage_stores};

/// Writes every event that is whole into a fresh journal in `to`, which must be new or empty. Where there
/// is none, no folder is made.
///
/// `from` is a project, its `.annals`, a journal's folder, one `.seg` file or a bundle.
///
/// # Errors
/// As [`journal::salvage`] has them.
pub fn salvage(from: &Path, to: &Path, reading: Reading) -> Result<SalvageReport, JournalError> {
    let mut entropy = [0; 32];
    entropy.copy_from_slice(&id::entropy()[..32]);
    let is_new = enclosure::look(to).is_err();
    let report = journal::salvage(&journal_path(from), to, entropy, reading)?;
    if is_new && report.events == 0 {
        // What was kept beside events keeps the folder.
        let _ = std::fs::remove_dir(to);
    }
    Ok(report)
}
