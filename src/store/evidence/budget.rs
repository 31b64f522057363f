//! A bound on what a journal that somebody handed over may cost in the cache: a few megabytes can be made
//! to tell of gigabytes.

use std::fs::Metadata;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::{fs, io};

use super::entry::Entry;
use crate::event::{Content, Recorded, Sequence};
use crate::journal::Mark;
use crate::store::feed::{ChainAt, Step, Steps};
use crate::store::{Feed, FeedError};

/// What stores may come to however small the journal, and for each of its bytes.
const BYTES_MIN: u64 = 128 << 20;
const BYTES_PER_BYTE: u64 = 32;
/// So many steps, or bytes of content, are fed between two looks at the folder.
const STEPS: u64 = 256;
const CONTENT_BYTES: u64 = 8 << 20;

/// A feed that ends with an error once the stores made of it are too large.
pub(super) struct Budget<'f> {
    feed: &'f dyn Feed,
    folder: PathBuf,
    pub bytes_max: u64,
    steps: AtomicU64,
    content_bytes: AtomicU64,
    is_over: AtomicBool,
}

/// Why the feed ended.
#[derive(Debug, thiserror::Error)]
#[error("the stores made of it come to more than {bytes_max} bytes")]
struct OverBudget {
    bytes_max: u64,
}

impl<'f> Budget<'f> {
    /// For stores in `folder`, made of a journal of so many bytes.
    pub fn of(feed: &'f dyn Feed, folder: &Path, journal_bytes: u64) -> Self {
        let bytes_max = BYTES_MIN.saturating_add(journal_bytes.saturating_mul(BYTES_PER_BYTE));
        let (steps, content_bytes) = (AtomicU64::new(0), AtomicU64::new(0));
        let (folder, is_over) = (folder.to_owned(), AtomicBool::new(false));
        Self { feed, folder, bytes_max, steps, content_bytes, is_over }
    }

    pub fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Relaxed)
    }

    fn look(&self) -> Result<(), FeedError> {
        let due = self.steps.fetch_add(1, Ordering::Relaxed).is_multiple_of(STEPS)
            || self.content_bytes.load(Ordering::Relaxed) > CONTENT_BYTES;
        if due {
            self.content_bytes.store(0, Ordering::Relaxed);
            // What cannot be measured now can be the next time.
            let bytes = Entry::about(&self.folder).map_or(0, |(_, bytes)| bytes);
            if bytes > self.bytes_max {
                self.is_over.store(true, Ordering::Relaxed);
            }
        }
        match self.is_over() {
            true => {
                let source = Box::new(OverBudget { bytes_max: self.bytes_max });
                Err(FeedError { source })
            }
            false => Ok(()),
        }
    }
}

impl Feed for Budget<'_> {
    fn journal(&self) -> [u8; 16] {
        self.feed.journal()
    }

    fn through(&self) -> Mark {
        self.feed.through()
    }

    fn begins_after(&self) -> Sequence {
        self.feed.begins_after()
    }

    fn reopened(&self) -> Result<Box<dyn Feed + '_>, FeedError> {
        Ok(Box::new(self))
    }

    fn replay(&self, after: Sequence, through: Sequence) -> Result<Steps<'_>, FeedError> {
        let steps = self.feed.replay(after, through)?;
        Ok(Box::new(steps.map(|step: Result<Step, FeedError>| self.look().and(step))))
    }

    fn get(&self, at: Sequence) -> Result<Option<Recorded>, FeedError> {
        self.feed.get(at)
    }

    fn chain_at(&self, at: Sequence) -> Result<ChainAt, FeedError> {
        self.feed.chain_at(at)
    }

    fn content(&self, content: &Content) -> Option<Content> {
        let found = self.feed.content(content);
        if let Some(Content::Inline(bytes)) = &found {
            self.content_bytes.fetch_add(bytes.len() as u64, Ordering::Relaxed);
        }
        found
    }
}

/// A digest of which files were read, as far as the file system tells: two copies of one journal
/// may end alike and be damaged differently.
///
/// `whole`: of every file. Else, for a journal that is written to, of the segments before the last
/// that `through` needs.
pub(super) fn fingerprint(journal: &Path, through: Sequence, whole: bool) -> io::Result<[u8; 32]> {
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
pub(super) fn journal_bytes(journal: &Path) -> u64 {
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
    let listed = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        listed => listed?,
    };
    let mut names = Vec::new();
    for entry in listed {
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
