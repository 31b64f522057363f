//! Which files of a journal were read, and how large it is.

use std::fs::Metadata;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::{fs, io};

use crate::event::Sequence;
use crate::store::dir::if_there;

/// A digest of which files were read, as far as the file system tells: two copies of one journal
/// may end alike and be damaged differently.
///
/// `whole`: of every file. Else, for a journal that is written to, of the segments before the last
/// that `through` needs.
pub(super) fn of(journal: &Path, through: Sequence, whole: bool) -> io::Result<[u8; 32]> {
    let mut hash = blake3::Hasher::new_derive_key("annals source v1");
    let about = fs::metadata(journal)?;
    if about.is_file() {
        file(&mut hash, journal, &about);
        if let Some(folder) = journal.parent() {
            blobs(&mut hash, folder)?;
        }
        return Ok(*hash.finalize().as_bytes());
    }
    let mut segments = names(journal, ".seg")?;
    if !whole {
        segments.pop();
        segments.retain(|name| first(name).is_none_or(|first| first <= through.0));
    }
    for name in segments {
        let path = journal.join(name);
        file(&mut hash, &path, &fs::metadata(&path)?);
    }
    if whole {
        blobs(&mut hash, journal)?;
    }
    Ok(*hash.finalize().as_bytes())
}

/// The bytes of a journal: its file, or its segments and blobs.
pub(super) fn bytes(journal: &Path) -> u64 {
    // What cannot be listed cannot be read either.
    let all = |folder: &Path, end| names(folder, end).unwrap_or_default();
    let size = |path: &Path| fs::symlink_metadata(path).map_or(0, |about| about.len());
    if journal.is_file() {
        return size(journal);
    }
    let segments: u64 = all(journal, ".seg").iter().map(|name| size(&journal.join(name))).sum();
    let folder = journal.join("blobs");
    segments + all(&folder, "").iter().map(|name| size(&folder.join(name))).sum::<u64>()
}

fn blobs(hash: &mut blake3::Hasher, journal: &Path) -> io::Result<()> {
    let folder = journal.join("blobs");
    for name in names(&folder, "")? {
        let path = folder.join(name);
        if let Ok(about) = fs::symlink_metadata(&path) {
            file(hash, &path, &about);
        }
    }
    Ok(())
}

fn file(hash: &mut blake3::Hasher, path: &Path, about: &Metadata) {
    let name = path.file_name().unwrap_or_default().as_encoded_bytes();
    hash.update(&(name.len() as u64).to_le_bytes()).update(name);
    for number in [about.len(), about.dev(), about.ino()] {
        hash.update(&number.to_le_bytes());
    }
    // Setting a file's time back changes the other one.
    for number in [about.mtime(), about.mtime_nsec(), about.ctime(), about.ctime_nsec()] {
        hash.update(&number.to_le_bytes());
    }
}

/// The names in a folder that end so, sorted; none where there is no such folder.
fn names(folder: &Path, end: &str) -> io::Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in if_there(fs::read_dir(folder))?.into_iter().flatten() {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if name.ends_with(end) {
            names.push(name);
        }
    }
    names.sort_unstable();
    Ok(names)
}

fn first(name: &str) -> Option<u64> {
    name.strip_suffix(".seg")?.split_once('-')?.1.parse().ok()
}
