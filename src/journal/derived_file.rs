//! Files that can be made again from what they are derived from: replaced whole or not at all, never
//! synced, and believed only by what they say of themselves.

use std::io::{self, Write};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use crate::journal::enclosure::OpenHow;
use crate::journal::{enclosure, id};

/// A file's bytes; none where there is no such file, it is larger, or is anybody else's.
pub(crate) fn read(path: &Path, bytes_max: u64) -> Option<Vec<u8>> {
    // Whatever is wrong with it, it can be made again.
    let file = enclosure::open(path, OpenHow::Read).ok()?;
    let about = file.metadata().ok()?;
    let ours = about.uid() == rustix::process::geteuid().as_raw() && about.nlink() == 1;
    if !ours || about.len() > bytes_max {
        return None;
    }
    // What cannot be read is made anew.
    enclosure::contents(&file, bytes_max).ok()
}

/// Puts bytes in place of a file. Its folder is made where it is missing; the one above is not.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    enclosure::make_folder(folder)?;
    let number: String = id::entropy().iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    let temporary = folder.join(format!("{NEW}{number}"));
    let mut file = enclosure::open(&temporary, OpenHow::CreateNew)?;
    let written = file.write_all(bytes).and_then(|()| enclosure::rename(&temporary, path));
    if written.is_err() {
        // The error that stopped it is the one to tell.
        drop(enclosure::remove(&temporary));
    }
    written
}

pub(crate) const NEW: &str = ".new-";
