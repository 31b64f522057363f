//! Whether what lies in the cache is the user's own: what anybody else could have written is not
//! believed.

use std::fs::{self, Metadata};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// What others may do with a folder: look into it at most.
const FOLDER_MASK: u32 = 0o022;
/// What others may do with a file: nothing.
const FILE_MASK: u32 = 0o077;

/// Fails unless this is a file of the user's that nobody else can read or write.
pub(crate) fn own_file(path: &Path) -> io::Result<()> {
    let about = fs::symlink_metadata(path)?;
    own(&about, about.is_file(), FILE_MASK)
}

/// Fails unless this is a folder of the user's in which nobody else can write.
pub(crate) fn own_folder(path: &Path) -> io::Result<()> {
    let about = fs::symlink_metadata(path)?;
    own(&about, about.is_dir(), FOLDER_MASK)
}

/// Fails unless that holds of a folder and of every folder below, and all else in them are regular
/// files that are the user's alone: also what SQLite reads beside a store.
pub(super) fn own_throughout(root: &Path) -> io::Result<()> {
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        own_folder(&folder)?;
        for entry in fs::read_dir(&folder)? {
            let path = entry?.path();
            match fs::symlink_metadata(&path) {
                Ok(about) if about.is_dir() => folders.push(path),
                Ok(about) => own(&about, about.is_file(), FILE_MASK)?,
                // Another reader put its `-wal` away.
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
        }
    }
    Ok(())
}

fn own(about: &Metadata, is_kind: bool, others: u32) -> io::Result<()> {
    let is_mine = about.uid() == rustix::process::geteuid().as_raw();
    match is_kind && is_mine && about.mode() & others == 0 {
        true => Ok(()),
        false => Err(io::ErrorKind::PermissionDenied.into()),
    }
}
