//! Whose a project's folder is.

use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use crate::journal::FOLDER;
pub use crate::journal::enclosure::owners;

/// What of a project belongs to somebody else, and the number of that user: its `.annals`, or the folder
/// that this lies in.
///
/// # Errors
/// Where it cannot be looked at.
pub fn foreign_owner(root: &Path) -> io::Result<Option<(PathBuf, u32)>> {
    let owners = owners();
    for path in [root.to_owned(), root.join(FOLDER)] {
        // Of a link, whose it is and not what it leads to; the folder itself may be reached by one.
        let about =
            match if path == root { fs::metadata(&path) } else { fs::symlink_metadata(&path) } {
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                about => about?,
            };
        if !owners.contains(&about.uid()) {
            return Ok(Some((path, about.uid())));
        }
    }
    Ok(None)
}
