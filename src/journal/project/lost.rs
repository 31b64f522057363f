//! A journal that is gone, though something that was made from it is there.

use std::io;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::FOLDER;
use crate::config::ConfigError;
use crate::fault::{Class, Fault, Remedy, Sorted};
use crate::journal::enclosure::Kind;
use crate::journal::trust::seen::Contradiction;
use crate::journal::{Around, InTheWay, JournalError, enclosure};

/// A project whose journal is gone: its folder, or every segment in it.
#[derive(Debug, thiserror::Error)]
#[error(
    "the journal of {} is lost: {} was made from it. To go on, in that folder",
    root.display(),
    found.display()
)]
pub struct LostJournal {
    pub root: PathBuf,
    /// Something that only a journal can have brought forth.
    pub found: PathBuf,
}

impl Fault for LostJournal {
    fn sorted(&self) -> Sorted {
        Class::Damaged.with(Remedy::BeginAnew)
    }
}

impl LostJournal {
    /// `None` where a segment is left, or nothing says that there was one.
    pub fn of(root: &Path, around: Around) -> Option<Self> {
        let annals = root.join(FOLDER);
        if !enclosure::is_folder(&annals) || !is_gone(&annals.join("journal")) {
            return None;
        }
        let is_there = |path: &PathBuf| enclosure::look(path).is_ok();
        let store = around.brought_forth(root);
        let other = || ["look.json", "quarantine"].map(|name| annals.join(name));
        let found = store.or_else(|| other().into_iter().find(is_there))?;
        let found = found.strip_prefix(root).unwrap_or(&found).to_owned();
        Some(Self { root: root.to_owned(), found })
    }
}

impl LostJournal {
    /// Gives what lies in the place of its folder, and is none, a name beside.
    pub(super) fn make_room(&self) -> Result<(), ProjectError> {
        let path = self.root.join(FOLDER).join("journal");
        let Some(found) = InTheWay::at(path.clone()) else { return Ok(()) };
        let failed = |source| ProjectError::Folder { path, did: "moved away", source };
        found.move_aside().map(drop).map_err(failed)
    }
}

/// Whether no segment is there, or no folder that could have one. A folder that a link leads to is in the
/// way, and told so; what cannot be listed says so when it is read.
fn is_gone(journal: &Path) -> bool {
    let is_else = enclosure::look(journal).is_ok_and(|it| it.kind != Kind::Folder);
    if is_else && !journal.is_dir() {
        return true;
    }
    let is_segment = |name: &Path| name.extension().is_some_and(|it| it == "seg");
    match enclosure::names(journal) {
        Ok(names) => !names.iter().any(|(name, _)| is_segment(name.as_ref())),
        Err(error) => error.kind() == ErrorKind::NotFound,
    }
}

/// Whether a journal's folder is there; what may not be looked at is none that is not.
pub(crate) fn is_there(journal: &Path) -> io::Result<bool> {
    match std::fs::metadata(journal) {
        Err(error) if error.kind() == ErrorKind::PermissionDenied => Err(error),
        about => Ok(about.is_ok_and(|it| it.is_dir())),
    }
}

#[derive(Debug, thiserror::Error)]
pub enum ProjectError {
    #[error("no project in {} or above it", at.display())]
    NotFound { at: PathBuf },
    #[error("{} could not be {did}", path.display())]
    Folder { path: PathBuf, did: &'static str, source: io::Error },
    #[error("{} is not what a project has there: move it away", path.display())]
    InTheWay { path: PathBuf },
    #[error("{} belongs to another user (uid {owner}): nothing is written there", path.display())]
    Foreign { path: PathBuf, owner: u32 },
    #[error(
        "the journal of {} was begun elsewhere: what it remembers is given to no agent until you allow it",
        root.display()
    )]
    Unbelieved { root: PathBuf },
    #[error("the journal of {} is not the one that was seen. It was {found}", root.display())]
    Contradicted { root: PathBuf, found: Box<Contradiction> },
    #[error(transparent)]
    Lost(#[from] LostJournal),
    #[error(
        "nothing can be remembered in the user's state folder: whose the settings are would be lost"
    )]
    State { source: io::Error },
    #[error("the settings cannot be used as they are, and nothing is done by others")]
    Config(#[from] ConfigError),
    #[error(transparent)]
    Journal(#[from] JournalError),
}
