//! Walks a tree: every file that git would show but hidden ones, what changed since the last time
//! read anew.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use ignore::{DirEntry, WalkBuilder, WalkState};

use super::cache::Known;
use super::language::Language;
use super::outline::outline;
use super::read::{Found, Top};
use super::{
    DEPTH_MAX, FILE_BYTES_MAX, FILES_MAX, Fact, Key, PATH_BYTES_MAX, Reading, Stamp, TreeMapError,
    key,
};
use crate::journal::FOLDER;
use crate::redact::Redactor;

/// Files of ours in a project's root, and SQLite's beside them: they come and go as we are asked.
const STORES: [&str; 2] = ["execution_log.db", "codegraph.db"];
/// More threads wait for the disk, not for a core.
const THREADS_MAX: usize = 8;

/// One walk.
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
        let io = |source| TreeMapError::Top { path: self.top.to_owned(), source };
        let top = Top::open(self.top).map_err(io)?;
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
