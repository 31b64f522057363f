//! What a file that is written whole is: what it is to be, what we left, or somebody else's.

use std::io::{self, Read};

use rustix::fs::FileType;

use super::FILE_BYTES_MAX;
use super::sidecar::Whole;
use crate::store::dir::Dir;

/// What lies under a file's name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Judged {
    Missing,
    /// What is to be there.
    Wanted {
        inode: u64,
    },
    /// What we left, or meant to: by its blake3.
    Ours {
        hash: String,
    },
    /// Somebody edited it.
    Edited,
    /// No file of its own.
    NoFile(&'static str),
}

/// Says what lies under a file's name.
pub(super) fn judge(
    dir: Option<&Dir>,
    name: &str,
    known: Option<&Whole>,
    wanted: &str,
) -> io::Result<Judged> {
    let Some(dir) = dir else { return Ok(Judged::Missing) };
    let inode = match of_its_own(dir, name)? {
        None => return Ok(Judged::Missing),
        Some(Err(what)) => return Ok(Judged::NoFile(what)),
        Some(Ok(inode)) => inode,
    };
    let Some(file) = dir.read(name)? else { return Ok(Judged::Missing) };
    let mut hash = blake3::Hasher::new();
    io::copy(&mut file.take(FILE_BYTES_MAX + 1), &mut hash)?;
    let hash = hash.finalize().to_hex().to_string();
    if hash == wanted {
        return Ok(Judged::Wanted { inode });
    }
    let is_ours =
        known.is_some_and(|known| known.hash == hash || known.before.as_ref() == Some(&hash));
    Ok(if is_ours { Judged::Ours { hash } } else { Judged::Edited })
}

/// The number of a regular file that has no other name, or what lies there instead.
pub(super) fn of_its_own(dir: &Dir, name: &str) -> io::Result<Option<Result<u64, &'static str>>> {
    Ok(dir.named(name)?.map(|named| match named.kind {
        FileType::RegularFile if named.links > 1 => Err("a file that has another name too"),
        FileType::RegularFile => Ok(named.inode),
        FileType::Symlink => Err("a symbolic link"),
        FileType::Directory => Err("a folder"),
        _ => Err("no regular file"),
    }))
}

/// blake3 of a file's bytes, hexadecimal.
pub(super) fn hash_of(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex().to_string()
}
