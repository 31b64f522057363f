//! Transcripts of coding agents, read into events.

pub mod attachment;
mod background;
mod growing;
pub mod growth;
mod intake;
pub mod item;
mod ledger;
pub mod limits;
pub mod lines;
pub mod log;
pub mod log_source;
pub mod loose;
pub mod odd;
mod read_on;
mod report;
mod rests;
pub mod salvage;
pub mod source_file;
mod sources;
mod stream;
pub mod told;
pub mod transcript;
pub mod whole;

use std::borrow::Cow;
use std::collections::HashSet;
use std::io;
use std::path::PathBuf;

use crate::agents::mapped::MappingError;
use crate::fault::{Class, Fault, Remedy, Sorted};
use crate::grounding::gate::GateError;
use crate::journal::RecordError;
use crate::journal::fault;
use limits::{ERROR_BYTES_MAX, LINE_BYTES_MAX};

pub use growing::Growing;
pub use intake::{ImportRequest, import, import_growth, past_files, survey};
pub use item::{Call, CallResult, Item, Part};
pub use ledger::{Ledger, closing, named, turned_out};
pub use log_source::LogSource;
pub use report::{ImportReport, SkippedFile, stderr_bar, transcript_calls};
pub use source_file::{SourceFile, logs_in, source_files};
pub use sources::imported;
pub use transcript::Transcript;

pub fn readable(json: &str) -> Cow<'_, str> {
    let is_half = |at: usize| matches!(json.as_bytes().get(at + 2), Some(b'd' | b'D'));
    if !memchr::memmem::find_iter(json.as_bytes(), "\\u").any(is_half) {
        return Cow::Borrowed(json);
    }
    match mended(json.as_bytes()).map(String::from_utf8) {
        Some(Ok(mended)) => Cow::Owned(mended),
        _ => Cow::Borrowed(json),
    }
}

/// `json` with every lone `\uD8xx` or `\uDCxx` escape replaced by `\ufffd` and every byte that is
/// not UTF-8 by U+FFFD; `None` where there was nothing to replace.
///
/// The agent cuts long output by UTF-16 units, so that half of an emoji can be left over.
pub fn mended(json: &[u8]) -> Option<Vec<u8>> {
    let lossy = String::from_utf8_lossy(json);
    let bytes = lossy.as_bytes();
    let mut out: Option<Vec<u8>> =
        matches!(lossy, std::borrow::Cow::Owned(_)).then(|| bytes.to_vec());
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at] != b'\\' {
            at += 1;
            continue;
        }
        match unit(bytes, at) {
            Some(0xD800..=0xDBFF) if matches!(unit(bytes, at + 6), Some(0xDC00..=0xDFFF)) => {
                at += 12;
            }
            Some(0xD800..=0xDFFF) => {
                // Same length, so offsets in the copy stay those of the original.
                let copy = out.get_or_insert_with(|| bytes.to_vec());
                copy[at..at + 6].copy_from_slice(b"\\ufffd");
                at += 6;
            }
            _ => at += 2,
        }
    }
    out
}

/// The UTF-16 unit that the escape at `at` stands for.
fn unit(bytes: &[u8], at: usize) -> Option<u16> {
    let escape = bytes.get(at..at + 6)?;
    let digits = escape.strip_prefix(b"\\u")?;
    let text = std::str::from_utf8(digits).ok()?;
    u16::from_str_radix(text, 16).ok()
}

type Result<T, E = ImportError> = std::result::Result<T, E>;

#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    #[error("{} cannot be read: make it readable, or name another", path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error("no past sessions of this project in {places}; name the transcripts")]
    NoPastSessions { places: String },
    #[error(
        "it is not known where the agents keep their sessions (HOME, CLAUDE_CONFIG_DIR and \
         CODEX_HOME are not set); name the transcripts"
    )]
    NoHome,
    #[error("no transcript in {}: name the files, should they end otherwise than logs do", path.display())]
    NothingFound { path: PathBuf },
    #[error(transparent)]
    Mapping(#[from] MappingError),
    #[error("more than {files_max} files; name fewer at a time")]
    TooManyFiles { files_max: usize },
    #[error(
        "the journal refused what {file} says up to line {line}: what was recorded before it stays, and importing \
         again adds the rest"
    )]
    Record { file: String, line: u64, source: RecordError },
    #[error(
        "it cannot be told which turn of its session an event belongs to: importing again goes on where this stopped"
    )]
    Turn { source: Box<GateError> },
    #[error("the journal could not be closed; importing again adds what is missing")]
    Finish { source: RecordError },
}

impl Fault for ImportError {
    fn sorted(&self) -> Sorted {
        match self {
            Self::Read { source, .. } | Self::Mapping(MappingError::Read { source, .. }) => {
                fault::of_io(source)
            }
            Self::Record { source, .. } | Self::Finish { source } => source.sorted(),
            Self::Turn { source } => source.sorted(),
            Self::NoPastSessions { .. } | Self::NoHome => {
                Class::Refused.with(Remedy::NameTranscripts)
            }
            _ => Class::Refused.alone(),
        }
    }
}

#[derive(Debug, thiserror::Error)]
pub enum Skip {
    #[error("a log of {0}, and another was named: name that one, or none")]
    Foreign(&'static str),
    #[error("compressed, and nothing in it can be unpacked: import its text")]
    Packed,
    #[error(
        "no known transcript format: name whose log it is, or what of its lines is what by a mapping"
    )]
    Unknown,
    #[error("this project's own: it is made of the journal")]
    Own,
    #[error("not a regular file: import a file that holds its text")]
    NotAFile,
    #[error("it cannot be read ({0}): make it readable, and import it again")]
    Unreadable(String),
}

/// What can be wrong with a line, or with the part of it that could not be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Flaw {
    /// A write that was cut off.
    #[error("torn: it ends in the middle of a record")]
    Torn,
    /// A crash of the file system.
    #[error("{bytes} NUL bytes")]
    NulFilled { bytes: u64 },
    /// Counted from 1.
    #[error("not JSON from byte {at} on")]
    NotJson { at: u64 },
    #[error("JSON, but not a record")]
    NotARecord,
    #[error("{bytes} bytes; lines above {LINE_BYTES_MAX} bytes are skipped")]
    TooLong { bytes: u64 },
    /// Or it holds more than is read of it.
    #[error("the compressed file breaks off or is damaged here: the text before it is read")]
    Packed,
    #[error("a row of other types than its columns have")]
    Columns,
    #[error("a row whose `{0}` is not what that column holds")]
    Column(&'static str),
    #[error("the database cannot be read from here on")]
    Database,
    #[error("no shell marks (OSC 133) in all of it: nothing tells its commands apart")]
    NoMarks,
    #[error("more records glued together than are looked for")]
    TooManyPieces,
}

impl From<crate::store::foreign::ForeignError> for Flaw {
    /// A damaged page, or more than a file of its size should hold.
    fn from(_: crate::store::foreign::ForeignError) -> Self {
        Self::Database
    }
}

/// What one command has seen already. Above its limit it forgets everything: what repeats then is
/// still noticed by the recorder, only later.
#[derive(Debug, Default)]
pub struct Seen<const LEN_MAX: usize>(HashSet<u128>);

impl<const LEN_MAX: usize> Seen<LEN_MAX> {
    pub fn is_new(&mut self, hash: u128) -> bool {
        if self.0.len() >= LEN_MAX {
            self.0.clear();
        }
        self.0.insert(hash)
    }

    pub fn contains(&self, hash: u128) -> bool {
        self.0.contains(&hash)
    }
}

/// The first half of the hash of the parts, each with its length before it.
pub fn hash(parts: &[&[u8]]) -> u128 {
    let mut hasher = blake3::Hasher::new();
    for part in parts {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part);
    }
    let mut half = [0; 16];
    half.copy_from_slice(&hasher.finalize().as_bytes()[..16]);
    u128::from_le_bytes(half)
}

/// Lets through what a transcript says of one session and of those that it began. A hook believes
/// nobody else's: the sessions of another file may still run, and are none of its project's.
#[derive(Clone, Debug)]
pub struct Whose {
    session: String,
    is_foreign: bool,
}

impl Whose {
    pub fn new(session: &str) -> Self {
        Self { session: session.to_owned(), is_foreign: false }
    }

    pub fn read_on(&mut self) {
        self.is_foreign = false;
    }

    /// Whether an item is the session's. One that names none belongs to the one before it.
    pub fn takes(&mut self, item: &Item) -> bool {
        if let Item::Record(record) = item
            && let Some(session) = &record.head.session
        {
            let own = |name: &String| *name == self.session;
            let parent = record.head.parent_session.as_ref();
            self.is_foreign = !own(session) && !parent.is_some_and(own);
        }
        !self.is_foreign
    }
}

/// What a person reads first of a text: its beginning, cut between two characters.
pub fn head_of(text: &str) -> &str {
    &text[..text.floor_char_boundary(ERROR_BYTES_MAX)]
}

#[cfg(test)]
mod tests;
