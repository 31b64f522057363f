//! One entry of a repository's memory, whichever it is.

use super::{Convention, Decision, Note};
use crate::event::{RepoHash, Sequence};

/// Which list an entry is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum EntryKind {
    Convention,
    Decision,
    Note,
}

impl EntryKind {
    /// Every one.
    pub const ALL: &'static [Self] = &[Self::Convention, Self::Decision, Self::Note];

    /// The word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Convention => "convention",
            Self::Decision => "decision",
            Self::Note => "note",
        }
    }
}

/// One entry of a repository's memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entry {
    Convention(Convention),
    Decision(Decision),
    Note(Note),
}

impl Entry {
    /// Which list it is in.
    pub fn kind(&self) -> EntryKind {
        match self {
            Self::Convention(_) => EntryKind::Convention,
            Self::Decision(_) => EntryKind::Decision,
            Self::Note(_) => EntryKind::Note,
        }
    }

    /// Its id.
    pub fn id(&self) -> &str {
        match self {
            Self::Convention(convention) => &convention.id,
            Self::Decision(decision) => &decision.id,
            Self::Note(note) => &note.id,
        }
    }

    /// It, if it is a convention.
    pub fn convention(self) -> Option<Convention> {
        match self {
            Self::Convention(convention) => Some(convention),
            _ => None,
        }
    }

    /// It, if it is a decision.
    pub fn decision(self) -> Option<Decision> {
        match self {
            Self::Decision(decision) => Some(decision),
            _ => None,
        }
    }

    /// It, if it is a note.
    pub fn note(self) -> Option<Note> {
        match self {
            Self::Note(note) => Some(note),
            _ => None,
        }
    }

    /// When it was made, Unix milliseconds.
    pub fn created_ms(&self) -> u64 {
        match self {
            Self::Convention(convention) => convention.created_ms,
            Self::Decision(decision) => decision.created_ms,
            Self::Note(note) => note.created_ms,
        }
    }
}

/// An entry with the repository that has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnedEntry {
    pub repo: RepoHash,
    /// The last event that said so.
    pub sequence: Sequence,
    pub entry: Entry,
}
