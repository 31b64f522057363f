//! Verifying a journal's bytes, as the format does it.

use std::path::Path;

use annals_journal_format::verify::{VerifyOptions, VerifyReport};

use super::{JournalError, Reading};

/// Reads every byte of a journal's folder, or of one segment. Changes nothing.
///
/// # Errors
/// Where nothing of a journal can be read there. Damage is no error: it is in the report.
pub fn verify(path: &Path, reading: Reading) -> Result<VerifyReport, JournalError> {
    annals_journal_format::verify::verify(&reading.storage(path), path, VerifyOptions::default())
        .map_err(|source| JournalError::Read { path: path.to_owned(), source })
}
