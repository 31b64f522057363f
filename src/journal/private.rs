//! Files and folders that are the user's alone.

use std::fs::Metadata;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::{fs, io};

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

fn own(about: &Metadata, is_kind: bool, others: u32) -> io::Result<()> {
    let is_mine = about.uid() == rustix::process::geteuid().as_raw();
    match is_kind && is_mine && about.mode() & others == 0 {
        true => Ok(()),
        false => Err(io::ErrorKind::PermissionDenied.into()),
    }
}
