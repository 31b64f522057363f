//! The map of a repository's tree: what lies where, in which languages, and what files define.
//!
//! A tree is walked as git sees it but for hidden files, by descriptor and through no link. What a file defined when it was
//! last read is remembered, so that a walk reads only what changed; what is remembered is believed only
//! where the file stands as it did.

mod build;
mod cache;
mod languages;
mod outline;
mod walk;

#[cfg(test)]
mod tests;

use std::fs::Metadata;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use crate::redact::Redactor;
use crate::repo::map::RepoMap;
use cache::Known;
use outline::{Language, Outline};
use walk::Walk;

pub use build::symbols;

/// Part of the cache's key: another way to read files believes nothing of this one.
const OUTLINES: &[u8] = b"annals outlines 1";

#[derive(Clone, Copy)]
pub struct Tree<'a> {
    pub top: &'a Path,
    /// What is remembered between two scans; `None`: nothing.
    pub cache: Option<&'a Path>,
    /// What else decides how files are read, the rules of redaction among it: what was remembered
    /// under another one is forgotten.
    pub of: &'a [u8],
    pub redactor: &'a Redactor,
    /// Now, Unix milliseconds.
    pub scan_ms: u64,
}

#[derive(Debug)]
pub struct Scanned {
    pub map: RepoMap,
    /// Files that were read: all the others stood as they did the last time.
    pub read: u64,
    /// Why what was found could not be remembered; the next scan takes as long.
    pub forgotten: Option<std::io::Error>,
}

pub fn scan(tree: &Tree<'_>) -> Result<Scanned, TreeMapError> {
    let mut of = blake3::Hasher::new_derive_key("annals tree map 1");
    of.update(OUTLINES).update(tree.of);
    let of = *of.finalize().as_bytes();
    let known = tree.cache.map(|path| Known::load(path, &of)).unwrap_or_default();
    let walk =
        Walk { top: tree.top, known: &known, redactor: tree.redactor, scan_ms: tree.scan_ms };
    let (facts, read) = walk.run()?;
    let forgotten = match tree.cache {
        Some(path) if !known.is_same(&facts, read.fresh) => cache::keep(path, &of, &facts).err(),
        _ => None,
    };
    Ok(Scanned { map: build::build(&facts, tree.redactor), read: read.files, forgotten })
}

/// Bytes of one in the cache.
pub const STAMP_BYTES: usize = 32;

/// How a file stood when it was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp {
    pub size: u64,
    /// Unix nanoseconds.
    pub changed_ns: i64,
    /// When anything of it changed last, its times included: nobody can set this one back.
    pub status_ns: i64,
    pub inode: u64,
}

impl Stamp {
    pub fn of(about: &Metadata) -> Self {
        let ns = |seconds: i64, ns: i64| seconds.saturating_mul(1_000_000_000).saturating_add(ns);
        Self {
            size: about.len(),
            changed_ns: ns(about.mtime(), about.mtime_nsec()),
            status_ns: ns(about.ctime(), about.ctime_nsec()),
            inode: about.ino(),
        }
    }

    /// Whether it changed so shortly before the scan that its times may not tell what is written to
    /// it afterwards; or after, by a clock that is ahead.
    pub fn is_racy(&self, scan_ms: u64) -> bool {
        let settled_ms = i64::try_from(scan_ms.saturating_sub(RACY_MS)).unwrap_or(i64::MAX);
        self.changed_ns.max(self.status_ns) >= settled_ms.saturating_mul(1_000_000)
    }

    pub fn to_bytes(self) -> [u8; STAMP_BYTES] {
        let Self { size, changed_ns, status_ns, inode } = self;
        let words = [size, changed_ns.cast_unsigned(), status_ns.cast_unsigned(), inode];
        let mut bytes = [0; STAMP_BYTES];
        bytes.as_chunks_mut().0.copy_from_slice(&words.map(u64::to_le_bytes));
        bytes
    }

    pub fn from_bytes(bytes: &[u8; STAMP_BYTES]) -> Self {
        let word = |at: usize| u64::from_le_bytes(bytes.as_chunks().0[at]);
        Self {
            size: word(0),
            changed_ns: word(1).cast_signed(),
            status_ns: word(2).cast_signed(),
            inode: word(3),
        }
    }
}

#[derive(Debug)]
pub struct Fact {
    /// From the top, with `/`; what is no UTF-8 in it is made so.
    pub path: String,
    /// By which the cache knows it: of its bytes, whatever they are.
    pub key: Key,
    pub language: Option<&'static Language>,
    pub reading: Reading,
}

/// A path in the cache: the beginning of its blake3. Paths themselves are not kept there.
pub type Key = [u8; 16];

#[derive(Debug)]
pub enum Reading {
    /// Nothing is looked for in such a file.
    Passed,
    /// It was read, now or before; `None` is no text, or none that can be read.
    Read { stamp: Stamp, outline: Option<Outline>, racy: bool },
    /// Too large, or not to be opened.
    Refused,
}

impl Fact {
    pub fn outline(&self) -> Option<&Outline> {
        match &self.reading {
            Reading::Read { outline, .. } => outline.as_ref(),
            Reading::Passed | Reading::Refused => None,
        }
    }

    /// Whether it should have been read, and was not to be.
    pub fn is_unread(&self) -> bool {
        matches!(&self.reading, Reading::Refused | Reading::Read { outline: None, .. })
    }
}

pub fn key(path: &[u8]) -> Key {
    let mut key = Key::default();
    key.copy_from_slice(&blake3::hash(path).as_bytes()[..16]);
    key
}

/// A larger file is only counted, bytes.
pub const FILE_BYTES_MAX: u64 = 1 << 20;
/// Of a file this much is looked at to tell whether it is text, bytes.
pub const TEXT_SAMPLE_BYTES: usize = 8 << 10;
/// A longer line defines nothing: it was made by a program, bytes.
pub const LINE_BYTES_MAX: usize = 400;
/// Of one file, as it is kept between two scans.
pub const DEFINITIONS_MAX: usize = 64;
/// Of one file, as a map tells it.
pub const TOLD_DEFINITIONS_MAX: usize = 16;
/// A name is cut here, characters.
pub const NAME_CHARS_MAX: usize = 80;
/// What lies under a longer path is only counted, bytes.
pub const PATH_BYTES_MAX: usize = 512;
/// A tree of more is refused.
pub const FILES_MAX: usize = 2_000_000;
/// Folders within folders that are gone into.
pub const DEPTH_MAX: usize = 128;
/// Of an index as it is stored, bytes of JSON.
pub const INDEX_BYTES_MAX: usize = 64 << 10;
/// Of that, folders get at most this.
pub const FOLDERS_BYTES_MAX: usize = 16 << 10;
/// Languages told of a folder.
pub const LANGUAGES_MAX: usize = 4;
/// Entry points that are told before the files that define most.
pub const ENTRIES_MAX: usize = 24;
/// What is remembered between two scans, bytes; of a larger file nothing is believed.
pub const CACHE_BYTES_MAX: u64 = 512 << 20;
/// A file that changed this shortly before the scan is read again at the next: its time may not tell
/// what it is written with afterwards. Milliseconds.
pub const RACY_MS: u64 = 2_000;

const _: () = {
    assert!(FOLDERS_BYTES_MAX < INDEX_BYTES_MAX);
    assert!(TOLD_DEFINITIONS_MAX <= DEFINITIONS_MAX);
    assert!(TOLD_DEFINITIONS_MAX * NAME_CHARS_MAX * 4 < INDEX_BYTES_MAX);
};

#[derive(Debug, thiserror::Error)]
pub enum TreeMapError {
    #[error("the repository's folder {} could not be read", path.display())]
    Top { path: PathBuf, source: io::Error },
    #[error(
        "{} holds more than {files_max} files that no .gitignore names: name there what is no part \
         of the repository",
        path.display()
    )]
    Endless { path: PathBuf, files_max: usize },
}
