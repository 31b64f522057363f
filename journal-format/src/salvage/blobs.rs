//! Blobs that are what their names say.

use std::io;
use std::path::Path;

use crate::storage::{OpenHow, Storage, StorageFile, read_full, write_full};

const BLOBS_NAME: &str = "blobs";
const STRIDE_BYTES: usize = 1 << 20;

/// Copies blobs whose bytes hash to their name (64 hex digits of blake3); returns how many, and
/// the names of those left behind.
pub fn copy_blobs<S: Storage>(
    storage: &S,
    from: &Path,
    to: &Path,
) -> io::Result<(u64, Vec<String>)> {
    let Ok(mut names) = storage.list(&from.join(BLOBS_NAME)) else { return Ok((0, vec![])) };
    names.retain(|name| name.len() == 64 && name.bytes().all(|it| it.is_ascii_hexdigit()));
    names.sort_unstable();
    let (mut copied, mut damaged) = (0, Vec::new());
    let (from, to) = (from.join(BLOBS_NAME), to.join(BLOBS_NAME));
    if !names.is_empty() {
        storage.create_folder(&to)?;
    }
    for name in names {
        // A blob that cannot be read is as lost as one that is damaged.
        if hash_of(storage, &from.join(&name)).is_ok_and(|hash| hash == name) {
            copy(storage, &from.join(&name), &to.join(&name))?;
            copied += 1;
        } else {
            damaged.push(name);
        }
    }
    if copied > 0 {
        storage.sync_folder(&to)?;
    }
    Ok((copied, damaged))
}

fn hash_of<S: Storage>(storage: &S, path: &Path) -> io::Result<String> {
    let file = storage.open(path, OpenHow::Read)?;
    let (mut hasher, mut at) = (blake3::Hasher::new(), 0);
    let mut buffer = vec![0; STRIDE_BYTES];
    loop {
        let read = read_full(&file, &mut buffer, at)?;
        if read == 0 {
            return Ok(hasher.finalize().to_hex().to_string());
        }
        hasher.update(&buffer[..read]);
        at += read as u64;
    }
}

fn copy<S: Storage>(storage: &S, from: &Path, to: &Path) -> io::Result<()> {
    let source = storage.open(from, OpenHow::Read)?;
    let target = storage.open(to, OpenHow::CreateNew)?;
    let mut buffer = vec![0; STRIDE_BYTES];
    let mut at = 0;
    loop {
        let read = read_full(&source, &mut buffer, at)?;
        if read == 0 {
            return target.sync_data();
        }
        write_full(&target, &buffer[..read], at)?;
        at += read as u64;
    }
}
