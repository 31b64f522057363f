//! Why a project cannot be made or opened.

use std::io;
use std::path::PathBuf;

use super::LostJournal;
use crate::config::ConfigError;
use crate::journal::JournalError;

/// Why a project cannot be made or opened.
#[derive(Debug, thiserror::Error)]
pub enum ProjectError {
    #[error("no project in {} or above it: `annals init` makes one", at.display())]
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
