//! Why a gate cannot judge.

use std::io;
use std::path::PathBuf;

use crate::journal::JournalError;

/// Why a gate cannot judge.
#[derive(Debug, thiserror::Error)]
pub enum GateError {
    #[error("{} could not be {did}", path.display())]
    File { path: PathBuf, did: &'static str, source: io::Error },
    #[error(transparent)]
    Journal(#[from] JournalError),
}
