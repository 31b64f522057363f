//! Conventions, decisions and notes: what a repository remembers by an id of its own.
//!
//! All that is particular to one kind is in the file of its name: its fields, what they may hold, how
//! it lies in a row and in `memory.json`, and the fact that records it.

pub(super) mod convention;
pub(super) mod decision;
pub(super) mod note;

use std::borrow::Cow;

use rusqlite::Row;
use serde::Serialize;

use super::query::memory_file::{FieldError, Fields};
use super::{RepoError, fields};
use crate::event::{
    Body, ConventionRemoved, DecisionRemoved, NoteRemoved, RepoHash, Sequence, words,
};
use crate::execution::closed::plain;

pub use convention::{Convention, ConventionGiven};
pub use decision::{Decision, DecisionGiven};
pub use note::{Note, NoteGiven};

words! {
    pub enum EntryKind {
        Convention = "convention",
        Decision = "decision",
        Note = "note",
    }
}

impl EntryKind {
    pub(super) fn table(self) -> &'static str {
        match self {
            Self::Convention => "repo_conventions",
            Self::Decision => "repo_decisions",
            Self::Note => "repo_notes",
        }
    }

    /// `r` is the repository that has the entry `e`.
    pub(super) fn select(self) -> String {
        let columns = match self {
            Self::Convention => Convention::COLUMNS,
            Self::Decision => Decision::COLUMNS,
            Self::Note => Note::COLUMNS,
        };
        let table = self.table();
        format!("SELECT {columns}, r.hash, e.seq FROM {table} e JOIN repos r ON r.number = e.repo")
    }

    /// Reads a row of [`Self::select`]; `None`: what stands there nothing of ours wrote.
    pub(super) fn owned(self, row: &Row<'_>) -> rusqlite::Result<Option<OwnedEntry>> {
        let (hash, sequence): (String, _) = (row.get("hash")?, row.get("seq")?);
        let entry = match self {
            Self::Convention => Convention::of_row(row)?.map(Entry::Convention),
            Self::Decision => Decision::of_row(row)?.map(Entry::Decision),
            Self::Note => Note::of_row(row)?.map(Entry::Note),
        };
        let owned = |(repo, entry)| OwnedEntry { repo, sequence, entry };
        Ok(RepoHash::parse(&hash).zip(entry).map(owned))
    }

    pub(super) fn removed(self, repo: RepoHash, id: &str) -> Body {
        let id = id.to_owned();
        match self {
            Self::Convention => Body::ConventionRemoved(ConventionRemoved { repo, id }),
            Self::Decision => Body::DecisionRemoved(DecisionRemoved { repo, id }),
            Self::Note => Body::NoteRemoved(NoteRemoved { repo, id }),
        }
    }
}

pub trait Kind: Clone + PartialEq + Serialize {
    const KIND: EntryKind;
    /// Of its table, in the order in which [`Self::of_row`] takes them.
    const COLUMNS: &'static str;

    fn id(&self) -> &str;

    /// Unix milliseconds.
    fn created_ms(&self) -> u64;

    fn of(entry: Entry) -> Option<Self>;

    /// `None`: what stands there nothing of ours wrote.
    fn of_row(row: &Row<'_>) -> rusqlite::Result<Option<Self>>;

    /// Reads a member of `memory.json`.
    fn of_file(fields: &mut Fields) -> Result<Self, FieldError>;

    fn check(&self) -> Result<(), RepoError>;

    /// The fact that it is so; with times where it is taken over from elsewhere.
    fn recorded(self, repo: RepoHash, created_ms: Option<u64>, updated_ms: Option<u64>) -> Body;
}

/// What is given of an entry: what is left out of one that is there stays as it is.
pub trait Given {
    type Entry: Kind;

    fn id(&self) -> Option<&str>;

    /// The entry that comes of it, checked as far as it was given. One that is new has no time yet.
    fn over(self, before: Option<Self::Entry>, id: &str) -> Result<Self::Entry, RepoError>;
}

/// Whether an entry may, must or must not be there before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Expected {
    #[default]
    Either,
    New,
    Known,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Entry {
    Convention(Convention),
    Decision(Decision),
    Note(Note),
}

/// The same of whatever kind an entry is.
macro_rules! of_each {
    ($entry:expr, $it:ident => $what:expr) => {
        match $entry {
            Entry::Convention($it) => $what,
            Entry::Decision($it) => $what,
            Entry::Note($it) => $what,
        }
    };
}

impl Entry {
    pub fn kind(&self) -> EntryKind {
        fn kind<T: Kind>(_: &T) -> EntryKind {
            T::KIND
        }
        of_each!(self, it => kind(it))
    }

    pub fn id(&self) -> &str {
        of_each!(self, it => it.id())
    }

    /// Its list and its id: of several repositories' entries only one may have this name.
    pub fn name(&self) -> String {
        format!("{} {}", self.kind().as_str(), self.id())
    }

    /// Unix milliseconds.
    pub fn created_ms(&self) -> u64 {
        of_each!(self, it => it.created_ms())
    }

    pub fn check(&self) -> Result<(), RepoError> {
        fields::id(self.id())?;
        of_each!(self, it => it.check())
    }

    /// The fact that it is as a file says, with the file's own times.
    pub(super) fn taken_over(&self, repo: RepoHash, was: Option<&Self>) -> Body {
        // Who changes the words seldom changes the time: then it was changed now.
        let updated_ms = match (self, was) {
            (Self::Convention(it), Some(Self::Convention(was)))
                if it.updated_ms == was.updated_ms =>
            {
                None
            }
            (Self::Convention(it), _) => Some(it.updated_ms),
            _ => None,
        };
        let created_ms = Some(self.created_ms());
        of_each!(self.clone(), it => it.recorded(repo, created_ms, updated_ms))
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnedEntry {
    pub repo: RepoHash,
    /// The last event that said so.
    pub sequence: Sequence,
    pub entry: Entry,
}

/// A list as the projector wrote it.
fn texts(json: &str) -> Vec<String> {
    serde_json::from_str(json).unwrap_or_default()
}

/// A list as the rows have it.
pub(super) fn json_texts(texts: &[String]) -> Cow<'static, str> {
    let texts: Vec<_> = texts.iter().map(|text| plain(text).into_owned()).collect();
    serde_json::Value::from(texts).to_string().into()
}
