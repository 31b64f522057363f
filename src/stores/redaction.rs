//! What follows a redaction of the journal: everything else that annals wrote of what is gone.
//!
//! A value is not looked for here: whoever carries out the rest of an order after a death knows none. What is made
//! from the journal is made anew, and what was set aside, or is only kept to be quick, goes.

use std::io;
use std::path::{Path, PathBuf};

use super::STORES;
use crate::journal::enclosure;
use crate::journal::redaction::{self, RedactionError, Report};
use crate::journal::{HookLog, Project};
use crate::repo::files::{REPO_MEMORY, scrub_repos};
use crate::store::catch_up::Due;
use crate::store::evidence::Cache;
use crate::store::rebuild::{RebuildMode, Site, rebuild, take_away};
use crate::store::{JournalFeed, Keep, StoreName, StorePlaces};

/// What became of everything that was ordered.
#[derive(Debug, Default)]
pub struct Redacted {
    /// In the journal itself.
    pub journal: Report,
    /// What was removed or made anew elsewhere.
    pub cleaned: Vec<Cleaned>,
    /// What could not be done: as long as anything is here, the redaction is unfinished.
    pub left: Vec<Left>,
    /// What is not to be changed from here.
    pub kept: Vec<Left>,
}

/// A store, a file or a folder that does not hold what is gone any more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cleaned {
    /// What it is, in a word: `store`, `cache`, `quarantine`.
    pub what: &'static str,
    pub path: PathBuf,
}

/// What may still hold what is gone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Left {
    pub path: PathBuf,
    pub why: String,
}

impl Redacted {
    pub fn is_finished(&self) -> bool {
        self.left.is_empty()
    }

    /// All that may still hold what is gone.
    pub fn may_hold(&self) -> Vec<Left> {
        let why = "an archive's copy, which is not removed from here: delete it there";
        let copies = self.journal.kept_copies.iter();
        let copies = copies.map(|it| Left { path: it.clone(), why: why.to_owned() });
        self.left.iter().chain(&self.kept).cloned().chain(copies).collect()
    }
}

/// Below `.annals`: what is kept to be quick, or was set aside. All in it goes.
const FOLDERS: [(&str, &str); 4] = [
    ("quarantine", "quarantine"),
    ("packs", "packs"),
    ("inferred", "what was inferred"),
    ("debug-exports", "exports"),
];
const SESSIONS: &str = "sessions";
/// Of the sessions' files those that say how far a transcript was read, and hold nothing of it.
const READ_MARK: &str = "read";

/// Carries out what a project's journal orders and is not done yet, to the end: frames, blobs, stores, caches, what
/// was set aside. Twice is once.
///
/// # Errors
/// Where the journal itself could not be dealt with; what could not be done behind it is told.
pub fn finish(project: &Project, cache: &Cache) -> Result<Redacted, RedactionError> {
    let journal = redaction::carry_out(project)?;
    let copies = journal.copies.iter().map(|it| Cleaned { what: "archive", path: it.clone() });
    let cleaned = copies.collect();
    let mut done = Redacted { journal, cleaned, ..Redacted::default() };
    let places = super::places(project.root());
    // Made anew with the stores, of what there is to tell by then.
    done.remove("anomalies", &places.errors);
    // It names blobs, which are called by digests of what they held.
    done.remove("what was looked at", &project.annals_dir().join("look.json"));
    HookLog::forget_faults(&project.annals_dir());
    done.rebuild(project, &places);
    done.publish(project);
    for (folder, what) in FOLDERS {
        done.empty(what, &project.annals_dir().join(folder), |_| true);
    }
    let is_no_mark = |name: &Path| name.extension().is_none_or(|it| it != READ_MARK);
    done.empty(SESSIONS, &project.sessions_dir(), is_no_mark);
    cache.forget_look(&project.journal_dir());
    let id = project.journal()?.id();
    for path in cache.forget(&id) {
        let why = "somebody reads it, or builds in it".to_owned();
        done.left.push(Left { path, why });
    }
    if done.is_finished() {
        redaction::end(project, &done.journal.orders)?;
    }
    Ok(done)
}

impl Redacted {
    /// The index first: the others are made with it.
    fn rebuild(&mut self, project: &Project, places: &StorePlaces) {
        for store in STORES.stores.iter().copied() {
            let path = places.path(store).to_owned();
            match anew(project, places, store) {
                Ok(false) => {}
                Ok(true) => self.cleaned.push(Cleaned { what: "store", path }),
                Err(why) => self.left.push(Left { path, why }),
            }
        }
    }

    fn publish(&mut self, project: &Project) {
        let done = match scrub_repos(project) {
            Ok(done) => done,
            Err(error) => {
                let (path, why) = (PathBuf::from(REPO_MEMORY), super::repair::with_sources(&error));
                return self.left.push(Left { path, why });
            }
        };
        let cleaned = done.cleaned.into_iter();
        self.cleaned.extend(cleaned.map(|path| Cleaned { what: REPO_MEMORY, path }));
        for (path, error) in done.failed {
            self.left.push(Left { path, why: super::repair::with_sources(&error) });
        }
        self.kept.extend(done.kept.into_iter().map(|(path, why)| Left { path, why }));
    }

    fn remove(&mut self, what: &'static str, path: &Path) {
        match enclosure::remove_whole(path) {
            Ok(()) => self.cleaned.push(Cleaned { what, path: path.to_owned() }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => self.left.push(Left { path: path.to_owned(), why: error.to_string() }),
        }
    }

    /// Removes what is in a folder, by its names.
    fn empty(&mut self, what: &'static str, folder: &Path, goes: impl Fn(&Path) -> bool) {
        match enclosure::names(folder) {
            Ok(names) => {
                for (name, _) in names.iter().filter(|(name, _)| goes(Path::new(name))) {
                    self.remove(what, &folder.join(name));
                }
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => self.left.push(Left { path: folder.to_owned(), why: error.to_string() }),
        }
    }
}

/// Makes a store anew; whether there was one.
fn anew(project: &Project, places: &StorePlaces, store: StoreName) -> Result<bool, String> {
    let told = |error: &dyn std::error::Error| super::repair::with_sources(error);
    let was_there = places.has(store).map_err(|it| told(&it))?;
    // Whoever asks one that is made on demand makes it; one that nothing is left for is not made.
    let is_made = !store.is_on_demand()
        && (store.shared().is_some()
            || Due::of(store, places).map_err(|it| told(&it))? != Due::Nothing);
    if !is_made {
        Site::clear_left(places, store).map_err(|it| told(&it))?;
        if was_there {
            take_away(store, places, Keep::Replaced).map_err(|it| told(&it))?;
            // Whoever makes it again finds none that was changed.
            crate::store::stamp::remove(places.path(store)).map_err(|it| told(&it))?;
        }
        return Ok(was_there);
    }
    let feed = JournalFeed::of(project).map_err(|it| told(&it))?;
    let report = rebuild(places, &feed, &[store], RebuildMode::Replace).map_err(|it| told(&it))?;
    if let Some(error) = report.failed {
        return Err(told(&error));
    }
    match store.shared() {
        Some(shared) if was_there => {
            shared.scrub(places.path(store)).map_err(|it| told(&it))?;
        }
        Some(_) => {}
        None => Site::clear_left(places, store).map_err(|it| told(&it))?,
    }
    Ok(was_there)
}
