//! The memory of repositories (spec 004), read from `index.db`, and the shapes of its files.
//!
//! Repositories that were linked are one *family*: whoever asks for one is given the memory of all.
//! Entries are in the order in which they were made, then of their ids; summaries in the order in which
//! they were recorded. An id that two of a family have is that entry which was recorded last.

mod convention;
mod decision;
mod entries;
mod note;
mod read;
mod summary;
mod time;
mod view;

use serde::{Serialize, Serializer};

use crate::event::{IndexKind, RepoHash, Sequence};

pub use convention::Convention;
pub use decision::Decision;
pub use note::Note;
pub use read::FieldError;
pub use summary::Summary;
pub use view::RepoView;

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

/// The version that `memory.json` names.
pub const MEMORY_VERSION: u64 = 1;

/// What a repository remembers, as `memory.json` has it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RepoMemory {
    pub version: u64,
    #[serde(serialize_with = "hash")]
    pub repo_hash: RepoHash,
    /// The working tree's top folder; `None` where the event that told it is lost.
    pub path: Option<String>,
    pub remote: Option<String>,
    pub branch: Option<String>,
    /// The repositories that it is linked with, whose memory is in here too.
    #[serde(serialize_with = "hashes")]
    pub linked: Vec<RepoHash>,
    pub conventions: Vec<Convention>,
    pub decisions: Vec<Decision>,
    pub notes: Vec<Note>,
}

impl RepoMemory {
    /// The bytes of `memory.json`.
    pub fn to_json(&self) -> String {
        // Texts and numbers always serialise.
        let mut text = serde_json::to_string_pretty(self).unwrap_or_default();
        text.push('\n');
        text
    }
}

fn hash<S: Serializer>(hash: &RepoHash, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(hash)
}

fn hashes<S: Serializer>(hashes: &[RepoHash], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(hashes.iter().map(RepoHash::to_string))
}

/// A repository, as it was recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RepoIdentity {
    pub repo: RepoHash,
    /// The working tree's top folder; `None` where the event that told it is lost.
    pub path: Option<String>,
    /// The URL of `origin` without credentials.
    pub remote: Option<String>,
    pub branch: Option<String>,
    /// The event that identified it.
    pub identified: Option<Sequence>,
    /// The last event about it, or about one that it is linked with.
    pub last: Sequence,
}

/// The newest index of its kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexFile {
    pub kind: IndexKind,
    /// JSON: the whole file below `indexes/`.
    pub content: String,
    /// Files that it tells of.
    pub files: u64,
    /// blake3 of what it was made from.
    pub inputs: [u8; 32],
    /// Unix milliseconds.
    pub at_ms: u64,
    pub sequence: Sequence,
}

#[cfg(test)]
mod tests;
