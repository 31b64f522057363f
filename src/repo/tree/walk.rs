//! Walks a tree: every file that git would show but hidden ones, what changed since the last time
//! read anew.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read as _};
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use ignore::{DirEntry, WalkBuilder, WalkState};
use rustix::fs::{CWD, Mode, OFlags, openat};

use super::cache::Known;
use super::outline::{Language, outline};
use super::{
    DEPTH_MAX, FILE_BYTES_MAX, FILES_MAX, Fact, Key, PATH_BYTES_MAX, Reading, Stamp,
    TEXT_SAMPLE_BYTES, TreeMapError, key,
};
use crate::journal::FOLDER;
use crate::redact::Redactor;

/// Files of ours in a project's root, and SQLite's beside them: they come and go as we are asked.
const STORES: [&str; 2] = ["execution_log.db", "codegraph.db"];
/// More threads wait for the disk, not for a core.
const THREADS_MAX: usize = 8;

pub struct Walk<'a> {
    pub top: &'a Path,
    /// What is known from the last time.
    pub known: &'a Known,
    /// Names of what is defined are kept without secrets.
    pub redactor: &'a Redactor,
    pub scan_ms: u64,
}

impl Walk<'_> {
    /// Every file, by path, and what was read of them.
    pub fn run(&self) -> Result<(Vec<Fact>, Read), TreeMapError> {
        let failed = |source| TreeMapError::Top { path: self.top.to_owned(), source };
        let top = Top::open(self.top).map_err(failed)?;
        let threads = std::thread::available_parallelism().map_or(1, |count| count.get());
        let mut builder = WalkBuilder::new(self.top);
        builder.follow_links(false).require_git(false).git_global(false).parents(false);
        // What other programs are to pass over is none of git's business.
        builder.ignore(false);
        builder.max_depth(Some(DEPTH_MAX)).threads(threads.min(THREADS_MAX));
        builder.filter_entry(|entry| !is_ours(entry.file_name()));
        let (all, seen) = (Mutex::new(Vec::new()), AtomicUsize::new(0));
        builder.build_parallel().run(|| {
            let mut own = Batch { facts: Vec::new(), read: Read::default(), all: &all };
            let (top, seen) = (&top, &seen);
            Box::new(move |entry| {
                // A folder that cannot be read has no files to show.
                let Ok(entry) = entry else { return WalkState::Continue };
                if !entry.file_type().is_some_and(|kind| kind.is_file()) {
                    return WalkState::Continue;
                }
                if seen.fetch_add(1, Ordering::Relaxed) >= FILES_MAX {
                    return WalkState::Quit;
                }
                own.facts.extend(self.fact(top, &entry, &mut own.read));
                WalkState::Continue
            })
        });
        if seen.into_inner() > FILES_MAX {
            return Err(TreeMapError::Endless { path: self.top.to_owned(), files_max: FILES_MAX });
        }
        let batches = all.into_inner().unwrap_or_else(PoisonError::into_inner);
        let sum = |of: fn(&Read) -> u64| batches.iter().map(|(_, read)| of(read)).sum();
        let read = Read { files: sum(|it| it.files), fresh: sum(|it| it.fresh) };
        let mut facts: Vec<Fact> = batches.into_iter().flat_map(|(facts, _)| facts).collect();
        facts.sort_unstable_by(|a, b| (&a.path, a.key).cmp(&(&b.path, b.key)));
        Ok((facts, read))
    }

    fn fact(&self, top: &Top, entry: &DirEntry, read: &mut Read) -> Option<Fact> {
        let path = entry.path().strip_prefix(self.top).ok()?; // the walk began there
        let bytes = path.as_os_str().as_bytes();
        let key = key(bytes);
        let language = entry.file_name().to_str().and_then(Language::of);
        let reading = match language {
            Some(language) if language.is_outlined() && bytes.len() <= PATH_BYTES_MAX => {
                self.reading(top, entry, (path, &key), language, read)
            }
            _ => Reading::Passed,
        };
        let path = String::from_utf8_lossy(bytes).into_owned();
        Some(Fact { path, key, language, reading })
    }

    fn reading(
        &self,
        top: &Top,
        entry: &DirEntry,
        (path, key): (&Path, &Key),
        language: &Language,
        read: &mut Read,
    ) -> Reading {
        let Ok(about) = entry.metadata() else { return Reading::Refused };
        let stamp = Stamp::of(&about);
        if stamp.size > FILE_BYTES_MAX {
            return Reading::Refused;
        }
        if !stamp.is_racy(self.scan_ms)
            && let Some(outline) = self.known.find(key, &stamp)
        {
            return Reading::Read { stamp, outline, racy: false };
        }
        let (stamp, outline) = match top.read(path) {
            Found::Text(stamp, text) => (stamp, Some(self.outline(language, &text))),
            Found::Binary(stamp) => (stamp, None),
            Found::Refused => return Reading::Refused,
        };
        let racy = stamp.is_racy(self.scan_ms);
        read.files += 1;
        read.fresh += u64::from(!racy);
        Reading::Read { stamp, outline, racy }
    }

    fn outline(&self, language: &Language, text: &str) -> super::Outline {
        let mut outline = outline(language, text);
        if outline.definitions.is_empty() {
            return outline;
        }
        // One look at all of them: most hold no secret.
        let all = outline.definitions.join("\n");
        if self.redactor.redact_text(&all) != all {
            for name in &mut outline.definitions {
                *name = self.redactor.redact_text(name);
            }
        }
        outline
    }
}

/// How many files were read, and not only looked at.
#[derive(Clone, Copy, Debug, Default)]
pub struct Read {
    pub files: u64,
    /// Those of them that are worth remembering.
    pub fresh: u64,
}

/// What one thread found; given to all when the thread ends.
struct Batch<'a> {
    facts: Vec<Fact>,
    read: Read,
    all: &'a Mutex<Vec<(Vec<Fact>, Read)>>,
}

impl Drop for Batch<'_> {
    fn drop(&mut self) {
        let found = (std::mem::take(&mut self.facts), self.read);
        self.all.lock().unwrap_or_else(PoisonError::into_inner).push(found);
    }
}

fn is_ours(name: &OsStr) -> bool {
    let begins = |store: &&str| name.as_bytes().starts_with(store.as_bytes());
    name == FOLDER || name == ".git" || STORES.iter().any(begins)
}

/// Nothing is waited for, should it have become a FIFO since it was listed.
const FILE_FLAGS: OFlags = OFlags::RDONLY
    .union(OFlags::NOFOLLOW)
    .union(OFlags::NONBLOCK)
    .union(OFlags::NOCTTY)
    .union(OFlags::CLOEXEC);

/// The top folder of a tree, held: what is read is read below it.
#[derive(Debug)]
pub struct Top(OwnedFd);

/// A file as it was read.
pub enum Found {
    /// With how it stood before.
    Text(Stamp, String),
    /// It holds zeros, or is no UTF-8: not what people write.
    Binary(Stamp),
    /// It is larger than is read, no file, or gone.
    Refused,
}

impl Top {
    pub fn open(path: &Path) -> io::Result<Self> {
        let flags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);
        Ok(Self(openat(CWD, path, flags, Mode::empty())?))
    }

    /// A file below it; `path` is relative to it.
    pub fn read(&self, path: &Path) -> Found {
        // What cannot be read is counted, whyever it cannot.
        self.open_below(path).and_then(whole).unwrap_or(Found::Refused)
    }

    /// Where a folder on the way was exchanged for a link, nothing is opened.
    #[cfg(target_os = "linux")]
    fn open_below(&self, path: &Path) -> io::Result<File> {
        use rustix::fs::{ResolveFlags, openat2};
        use rustix::io::Errno;
        let inside = ResolveFlags::BENEATH.union(ResolveFlags::NO_SYMLINKS);
        match openat2(&self.0, path, FILE_FLAGS, Mode::empty(), inside) {
            // A kernel before 5.6, or a sandbox that does not know the call.
            Err(Errno::NOSYS | Errno::PERM) => {
                Ok(openat(&self.0, path, FILE_FLAGS, Mode::empty())?.into())
            }
            opened => Ok(opened?.into()),
        }
    }

    #[cfg(not(target_os = "linux"))]
    fn open_below(&self, path: &Path) -> io::Result<File> {
        Ok(openat(&self.0, path, FILE_FLAGS, Mode::empty())?.into())
    }
}

fn whole(file: File) -> io::Result<Found> {
    let about = file.metadata()?;
    if !about.is_file() || about.len() > FILE_BYTES_MAX {
        return Ok(Found::Refused);
    }
    let stamp = Stamp::of(&about);
    let mut bytes = Vec::with_capacity(usize::try_from(about.len()).unwrap_or_default() + 1);
    file.take(FILE_BYTES_MAX + 1).read_to_end(&mut bytes)?;
    let sample = &bytes[..bytes.len().min(TEXT_SAMPLE_BYTES)];
    if sample.contains(&0) || bytes.len() as u64 > FILE_BYTES_MAX {
        return Ok(Found::Binary(stamp));
    }
    Ok(match String::from_utf8(bytes) {
        Ok(text) => Found::Text(stamp, text),
        // An older encoding: its words are ASCII all the same.
        Err(error) => Found::Text(stamp, String::from_utf8_lossy(error.as_bytes()).into_owned()),
    })
}
