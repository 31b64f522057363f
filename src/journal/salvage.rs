//! Salvaging a journal's bytes, as the format does it.

use std::path::Path;

use annals_journal_format::salvage::{SalvageError, SalvageOptions, SalvageReport};

use super::{JournalError, Reading};

/// Writes every record that is whole into a fresh journal in `to`, with its sequence, time and
/// payload. `from` is a journal's folder or one segment, and is not touched.
///
/// `entropy` is 32 random bytes: the new journal's id and salts.
pub fn salvage(
    from: &Path,
    to: &Path,
    entropy: [u8; 32],
    reading: Reading,
) -> Result<SalvageReport, JournalError> {
    let storage = reading.storage(from)?;
    let options = SalvageOptions { voided: true, ..SalvageOptions::new(entropy) };
    annals_journal_format::salvage::salvage(&storage, from, to, options).map_err(|source| {
        match source {
            SalvageError::Source(source) => JournalError::Read { path: from.to_owned(), source },
            source => JournalError::Salvage { to: to.to_owned(), source },
        }
    })
}
