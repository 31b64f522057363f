//! Files that nothing can make again: whole and on the disk, or not there.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::Path;

use super::DebugError;
use crate::command::id;

/// Puts bytes in place of a file that only its owner reads. Its folder is made where it is missing.
///
/// # Errors
/// Where it cannot be written; what was there is there then.
pub(super) fn write(path: &Path, bytes: &[u8]) -> Result<(), DebugError> {
    let failed = |source| DebugError::File { path: path.to_owned(), did: "written", source };
    replace(path, bytes).map_err(failed)
}

fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    let number: String = id::entropy().iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    let temporary = folder.join(format!(".new-{number}"));
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&temporary)?;
    let written = file.write_all(bytes).and_then(|()| file.sync_all());
    let written = written.and_then(|()| fs::rename(&temporary, path));
    if written.is_err() {
        // The error that stopped it is the one to tell.
        drop(fs::remove_file(&temporary));
    }
    written.and_then(|()| File::open(folder)?.sync_all())
}
