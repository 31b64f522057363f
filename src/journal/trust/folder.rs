//! The folder of the user's state, and files in it that nobody else could have written.

use std::io;
use std::path::{Path, PathBuf};

use crate::config::environment;
use crate::journal::{derived_file, enclosure};
use crate::store::evidence::{own_file, own_folder};

/// The bytes of a file; none where it, or the folder, is anything but this user's own.
pub(super) fn read(name: &str, bytes_max: u64) -> Option<Vec<u8>> {
    let folder = environment::state_folder()?;
    let path = folder.join(name);
    // Whatever is wrong with either, nothing was allowed.
    own_folder(&folder).and_then(|()| own_file(&path)).ok()?; // as the line above says
    derived_file::read(&path, bytes_max)
}

/// Whether anything of that name is there.
pub(super) fn has(name: &str) -> bool {
    let path = environment::state_folder().map(|folder| folder.join(name));
    path.is_some_and(|path| std::fs::symlink_metadata(path).is_ok())
}

/// Where a file of this name is to be written; its folder is there then, and the user's own.
///
/// # Errors
/// Where there is no such folder and none can be made, or it is somebody else's.
pub(super) fn place(name: &str) -> io::Result<PathBuf> {
    let folder = environment::state_folder().ok_or_else(|| {
        io::Error::new(io::ErrorKind::NotFound, "there is no home folder: set HOME")
    })?;
    make(&folder)?;
    Ok(folder.join(name))
}

fn make(folder: &Path) -> io::Result<()> {
    enclosure::make_folders(folder)?;
    own_folder(folder)
}

/// Takes a file away; whether there was one.
///
/// # Errors
/// Where it stays.
pub(super) fn remove(name: &str) -> io::Result<bool> {
    let Some(folder) = environment::state_folder() else { return Ok(false) };
    match enclosure::remove(&folder.join(name)) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}
