//! What can be wrong with a project's settings.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What can be wrong with a project's settings.
#[derive(Clone, Debug, thiserror::Error)]
pub enum ConfigError {
    #[error("{} could not be read", path.display())]
    Read { path: PathBuf, source: Arc<io::Error> },
    #[error("{} is not a settings file: not a regular file of at most 1 MiB", path.display())]
    NotSettings { path: PathBuf },
    #[error("{}:{line}:{column}: {reason}", path.display())]
    Parse { path: PathBuf, line: usize, column: usize, reason: String },
}

impl ConfigError {
    /// Which file, and where in it: nothing of what it holds.
    pub fn place(&self) -> String {
        match self {
            Self::Read { path, .. } | Self::NotSettings { path } => path.display().to_string(),
            Self::Parse { path, line, column, .. } => format!("{}:{line}:{column}", path.display()),
        }
    }

    /// What is wrong at this byte of a file.
    pub fn at(path: &Path, text: &[u8], at: usize, reason: String) -> Self {
        let before = &text[..at.min(text.len())];
        Self::Parse {
            path: path.to_owned(),
            line: 1 + before.iter().filter(|&&byte| byte == b'\n').count(),
            column: 1 + before.iter().rev().take_while(|&&byte| byte != b'\n').count(),
            reason,
        }
    }
}
