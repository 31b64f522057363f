//! Why somebody else's memory cannot be read, or ours cannot be written for them.

use std::io;
use std::path::PathBuf;

use super::{BYTES_MAX, FILE_BYTES_MAX, ROWS_MAX, VALUE_BYTES_MAX};
use crate::store::StoreError;

/// Why somebody else's memory cannot be read, or ours cannot be written for them.
#[derive(Debug, thiserror::Error)]
pub enum ForeignError {
    #[error("{path} cannot be opened: give the file that holds the memory, memory.sqlite")]
    NotAFile { path: PathBuf, source: io::Error },
    #[error("{path} has {bytes} bytes, and at most {FILE_BYTES_MAX} are read")]
    TooLarge { path: PathBuf, bytes: u64 },
    #[error(
        "{path} is no branch memory: it has no table `{table}` with the columns of spec 003; give a \
         memory.sqlite"
    )]
    NotAMemory { path: PathBuf, table: &'static str },
    #[error("{path} cannot be read as a database while {doing}; nothing was imported")]
    Unreadable { path: PathBuf, doing: &'static str, source: rusqlite::Error },
    #[error(
        "{path}: up to table `{table}` there are more than {BYTES_MAX} bytes of text, or it has more than \
         {ROWS_MAX} rows; nothing was imported"
    )]
    TooMany { path: PathBuf, table: &'static str },
    #[error(
        "{path}: row {row} of `{table}` cannot be read: {why}; nothing was imported. Texts are at most \
         {VALUE_BYTES_MAX} bytes"
    )]
    Row { path: PathBuf, table: &'static str, row: i64, why: String },
    #[error("{path} is there already: choose another name, or remove it first")]
    Exists { path: PathBuf },
    #[error("{path} cannot be written while {doing}")]
    Io { path: PathBuf, doing: &'static str, source: io::Error },
    #[error("{path} cannot be written while {doing}")]
    Unwritable { path: PathBuf, doing: &'static str, source: rusqlite::Error },
    #[error(transparent)]
    Store(#[from] StoreError),
}
