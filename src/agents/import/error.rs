//! Why an import could not be done, or a file not be read.

use std::io;
use std::path::PathBuf;

use super::format::Format;
use crate::journal::RecordError;

/// Why an import could not be done.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    #[error("{} cannot be read", path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error(
        "no past sessions of this project in {places}; name the transcripts: annals import auto FILE…"
    )]
    NoPastSessions { places: String },
    #[error(
        "it is not known where the agents keep their sessions (HOME, CLAUDE_CONFIG_DIR and \
         CODEX_HOME are not set); name the transcripts: annals import auto FILE…"
    )]
    NoHome,
    #[error("no transcript in {}: a folder's *.jsonl and *.jsonl.zst files are looked at", path.display())]
    NothingFound { path: PathBuf },
    #[error("more than {files_max} files; name fewer at a time")]
    TooManyFiles { files_max: usize },
    #[error("the journal refused what {file} says up to line {line}")]
    Record { file: String, line: u64, source: RecordError },
    #[error("the journal could not be closed; importing again adds what is missing")]
    Finish { source: RecordError },
}

/// Why one file is passed over. The others are read.
#[derive(Debug, thiserror::Error)]
pub enum Skip {
    #[error("{0} transcripts are not read here")]
    Foreign(Format),
    #[error("compressed, and nothing in it can be unpacked")]
    Packed,
    #[error("no known transcript format")]
    Unknown,
    #[error("not a regular file")]
    NotAFile,
    #[error("it cannot be read: {0}")]
    Unreadable(#[from] io::Error),
}
