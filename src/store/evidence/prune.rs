//! Keeping the cache small: what was used last stays.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use super::cache::BUILDING;
use super::entry::Entry;

/// Folders of stores that are kept.
pub(super) const ENTRIES_MAX: usize = 24;
/// Their bytes, the one just built not counted.
const BYTES_MAX: u64 = 4 << 30;

/// Looks that are remembered.
const LOOKS_MAX: usize = 256;

/// Makes room for one more look: the oldest go.
pub(super) fn prune_looks(folder: &Path) {
    // As below.
    let Ok(listed) = fs::read_dir(folder) else { return };
    let about = |entry: fs::DirEntry| Some((entry.metadata().ok()?.mtime(), entry.path()));
    let mut looks: Vec<_> = listed.flatten().filter_map(about).collect();
    looks.sort_unstable();
    for (_, path) in looks.iter().rev().skip(LOOKS_MAX - 1) {
        drop(fs::remove_file(path)); // it can be made again
    }
}

/// Clears away what was not used for longest, above the limits, and what dead builders left; never
/// `new`, and nothing that somebody reads.
pub(super) fn prune(folder: &Path, new: &Path) {
    // What cannot be listed or removed now may be so for the next.
    let Ok(listed) = fs::read_dir(folder) else { return };
    let mut entries: Vec<(i64, u64, PathBuf)> = Vec::new();
    for path in listed.flatten().map(|entry| entry.path()).filter(|path| path != new) {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
        if name.is_some_and(|name| name.starts_with(BUILDING)) {
            drop(Entry::clear(&path)); // held: somebody builds there
        } else if let Ok((used, bytes)) = Entry::about(&path) {
            entries.push((used, bytes, path));
        }
    }
    entries.sort_by(|one, other| other.cmp(one));
    let mut sum = 0_u64;
    for (at, (_, bytes, path)) in entries.iter().enumerate() {
        sum = sum.saturating_add(*bytes);
        if at + 1 >= ENTRIES_MAX || sum > BYTES_MAX {
            drop(Entry::clear(path)); // held: somebody reads it
        }
    }
}
