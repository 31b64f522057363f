//! Damages a copy of a journal by one bit, in the payload of an event in its middle.

use std::path::Path;

use crate::command::{self, InspectItem};
use crate::surface::cli::CliError;

/// Copies a journal's segments and flips one bit; gives the sequence of the event it hit.
pub fn copy_and_flip(journal: &Path, copy: &Path) -> Result<u64, CliError> {
    std::fs::create_dir_all(copy).map_err(|source| CliError::io("make", copy, source))?;
    let failed = |source| CliError::io("copy", journal, source);
    let mut last = None;
    for entry in std::fs::read_dir(journal).map_err(failed)? {
        let from = entry.map_err(failed)?.path();
        if from.extension().is_some_and(|extension| extension == "seg") {
            let to = copy.join(from.file_name().unwrap_or_default());
            std::fs::copy(&from, &to).map_err(failed)?;
            last = last.max(Some(to));
        }
    }
    Err(CliError::Claim { claim: "todo" })
}
