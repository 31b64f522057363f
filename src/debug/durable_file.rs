//! Files that nothing can make again: whole and on the disk, or not there.

use std::io::{self, Write};
use std::path::Path;

use super::DebugError;
use crate::journal::enclosure::OpenHow;
use crate::journal::{enclosure, id};

/// Puts bytes in place of a file that only its owner reads. Its folder is made where it is missing.
pub(super) fn write(path: &Path, bytes: &[u8]) -> Result<(), DebugError> {
    let failed = |source| DebugError::File { path: path.to_owned(), did: "written", source };
    replace(path, bytes).map_err(failed)
}

fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    enclosure::make_folders(folder)?;
    let number: String = id::entropy().iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    let temporary = folder.join(format!(".new-{number}"));
    let mut file = enclosure::open(&temporary, OpenHow::CreateNew)?;
    let written = file.write_all(bytes).and_then(|()| file.sync_all());
    let written = written.and_then(|()| enclosure::rename(&temporary, path));
    if written.is_err() {
        // The error that stopped it is the one to tell.
        drop(enclosure::remove(&temporary));
    }
    written.and_then(|()| enclosure::folder(folder)?.sync_all())
}
