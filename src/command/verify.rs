//! Verifying a journal, or one segment of it, and taking it apart. Changes nothing.

use std::path::{Path, PathBuf};

use super::FOLDER;
use crate::journal::{self, Inspect, JournalError, VerifyReport};

/// Reads every byte of a journal and holds it to its checksums and its chain.
///
/// `path` is a project, its `.annals`, a journal's folder or one `.seg` file.
///
/// # Errors
/// Where nothing of a journal can be read there. Damage is no error: it is in the report.
pub fn verify(path: &Path) -> Result<VerifyReport, JournalError> {
    journal::verify(&journal_path(path))
}

/// Takes a journal apart, part by part; `path` as in [`verify`].
///
/// # Errors
/// Where nothing of a journal can be read there.
pub fn inspect(path: &Path) -> Result<Inspect, JournalError> {
    journal::inspect(&journal_path(path))
}

/// The journal that a path means: a project's, an `.annals` folder's, or the path itself.
pub fn journal_path(path: &Path) -> PathBuf {
    [path.join(FOLDER).join("journal"), path.join("journal")]
        .into_iter()
        .find(|journal| journal.is_dir())
        .unwrap_or_else(|| path.to_owned())
}
