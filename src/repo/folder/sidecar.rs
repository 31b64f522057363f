//! `.cursor.json`: how far a repository's files go, what they are to be and what they were; and what a
//! file that is written whole is by it.

use std::collections::BTreeMap;
use std::io::{self, Read};

use rustix::fs::FileType;
use serde::{Deserialize, Serialize};

use super::lines::Reached;
use super::{FILE_BYTES_MAX, WantedFile, new, stage};
use crate::store::dir::Dir;
use crate::store::fuse;

pub(super) const NAME: &str = ".cursor.json";
const BYTES_MAX: u64 = 16 << 20;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Sidecar {
    /// Whose they are, hexadecimal.
    pub journal: String,
    /// The last event that is in them.
    pub sequence: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<Whole>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub summaries: Option<Lines>,
    /// By the file's name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub indexes: BTreeMap<String, Whole>,
}

/// A file that is written whole.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Whole {
    /// blake3 of it, hexadecimal.
    pub hash: String,
    /// What it was before, should its writer have died.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
    /// Its number in the file system: known before it has its name.
    pub inode: u64,
    /// How long it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
    /// The last event that is in it.
    pub sequence: u64,
    /// What it is made of, by name, each with its digest.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub parts: BTreeMap<String, String>,
}

/// A file that is appended to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Lines {
    pub now: Reached,
    /// How it ended before, should its writer have died.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<Reached>,
}

impl Sidecar {
    /// Reads it; `None` where there is none, or none that can be read as one.
    pub fn read(dir: &Dir) -> io::Result<Option<Self>> {
        let file = match dir.read(NAME) {
            Ok(Some(file)) => file,
            Ok(None) => return Ok(None),
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => return Err(error),
            // Something else has its name: the next one is renamed over it.
            Err(_) => return Ok(None),
        };
        let mut bytes = Vec::new();
        file.take(BYTES_MAX).read_to_end(&mut bytes)?;
        Ok(serde_json::from_slice(&bytes).ok()) // as said
    }

    /// Puts it in the place of the one before, durable.
    pub fn write(&self, dir: &Dir) -> io::Result<()> {
        let mut bytes = serde_json::to_vec(self)?;
        bytes.push(b'\n');
        stage(dir, NAME, |file| fuse::write(file, &bytes))?;
        dir.rename(&new(NAME), dir, NAME)
    }
}

/// What a folder is called that lies in a file's place.
pub(super) const FOLDER: &str = "a folder";

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
    Edited,
    /// No file of its own.
    NoFile(&'static str),
}

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
