//! Why a project cannot be made or opened.

use std::io;
use std::path::PathBuf;

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
    #[error(transparent)]
    Config(#[from] ConfigError),
    #[error(transparent)]
    Journal(#[from] JournalError),
}
