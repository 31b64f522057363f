//! Why a transcript could not be salvaged. Nothing was written then.

use std::io;
use std::path::PathBuf;

/// Why a transcript could not be salvaged. Nothing was written then.
#[derive(Debug, thiserror::Error)]
pub enum SalvageError {
    #[error("{} cannot be read", path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error("{} is no Claude Code transcript: nothing in it reads as a record", path.display())]
    NotATranscript { path: PathBuf },
    #[error("{} is not a regular file", path.display())]
    NotAFile { path: PathBuf },
    #[error("{} exists already; salvage overwrites nothing: name a new file", path.display())]
    Exists { path: PathBuf },
    #[error("{} cannot be written", path.display())]
    Write { path: PathBuf, source: io::Error },
    #[error("{} has more than {records_max} records", path.display())]
    TooManyRecords { path: PathBuf, records_max: usize },
}
