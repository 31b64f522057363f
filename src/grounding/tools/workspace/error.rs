//! Why a path cannot be used.

use std::io;
use std::path::PathBuf;

/// Why a path cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum PlaceError {
    #[error("the path is empty: name a file, or `.` for the project's root")]
    Empty,
    #[error("the path is longer than any file's: give one from the project's root")]
    TooLong,
    #[error("the path has a NUL in it: give a file's name")]
    Nul,
    #[error("{path:?} has `..` in it: give the path from the project's root")]
    Parent { path: String },
    #[error("{path:?} is outside the project ({}): tools work inside it", root.display())]
    Outside { path: String, root: PathBuf },
    #[error("{path:?}: {at:?} is a symbolic link, and none is followed: name the file itself")]
    Link { path: String, at: String },
    #[error("{path:?} is {what}: name a file")]
    NotAFile { path: String, what: &'static str },
    #[error("{path:?}: {at:?} is no folder")]
    NotAFolder { path: String, at: String },
    #[error("{path:?} belongs to annals: tools do not change it")]
    Protected { path: String },
    #[error(
        "{path:?} is in {at:?}, whose files say what git or an agent runs: tools do not change it"
    )]
    Commanded { path: String, at: String },
    #[error("{path:?} is read-only: make it writable first (chmod u+w)")]
    ReadOnly { path: String },
    #[error("there is no {path:?}: file_glob lists what there is")]
    NotFound { path: String },
    #[error("{path:?} exists already: change it with file_edit, or replace it with file_write")]
    Exists { path: String },
    #[error("{path:?} was changed by somebody else meanwhile: read it and try again")]
    Changed { path: String },
    #[error("{path:?} has {bytes} bytes; at most {bytes_max} are taken")]
    TooLarge { path: String, bytes: u64, bytes_max: u64 },
    #[error("{path:?} could not be {did}: {source}")]
    Io { path: String, did: &'static str, source: io::Error },
}

impl PlaceError {
    /// Whether nothing was tried: what was asked for is not allowed.
    pub fn is_refusal(&self) -> bool {
        match self {
            Self::Empty
            | Self::TooLong
            | Self::Nul
            | Self::Parent { .. }
            | Self::Outside { .. }
            | Self::Link { .. }
            | Self::Protected { .. }
            | Self::Commanded { .. } => true,
            Self::NotAFile { what, .. } => *what != "a folder",
            Self::NotAFolder { .. }
            | Self::ReadOnly { .. }
            | Self::NotFound { .. }
            | Self::Exists { .. }
            | Self::Changed { .. }
            | Self::TooLarge { .. }
            | Self::Io { .. } => false,
        }
    }
}
