//! Everything a command can fail with, sorted: its exit code and what to do about it.

use std::io;
use std::path::{Path, PathBuf};

use super::Exit;
use crate::surface::time::TimeError;

/// Everything a command can fail with.
#[derive(Debug, thiserror::Error)]
pub enum CliError {
    #[error("could not write the output")]
    Output(#[from] io::Error),
    #[error("could not {what} {}", path.display())]
    Io { what: &'static str, path: PathBuf, source: io::Error },
    #[error("--since: {0}")]
    Time(#[from] TimeError),
}

impl CliError {
    /// A failed operation on a path.
    pub fn io(what: &'static str, path: &Path, source: io::Error) -> Self {
        Self::Io { what, path: path.to_owned(), source }
    }

    /// The reader of our output has gone: that is how `| head` ends, and no failure.
    pub fn is_broken_pipe(&self) -> bool {
        matches!(self, Self::Output(source) if source.kind() == io::ErrorKind::BrokenPipe)
    }

    /// The exit code it stands for.
    pub fn exit(&self) -> Exit {
        match self {
            Self::Output(_) | Self::Io { .. } => Exit::Io,
            Self::Time(_) => Exit::Usage,
        }
    }

    /// What to do about it, where something can be said.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Output(_) | Self::Time(_) => None,
            Self::Io { source, .. } => io_hint(source),
        }
    }
}

fn io_hint(source: &io::Error) -> Option<String> {
    let hint = match source.kind() {
        io::ErrorKind::PermissionDenied => "check who owns the folder and whether it is writable",
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            "make room on the disk, then run the command again"
        }
        io::ErrorKind::ReadOnlyFilesystem => "copy the folder to where you may write",
        _ => return None,
    };
    Some(hint.to_owned())
}
