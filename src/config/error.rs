//! What can be wrong with a project's settings.

use std::io;
use std::path::PathBuf;

/// What can be wrong with a project's settings.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    #[error("{} could not be read", path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error("{} is not a settings file: not a regular file of at most 1 MiB", path.display())]
    NotSettings { path: PathBuf },
    #[error("{}:{line}:{column}: {reason}", path.display())]
    Parse { path: PathBuf, line: usize, column: usize, reason: String },
}
