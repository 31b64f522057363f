//! What a file that is written whole is: what it is to be, what we left, or somebody else's.

use std::collections::BTreeMap;
use std::io::{self, Read};

use rustix::fs::FileType;

use super::sidecar::Whole;
use super::{FILE_BYTES_MAX, WantedFile};
use crate::store::dir::Dir;

/// What a folder is called that lies in a file's place.
pub(super) const FOLDER: &str = "a folder";

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
    file: &WantedFile<'_>,
    known: Option<&Whole>,
    wanted: &str,
) -> io::Result<Judged> {
    let Some(dir) = dir else { return Ok(Judged::Missing) };
    let name = file.name;
    let inode = match of_its_own(dir, name)? {
        None => return Ok(Judged::Missing),
        Some(Err(what)) => return Ok(Judged::NoFile(what)),
        Some(Ok(inode)) => inode,
    };
    let Some(found) = dir.read(name)? else { return Ok(Judged::Missing) };
    let mut hash = blake3::Hasher::new();
    io::copy(&mut found.take(FILE_BYTES_MAX + 1), &mut hash)?;
    let hash = hash.finalize().to_hex().to_string();
    if hash == wanted {
        return Ok(Judged::Wanted { inode });
    }
    let is_ours =
        known.is_some_and(|known| known.hash == hash || known.before.as_ref() == Some(&hash));
    if is_ours {
        return Ok(Judged::Ours { hash });
    }
    let same = says_the_same(dir, file, known)?;
    Ok(same.map_or(Judged::Edited, |hash| Judged::Ours { hash }))
}

/// The blake3 of a file that says what we left, or what is to be there, in another form.
fn says_the_same(
    dir: &Dir,
    file: &WantedFile<'_>,
    known: Option<&Whole>,
) -> io::Result<Option<String>> {
    let Some(parts_of) = &file.parts_of else { return Ok(None) };
    let Some(found) = dir.read(file.name)? else { return Ok(None) };
    let mut bytes = Vec::new();
    found.take(FILE_BYTES_MAX).read_to_end(&mut bytes)?;
    let Some(parts) = parts_of(&bytes) else { return Ok(None) };
    let found: BTreeMap<String, String> = parts.into_iter().collect();
    let now: BTreeMap<String, String> = file.parts.iter().cloned().collect();
    let left = known.map(|known| &known.parts);
    // Part by part it is what was left there, or what the rows say by now.
    let names = found.keys().chain(now.keys()).chain(left.into_iter().flat_map(BTreeMap::keys));
    let is_same = names.into_iter().all(|name| {
        let is = found.get(name);
        is == left.and_then(|left| left.get(name)) || is == now.get(name)
    });
    Ok(is_same.then(|| hash_of(&bytes)))
}

/// The number of a regular file that has no other name, or what lies there instead.
pub(super) fn of_its_own(dir: &Dir, name: &str) -> io::Result<Option<Result<u64, &'static str>>> {
    Ok(dir.named(name)?.map(|named| match named.kind {
        FileType::RegularFile if named.links > 1 => Err("a file that has another name too"),
        FileType::RegularFile => Ok(named.inode),
        FileType::Symlink => Err("a symbolic link"),
        FileType::Directory => Err(FOLDER),
        _ => Err("no regular file"),
    }))
}

/// blake3 of a file's bytes, hexadecimal.
pub(super) fn hash_of(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex().to_string()
}
