//! A folder of files as it is read: how far it goes, and what is in it. Changes nothing.

use std::collections::BTreeMap;
use std::ffi::CString;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use rustix::fs::FileType;

use super::state::{State, is_own};
use super::undo::{self, Before};
use super::{FilePlace, opened, sorted};
use crate::event::Ordered;
use crate::store::dir::{Dir, Entry};
use crate::store::lock::StoreLock;
use crate::store::{Cursor, Digest, Rows, StoreError};

/// Folders in folders that are looked into: ours are six deep.
const DEPTH_MAX: usize = 16;
const BLOCK_BYTES: usize = 64 << 10;

pub(crate) enum Lying {
    /// A file, and how many bytes of it count.
    File(File, u64),
    /// A link, a pipe: of nobody's making here.
    Other,
}

type TakeLying<'t> = dyn FnMut(&[u8], Lying) -> io::Result<()> + 't;

/// A folder of files, open for reading; nobody writes in it meanwhile.
#[derive(Debug)]
pub struct FolderReader {
    path: PathBuf,
    dir: Dir,
    state: State,
    /// What a dead writer touched is read as it was before.
    undone: BTreeMap<FilePlace, Before>,
    _lock: Option<StoreLock>,
}

impl FolderReader {
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let dir = opened(path)?;
        let lock = StoreLock::reading(path)?;
        drop(dir);
        Self::held(path, lock)
    }

    /// Opens one that lies in somebody's copy: nothing beside it is made.
    pub fn open_still(path: &Path) -> Result<Self, StoreError> {
        Self::held(path, None)
    }

    fn held(path: &Path, lock: Option<StoreLock>) -> Result<Self, StoreError> {
        let dir = opened(path)?;
        let read = State::read(&dir).and_then(|state| Ok((undo::pending(&dir, &state)?, state)));
        let (undone, state) = read.map_err(|error| sorted(path, error))?;
        Ok(Self { path: path.to_owned(), dir, state, undone, _lock: lock })
    }

    /// Nobody writes in it while this is open: all of it is of one moment.
    pub(crate) fn moment(&self) -> Result<(), StoreError> {
        Ok(())
    }

    pub fn cursor(&self) -> Result<Option<Cursor>, StoreError> {
        Ok(self.state.cursor)
    }

    /// Whether the files touched last are as they were left; nothing is counted.
    pub fn found_rows(&self) -> Result<Rows, StoreError> {
        let as_left = self.state.files_as_left(&self.dir, |place| self.undone.contains_key(place));
        as_left.map_err(|error| sorted(&self.path, error))?;
        Ok(Rows::default())
    }

    /// blake3 of every file's path and bytes, in order of paths; the cursor is not part of it.
    pub fn digest(&self) -> Result<(Option<Cursor>, Digest), StoreError> {
        let mut hash = blake3::Hasher::new_derive_key("annals folder content v1");
        self.each(&mut |path, lying| match lying {
            Lying::File(file, bytes_max) => bytes(&file, bytes_max, path, &mut hash),
            // That it is there is told, not what it says.
            Lying::Other => {
                head(&mut hash, b'?', path, 0);
                Ok(())
            }
        })?;
        Ok((self.state.cursor, Digest(*hash.finalize().as_bytes())))
    }

    /// Gives everything that lies in it, but for what says how far it goes.
    pub(crate) fn each(&self, take: &mut TakeLying<'_>) -> Result<(), StoreError> {
        let top = self.dir.child(".").and_then(|dir| match dir {
            Some(dir) => self.folder(&dir, &mut Vec::new(), take),
            None => Ok(()),
        });
        top.map_err(|error| sorted(&self.path, error))
    }

    pub(crate) fn file(&self, place: &FilePlace) -> Result<Option<File>, StoreError> {
        place.file_in(&self.dir).map_err(|error| sorted(&self.path, error))
    }

    fn folder(&self, dir: &Dir, above: &mut Vec<u8>, take: &mut TakeLying<'_>) -> io::Result<()> {
        if above.iter().filter(|byte| **byte == b'/').count() > DEPTH_MAX {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "folders too deep to be ours"));
        }
        let is_top = above.is_empty();
        for entry in &self.with_taken(dir.entries()?, above)? {
            if is_top && is_own(entry.name.to_bytes()) {
                continue;
            }
            let length = above.len();
            above.extend(entry.name.to_bytes());
            match entry.kind {
                FileType::Directory => {
                    above.push(b'/');
                    if let Some(child) = dir.child(&*entry.name)? {
                        self.folder(&child, above, take)?;
                    }
                }
                FileType::RegularFile => {
                    if let Some((file, bytes_max)) = self.counting(dir, entry, above)? {
                        take(above, Lying::File(file, bytes_max))?;
                    }
                }
                _ => take(above, Lying::Other)?,
            }
            above.truncate(length);
        }
        Ok(())
    }

    /// What lies in a folder, and what a dead writer took away from it.
    fn with_taken(&self, mut entries: Vec<Entry>, folder: &[u8]) -> io::Result<Vec<Entry>> {
        for (place, before) in &self.undone {
            let Before::Kept(kept) = before else { continue };
            let path = place.to_string();
            let Some(name) = path.as_bytes().strip_prefix(folder) else { continue };
            let is_here = !name.contains(&b'/')
                && entries.iter().all(|entry| entry.name.to_bytes() != name)
                && self.dir.has(kept)?;
            if is_here && let Ok(name) = CString::new(name) {
                entries.push(Entry { name, kind: FileType::RegularFile });
            }
        }
        entries.order_by(|one, other| one.name.cmp(&other.name));
        Ok(entries)
    }

    /// A file, and how many bytes of it count; `None` where it counts as not there.
    fn counting(&self, dir: &Dir, entry: &Entry, path: &[u8]) -> io::Result<Option<(File, u64)>> {
        let place = std::str::from_utf8(path).ok().and_then(FilePlace::parse); // not ours then
        Ok(match place.and_then(|place| self.undone.get(&place)) {
            None => dir.read(&*entry.name)?.map(|file| (file, u64::MAX)),
            Some(Before::Absent) => None,
            Some(Before::Bytes(bytes)) => dir.read(&*entry.name)?.map(|file| (file, *bytes)),
            Some(Before::Kept(kept)) => match self.dir.read(kept.as_str())? {
                Some(file) => Some((file, u64::MAX)),
                None => dir.read(&*entry.name)?.map(|file| (file, u64::MAX)),
            },
        })
    }
}

fn bytes(file: &File, bytes_max: u64, path: &[u8], hash: &mut blake3::Hasher) -> io::Result<()> {
    let length = file.metadata()?.len().min(bytes_max);
    head(hash, b'f', path, length);
    let mut rest = file.take(length);
    let mut block = vec![0; BLOCK_BYTES];
    loop {
        match rest.read(&mut block)? {
            0 => return Ok(()),
            read => hash.update(&block[..read]),
        };
    }
}

/// Lengths go before contents: no two different folders run together.
fn head(hash: &mut blake3::Hasher, kind: u8, path: &[u8], length: u64) {
    hash.update(&[kind]).update(&(path.len() as u64).to_le_bytes()).update(path);
    hash.update(&length.to_le_bytes());
}
