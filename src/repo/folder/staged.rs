//! A file that is written beside its place.

use std::io;
use std::os::unix::fs::MetadataExt;

use crate::store::dir::Dir;
use crate::store::fuse;

/// A file that was written beside its place, and goes there.
pub(super) struct Staged<'a> {
    pub dir: &'a Dir,
    pub name: &'static str,
}

/// Writes a file beside its place, durable; its number in the file system. What a dead writer left there
/// is taken away.
pub(super) fn stage(
    dir: &Dir,
    name: &str,
    write: impl FnOnce(&mut std::fs::File) -> io::Result<()>,
) -> io::Result<u64> {
    let new = new(name);
    dir.remove(&new)?;
    let mut file = dir.create(&new)?;
    write(&mut file)?;
    fuse::sync(&file)?;
    Ok(file.metadata()?.ino())
}

/// What a file is called until it is in its place.
pub(super) fn new(name: &str) -> String {
    format!(".{name}.new")
}
