//! A project: where its journal, its stores and its settings lie, and its journal opened once.

mod folders;
mod git;
pub(crate) mod home;
mod init;
mod lost;
mod withheld;
pub(crate) mod worktree;

#[cfg(test)]
mod tests;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

use super::enclosure::{Kind, OpenHow};
use super::trust::{Settings, seen};
use super::{
    Around, Journal, JournalError, JournalOptions, JournalReader, Reading, Recovery, enclosure, id,
    trust,
};
use crate::config::{Config, Durability};
use crate::event::RecordedLoss;
use crate::journal;

pub use init::{InitOptions, InitReport};
pub(crate) use lost::is_there;
pub use lost::{LostJournal, ProjectError};
pub use withheld::Known as KnownSecrets;
use withheld::Secrets;

pub const FOLDER: &str = ".annals";

pub struct Project {
    root: PathBuf,
    /// Where it is worked on: its root, or that in a linked working tree.
    tree: PathBuf,
    settings: Settings,
    around: Around,
    is_believed: OnceLock<bool>,
    secrets: Secrets,
    journal: OnceLock<Journal>,
    opening: Mutex<()>,
    /// Losses that were put on record here, not told yet.
    losses: Mutex<Vec<RecordedLoss>>,
    /// How long the journal's lock is waited for; `None`: as long as anyone does.
    lock_wait_ms: Option<u64>,
}

impl Project {
    /// Makes `root` a project, or completes what an interrupted `init` left. Twice is harmless.
    pub(crate) fn init_around(
        root: &Path,
        options: &InitOptions,
        around: Around,
    ) -> Result<(Self, InitReport), ProjectError> {
        init::init(root, options, around)
    }

    /// Opens the project whose root, or whose `.annals` folder, this is; of a linked working tree that is none
    /// itself the main one's.
    pub(crate) fn open_around(folder: &Path, around: Around) -> Result<Self, ProjectError> {
        let root = match folder.file_name() {
            Some(name) if name == FOLDER => folder.parent().unwrap_or(folder),
            _ => folder,
        };
        let journal = root.join(FOLDER).join("journal");
        if let Some(lost) = LostJournal::of(root, around) {
            must_be_own(root)?;
            return Err(lost.into());
        }
        let failed =
            |source| ProjectError::Folder { path: journal.clone(), did: "looked at", source };
        if !lost::is_there(&journal).map_err(failed)? {
            return match worktree::main_root(root) {
                Some(main) => Ok(Self::open_around(&main, around)?.worked_in(root)),
                None => Err(ProjectError::NotFound { at: folder.to_owned() }),
            };
        }
        must_be_own(root)?;
        if let Err(source) = segments_are_files(&journal)
            && enclosure::is_in_the_way(&source)
        {
            return Err(ProjectError::Folder { path: journal, did: "opened", source });
        }
        Ok(Self::at(root, Settings::of(root), around))
    }

    /// Opens the nearest project at or above a folder, or of a linked working tree the main one's.
    pub(crate) fn find_around(start: &Path, around: Around) -> Result<Self, ProjectError> {
        let start = enclosure::real(start).map_err(|source| ProjectError::Folder {
            path: start.to_owned(),
            did: "found",
            source,
        })?;
        let root = worktree::root(&start);
        let root = root.ok_or_else(|| ProjectError::NotFound { at: start.clone() })?;
        Ok(Self::open_around(&root, around)?.worked_in(&start))
    }

    fn at(root: &Path, settings: Settings, around: Around) -> Self {
        let root = root.to_owned();
        Self {
            tree: root.clone(),
            root,
            settings,
            around,
            is_believed: OnceLock::new(),
            secrets: Secrets::default(),
            journal: OnceLock::new(),
            opening: Mutex::new(()),
            losses: Mutex::default(),
            lock_wait_ms: None,
        }
    }

    /// Waits no longer than this for the journal's lock, each time, milliseconds.
    pub fn waiting(self, lock_wait_ms: u64) -> Self {
        Self { lock_wait_ms: Some(lock_wait_ms), ..self }
    }

    /// Worked on in the linked working tree that a folder lies in; as it is where it lies in none.
    #[must_use]
    pub fn worked_in(self, folder: impl AsRef<Path>) -> Self {
        let tree = worktree::tree(&self.root, folder.as_ref());
        Self { tree: tree.unwrap_or(self.tree), ..self }
    }

    /// What can be asked of what lies around its journal.
    pub(crate) fn around(&self) -> Around {
        self.around
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Where it is worked on: its root, or what that is in a linked working tree of the same repository.
    pub fn tree(&self) -> &Path {
        &self.tree
    }

    pub fn config(&self) -> &Config {
        &self.settings.config
    }

    /// Holds that what is done by the settings is done by those that the user wrote.
    pub fn must_act_by_settings(&self) -> Result<(), ProjectError> {
        Ok(self.settings.must_be_whole()?)
    }

    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The journal, open for appending; opened when first asked for. What had to be mended at its
    /// tail is recorded as events before it is given.
    pub fn journal(&self) -> Result<&Journal, ProjectError> {
        self.opened(false)
    }

    /// As [`Self::journal`]; where it is not open yet, all of the space behind its last commit is read, so
    /// that nothing is left there that verifying finds.
    pub(crate) fn mended_journal(&self) -> Result<&Journal, ProjectError> {
        self.opened(true)
    }

    fn opened(&self, is_thorough: bool) -> Result<&Journal, ProjectError> {
        if let Some(journal) = self.journal.get() {
            return Ok(journal);
        }
        let _opening = self.opening.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(journal) = self.journal.get() {
            return Ok(journal);
        }
        let folder = self.journal_dir();
        let contradiction = seen::contradiction(&folder, Reading::Live);
        let mut options = self.journal_options(is_thorough);
        options.lock_wait_ms_max = self.lock_wait_ms.unwrap_or(options.lock_wait_ms_max);
        // Numbers that were seen are nobody else's.
        options.testimony.see(contradiction.as_ref().map(|it| &it.seen.at));
        let (journal, recoveries) = Journal::open(&folder, &id::entropy(), options)?;
        trust::meet(&self.root, &journal.id());
        self.note_losses(home::record(&journal, &folder, &recoveries)?);
        match &contradiction {
            Some(found) => home::tell(&journal, &folder, found)?,
            None => journal.keep_seen(),
        }
        Ok(self.journal.get_or_init(|| journal))
    }

    fn journal_options(&self, is_thorough: bool) -> JournalOptions {
        let testimony = self.around.testimony(&self.root, is_thorough);
        JournalOptions { is_thorough, testimony, ..journal_options(self.config()) }
    }

    /// What opening the journal for writing would mend and record, in the order it would be; nothing is
    /// changed. `aside` is an empty folder of the caller's own.
    pub(crate) fn rehearsed(&self, aside: &Path) -> Result<Vec<Recovery>, JournalError> {
        let folder = self.journal_dir();
        let options = self.journal_options(true);
        let found = journal::rehearse(&folder, aside, &id::entropy(), options)?;
        Ok(home::untold(&folder, &found))
    }

    /// Keeps files of the root out of git, by patterns of gitignore(5) relative to it, without
    /// touching a file that git tracks. Gives git's file where it added anything.
    pub fn keep_out_of_git(&self, patterns: &[&str]) -> std::io::Result<Option<PathBuf>> {
        git::keep_out(&self.root, patterns)
    }

    /// Whether the journal was made here. Of one that was not – a copy, a project that moved – a
    /// question changes nothing: no tail is mended and no execution closed, until somebody records
    /// or repairs.
    pub fn is_at_home(&self) -> bool {
        home::is_of(&self.root, &self.journal_dir())
    }

    /// Holds that what the journal remembers may be given to an agent (ruling 19): this user began it, or
    /// allowed it.
    pub fn must_be_believed(&self) -> Result<(), ProjectError> {
        match self.is_believed() {
            true => Ok(()),
            false => Err(ProjectError::Unbelieved { root: self.root.clone() }),
        }
    }

    /// Holds that the journal contains what was seen of it: nothing is built over stores by one that does not.
    pub fn must_contain_seen(&self) -> Result<(), ProjectError> {
        let found = seen::contradiction(&self.journal_dir(), Reading::Live);
        found.map_or(Ok(()), |found| {
            Err(ProjectError::Contradicted { root: self.root.clone(), found: Box::new(found) })
        })
    }

    pub(crate) fn is_believed(&self) -> bool {
        *self.is_believed.get_or_init(|| trust::origin(&self.root).is_believed())
    }

    /// Makes what the journal holds durable (R8), without opening it for writing.
    pub(crate) fn flush(&self) -> Result<(), ProjectError> {
        let path = self.journal_dir();
        home::flush(&path).map_err(|source| ProjectError::Folder { path, did: "flushed", source })
    }

    /// Records what the journal's writer had to mend while it ran.
    pub(crate) fn note_recoveries(&self) -> Result<(), ProjectError> {
        let journal = self.journal()?;
        let recoveries = journal.take_recoveries();
        self.note_losses(home::record(journal, &self.journal_dir(), &recoveries)?);
        Ok(())
    }

    fn note_losses(&self, losses: Vec<RecordedLoss>) {
        self.losses.lock().unwrap_or_else(PoisonError::into_inner).extend(losses);
    }

    /// The losses that were put on record since this was asked last.
    pub(crate) fn take_losses(&self) -> Vec<RecordedLoss> {
        std::mem::take(&mut *self.losses.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// The journal, open for reading: takes no part in writing and changes nothing.
    pub fn reader(&self) -> Result<JournalReader, JournalError> {
        JournalReader::open(&self.journal_dir())
    }
}

/// Holds that what has a segment's name is a file, reached through no link: a reader would take
/// anything else for a segment that is missing, and a writer would begin again in its place.
fn segments_are_files(journal: &Path) -> io::Result<()> {
    for (name, kind) in enclosure::names(journal)? {
        let path = journal.join(name);
        if kind != Kind::File && path.extension().is_some_and(|it| it == "seg") {
            enclosure::open(&path, OpenHow::Read)?;
        }
    }
    Ok(())
}

/// Holds that a project is nobody else's: what lies there is not for this user to follow or to fill.
fn must_be_own(root: &Path) -> Result<(), ProjectError> {
    let looked = trust::foreign_owner(root);
    let failed = |source| ProjectError::Folder { path: root.to_owned(), did: "looked at", source };
    match looked.map_err(failed)? {
        Some((path, owner)) => Err(ProjectError::Foreign { path, owner }),
        None => Ok(()),
    }
}

fn journal_options(config: &Config) -> JournalOptions {
    let durability = match config.journal.durability {
        Durability::Buffered => journal::Durability::Buffered,
        Durability::Group => journal::Durability::Group,
        Durability::Strict => journal::Durability::Strict,
    };
    JournalOptions { durability, ..JournalOptions::default() }
}
