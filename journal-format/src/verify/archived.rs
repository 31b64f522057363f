//! What of an archived segment no walk comes to.

use std::io;

use crate::limits::ARCHIVE_BLOCK_BYTES;
use crate::storage::StorageFile;
use crate::units::Offset;

/// A byte of each block of an archive that it would be in.
pub(super) fn read_blocks(file: &impl StorageFile, from: Offset, len: u64) -> io::Result<()> {
    let mut at = from.0.next_multiple_of(ARCHIVE_BLOCK_BYTES).saturating_sub(1).min(len);
    while at < len {
        file.read_at(&mut [0], at)?;
        at += ARCHIVE_BLOCK_BYTES;
    }
    match len > from.0 {
        true => file.read_at(&mut [0], len - 1).map(drop),
        false => Ok(()),
    }
}
