//! Why a path cannot be asked about.

use std::io;
use std::path::PathBuf;

use crate::journal::LostJournal;

/// Why a path cannot be asked about.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    #[error(transparent)]
    Lost(#[from] LostJournal),
    #[error("there is no {}", path.display())]
    Absent { path: PathBuf },
    #[error(
        "{} is no project, no journal's folder, no segment and no bundle",
        path.display()
    )]
    Nothing { path: PathBuf },
    #[error(
        "{} belongs to another user (uid {owner}): it is not picked up by itself",
        path.display()
    )]
    Foreign { path: PathBuf, owner: u32 },
    #[error("{} could not be looked at", path.display())]
    Io { path: PathBuf, source: io::Error },
}
