//! Damages a copy of a journal by one bit, in the payload of one event.

use std::fs::OpenOptions;
use std::os::unix::fs::FileExt;
use std::path::Path;

use crate::cli::CliError;
use crate::event::Sequence;

/// From the beginning of a frame, a byte of its payload: beyond header and salt.
const INTO_PAYLOAD_BYTES: u64 = 64;

/// Copies a journal's segments and flips one bit of an event's payload in the copy.
pub fn copy_and_flip(journal: &Path, copy: &Path, at: Sequence) -> Result<(), CliError> {
    std::fs::create_dir_all(copy).map_err(|source| CliError::io("make", copy, source))?;
    let failed = |source| CliError::io("copy", journal, source);
    for entry in std::fs::read_dir(journal).map_err(failed)? {
        let from = entry.map_err(failed)?.path();
        if from.extension().is_some_and(|extension| extension == "seg") {
            std::fs::copy(&from, copy.join(from.file_name().unwrap_or_default()))
                .map_err(failed)?;
        }
    }
    let place = crate::journal::place::place(copy, at)?
        .ok_or(CliError::Claim { claim: "the copy holds the event that is to be damaged" })?;
    flip(&place.path, place.offset + INTO_PAYLOAD_BYTES)
        .map_err(|source| CliError::io("damage", &place.path, source))
}

fn flip(path: &Path, offset: u64) -> std::io::Result<()> {
    let file = OpenOptions::new().read(true).write(true).open(path)?;
    let mut byte = [0];
    file.read_exact_at(&mut byte, offset)?;
    file.write_all_at(&[byte[0] ^ 1], offset)
}
