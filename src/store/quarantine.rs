//! Where files go that are not to be trusted and not to be lost.

use std::fs;
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use super::StoreError;

/// Numbers tried for a free name before giving up.
const NAMES_MAX: u32 = 100_000;

/// Moves a file into the quarantine folder under a name nobody has; `None` where it is not there.
pub(super) fn quarantine(file: &Path, folder: &Path) -> Result<Option<PathBuf>, StoreError> {
    let failed = |source| StoreError::io(file, "moving it to quarantine", source);
    match fs::symlink_metadata(file) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(failed(error)),
        Ok(_) => {}
    }
    make_folder(folder)?;
    let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    for number in 1..=NAMES_MAX {
        let kept = folder.join(format!("{name}.{number}"));
        // A link never replaces: two processes cannot choose the same name.
        match fs::hard_link(file, &kept) {
            Ok(()) => {
                fs::remove_file(file).map_err(failed)?;
                return Ok(Some(kept));
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            // No links here (another file system, a folder): a rename, where the name is free.
            Err(_) if fs::symlink_metadata(&kept).is_err() => {
                fs::rename(file, &kept).map_err(failed)?;
                return Ok(Some(kept));
            }
            Err(_) => {}
        }
    }
    Err(failed(io::Error::from(io::ErrorKind::AlreadyExists)))
}

fn make_folder(folder: &Path) -> Result<(), StoreError> {
    fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(folder)
        .map_err(|source| StoreError::io(folder, "making the quarantine folder", source))
}
