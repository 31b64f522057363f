//! Looks for secrets in what lies on a disk, and says where they are; nothing of what they say.

mod fields;
mod stream;
mod values;

use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use rustix::fs::OFlags;

use crate::journal::is_bundle;

pub use fields::{FieldText, texts};
pub use stream::scan_stream;
pub use values::{cover_values, scan_values};

// Every file below a path, in the order of names. No link is followed and nothing but regular files
// is opened: a device would answer, a FIFO would make us wait.

const SEGMENT: &str = "seg";

pub struct Tree {
    /// What is still to be looked at, the next one last, and how deep it lies.
    ahead: Vec<(PathBuf, usize)>,
    /// Found beside what was just given.
    found: Option<Entry>,
}

impl Tree {
    /// What `path` names: a file, or all below a folder. Where the path itself is a link, what it
    /// leads to is meant.
    pub fn of(path: &Path) -> io::Result<Self> {
        let about = fs::metadata(path)?;
        if !about.is_file() && !about.is_dir() {
            return Err(neither());
        }
        if about.is_dir() {
            let mut tree = Self { ahead: Vec::new(), found: None };
            tree.list(path, 0);
            return Ok(tree);
        }
        // Named by a link, it is opened by what that leads to.
        let real = fs::canonicalize(path)?;
        let found = match is_packed(&real) {
            true => Entry::Journal { path: path.to_owned() },
            false => Entry::File { path: path.to_owned(), file: open(&real)? },
        };
        Ok(Self { ahead: Vec::new(), found: Some(found) })
    }

    fn list(&mut self, folder: &Path, depth: usize) {
        let unreadable = |source| Some(Entry::Unreadable { path: folder.to_owned(), source });
        let names = fs::read_dir(folder).and_then(|entries| {
            entries.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()
        });
        let mut paths = match names {
            Ok(_) if depth > DEPTH_MAX => {
                self.found = unreadable(io::Error::other("too many folders within each other"));
                return;
            }
            Ok(paths) => paths,
            Err(source) => {
                self.found = unreadable(source);
                return;
            }
        };
        paths.sort_unstable_by(|a, b| b.cmp(a));
        let all = paths.len();
        paths.retain(|path| !is_segment(path));
        if paths.len() < all {
            self.found = Some(Entry::Journal { path: folder.to_owned() });
        }
        self.ahead.extend(paths.into_iter().map(|path| (path, depth + 1)));
    }

    fn entry(&mut self, path: PathBuf, depth: usize) -> Option<Entry> {
        let about = match fs::symlink_metadata(&path) {
            Ok(about) => about,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return None,
            Err(source) => return Some(Entry::Unreadable { path, source }),
        };
        if about.is_dir() {
            self.list(&path, depth);
            return self.found.take();
        }
        if !about.is_file() {
            return None;
        }
        if is_packed(&path) {
            return Some(Entry::Journal { path });
        }
        match open(&path) {
            Ok(file) => Some(Entry::File { path, file }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(source) => Some(Entry::Unreadable { path, source }),
        }
    }
}

impl Iterator for Tree {
    type Item = Entry;

    fn next(&mut self) -> Option<Entry> {
        if let Some(found) = self.found.take() {
            return Some(found);
        }
        loop {
            let (path, depth) = self.ahead.pop()?;
            if let Some(entry) = self.entry(path, depth) {
                return Some(entry);
            }
        }
    }
}

fn is_segment(path: &Path) -> bool {
    path.extension().is_some_and(|it| it == SEGMENT)
        && fs::symlink_metadata(path).is_ok_and(|about| about.is_file())
}

fn is_packed(path: &Path) -> bool {
    is_segment(path) || is_bundle(path)
}

/// Opens a regular file and nothing else, whatever took its name since it was looked at.
pub fn open(path: &Path) -> io::Result<File> {
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC | OFlags::NOCTTY;
    let flags = i32::try_from(flags.bits()).map_err(io::Error::other)?;
    let file = OpenOptions::new().read(true).custom_flags(flags).open(path)?;
    match file.metadata()?.is_file() {
        true => Ok(file),
        false => Err(neither()),
    }
}

fn neither() -> io::Error {
    io::Error::other("it is neither a file nor a folder, and nothing else is opened")
}

#[derive(Debug)]
pub enum Entry {
    File {
        path: PathBuf,
        file: File,
    },
    /// A journal's folder, a segment alone or a bundle: what is in there is packed.
    Journal {
        path: PathBuf,
    },
    /// What could not be opened or listed.
    Unreadable {
        path: PathBuf,
        source: io::Error,
    },
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hit {
    pub rule: String,
    /// Its first byte, from 0.
    pub offset: u64,
    pub bytes: u64,
    pub line: u64,
    /// Its first byte in the line, from 1.
    pub column: u64,
}

// How much of a stream is looked at at a time. In tests a sixteenth, so that a stream has many edges.

const SHARE: usize = if cfg!(test) { 16 } else { 1 };

/// New bytes of one look.
pub const BLOCK_BYTES: usize = (1 << 20) / SHARE;
/// The end of a look that the next one judges, in which a secret may go on: longer ones (a private
/// key's 16 KiB, a service account's file) are cut where this ends.
pub const AHEAD_BYTES: usize = (64 << 10) / SHARE;
/// What the next look sees again of what stood before: the name that tells a secret.
pub const BEHIND_BYTES: usize = (4 << 10) / SHARE;
/// Folders within folders.
pub const DEPTH_MAX: usize = 512;

const _: () = assert!(AHEAD_BYTES < BLOCK_BYTES && BEHIND_BYTES < AHEAD_BYTES);

#[cfg(test)]
mod tests;
