//! A source of logs: what writes them, how one is known, and how it is read.

use std::cell::OnceCell;
use std::fmt;
use std::io;

use super::limits::SNIFF_BYTES_MAX;
use super::source_file::SourceFile;
use super::transcript::Dialect;
use super::whole::{Outline, WholeLog};
use crate::agents::SOURCES;

/// What is particular to a source of logs.
pub struct LogSource {
    /// Its name on our command line, in sessions and call keys.
    pub name: &'static str,
    pub title: &'static str,
    /// Another name that the command line takes for it.
    pub also: Option<&'static str>,
    /// How its files' names end: those are looked at where a folder is named. What a file is, its content tells.
    pub endings: &'static [&'static str],
    /// Whether a file that begins so is one of its.
    pub is_of: fn(&Beginning<'_>) -> bool,
    pub reads: Reads,
    /// When a log that begins so began, where they must be read in that order.
    pub began_ms: Option<fn(&[u8]) -> Option<u64>>,
    /// Where subagents have files of their own: the session of one that begins so.
    pub session_of: Option<fn(&[u8]) -> Option<String>>,
    /// Whether records may have no time: those are ordered as in the file, from when that was last written.
    pub untimed: bool,
}

/// How the logs of a source are read.
pub enum Reads {
    /// JSON lines, which grow at their end: read on from where the import before stopped.
    Lines(fn() -> Box<dyn Dialect>),
    /// Anything else: read from its beginning each time.
    Whole(fn(&SourceFile) -> io::Result<Box<dyn WholeLog>>),
}

/// The beginning of a file, as it is known by.
pub struct Beginning<'a> {
    pub head: &'a [u8],
    outline: OnceCell<Outline>,
}

impl<'a> Beginning<'a> {
    pub fn of(head: &'a [u8]) -> Self {
        let head = &head[..head.len().min(SNIFF_BYTES_MAX)];
        Self { head, outline: OnceCell::new() }
    }

    /// Of JSON: the keys of its first value. Looked for only where it is asked: hooks wait for the first sources.
    pub fn outline(&self) -> &Outline {
        self.outline.get_or_init(|| Outline::of(self.head))
    }

    /// Whether it begins as SQLite's databases do.
    pub fn is_database(&self) -> bool {
        self.head.starts_with(b"SQLite format 3\0")
    }
}

impl LogSource {
    /// Whose log a file is that begins so; `None` where nothing is recognised. At most
    /// `SNIFF_BYTES_MAX` are looked at, and a first line may be damaged or cut.
    pub fn sniff(head: &[u8]) -> Option<&'static Self> {
        let beginning = Beginning::of(head);
        SOURCES.iter().copied().find(|source| (source.is_of)(&beginning))
    }

    /// The source of this name.
    pub fn named(name: &str) -> Option<&'static Self> {
        SOURCES.iter().copied().find(|it| it.name == name || it.also == Some(name))
    }
}

impl PartialEq for LogSource {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for LogSource {}

impl fmt::Debug for LogSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}
