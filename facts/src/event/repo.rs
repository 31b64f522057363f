//! Facts about a repository's memory (spec 004): what holds there, what was decided, what was noted,
//! what steps came to, and how its tree looked.
//!
//! Whose it is is a [`RepoHash`], computed where it was recorded: a projector asks no git. What was
//! recorded again under an id that is there replaces it and keeps when it was first.

use std::fmt;

use bincode::{Decode, Encode};
use serde::{Serialize, Serializer};

use crate::event::{Content, TextVisitor, wire, words};

/// A note was made, or changed.
#[derive(Clone, Debug, PartialEq, Encode, Decode, Serialize)]
pub struct NoteAdded {
    pub repo: RepoHash,
    pub id: String,
    pub content: String,
    pub source: NoteSource,
    /// Unix milliseconds, where it was taken over from elsewhere.
    #[serde(rename = "created", serialize_with = "wire::utc_or_null")]
    pub created_ms: Option<u64>,
}

/// A note was thrown away.
#[derive(Clone, Debug, PartialEq, Encode, Decode, Serialize)]
pub struct NoteRemoved {
    pub repo: RepoHash,
    pub id: String,
}

words! {
    /// Who made a note. Append-only: the position of a variant is its byte.
    #[derive(Encode, Decode)]
    pub enum NoteSource {
        Manual = "manual",
        Agent = "agent",
        Tool = "tool",
    }
}

/// What a step of a workflow came to: what happened, what matters of its outputs, what is to follow.
#[derive(Clone, Debug, PartialEq, Encode, Decode, Serialize)]
pub struct SummaryAppended {
    pub repo: RepoHash,
    pub run_id: String,
    pub step_id: String,
    pub summary: String,
    pub made_by: SummaryMaker,
    /// The sequence of the `StepBegun` of the step that it tells of, where one was marked. Its
    /// `StepEnded` is the event before, in the same commit.
    #[serde(rename = "step_sequence")]
    pub step: Option<u64>,
    /// The last event that was looked at for it, so that anybody can tell it again; `None` where
    /// somebody gave it.
    #[serde(rename = "through_sequence")]
    pub through: Option<u64>,
    /// Unix milliseconds, where it was taken over from elsewhere.
    #[serde(rename = "created", serialize_with = "wire::utc_or_null")]
    pub created_ms: Option<u64>,
}

words! {
    /// Who made a summary. Append-only: the position of a variant is its byte.
    #[derive(Encode, Decode)]
    pub enum SummaryMaker {
        /// annals, from the journal's own events.
        Events = "events",
        /// A model that was asked.
        Model = "model",
        /// Whoever gave it.
        Caller = "caller",
    }
}

/// How a repository's tree looked: an index of it, as context packs show it.
#[derive(Clone, Debug, PartialEq, Encode, Decode, Serialize)]
pub struct IndexStored {
    pub repo: RepoHash,
    pub index: IndexKind,
    /// JSON, the whole file below `indexes/`.
    pub content: Content,
    /// Files that it tells of.
    pub files: u64,
    /// blake3 that tells one content from another, its own or of what it was made from: the same, and
    /// nothing has to be stored again.
    #[serde(serialize_with = "wire::hex")]
    pub inputs: [u8; 32],
}

words! {
    /// Which index. Append-only: the position of a variant is its byte.
    #[derive(Encode, Decode)]
    pub enum IndexKind {
        /// Folders, files, languages, what is defined where.
        RepoMap = "repo-map",
        /// What a code graph says of symbols.
        Symbols = "symbols",
    }
}

/// Which repository a memory is of: blake3 of where it lies, of where it came from and of its branch
/// (ruling 13). Shown as 64 hexadecimal digits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Encode, Decode)]
pub struct RepoHash(pub [u8; 32]);

impl RepoHash {
    /// Reads 64 hexadecimal digits, of either case; anything else is `None`.
    pub fn parse(text: &str) -> Option<Self> {
        let digits = text.as_bytes();
        if digits.len() != 64 {
            return None;
        }
        let digit = |byte: u8| char::from(byte).to_digit(16);
        let mut hash = [0; 32];
        for (byte, pair) in hash.iter_mut().zip(digits.chunks_exact(2)) {
            *byte = u8::try_from(digit(pair[0])? << 4 | digit(pair[1])?).ok()?; // two digits fit
        }
        Some(Self(hash))
    }
}

impl fmt::Display for RepoHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&wire::hex_text(&self.0))
    }
}

impl Serialize for RepoHash {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        wire::hex(&self.0, to)
    }
}

/// A convention holds from now on, or was changed.
#[derive(Clone, Debug, PartialEq, Encode, Decode, Serialize)]
pub struct ConventionUpserted {
    pub repo: RepoHash,
    pub id: String,
    pub title: String,
    pub content: String,
    pub tags: Vec<String>,
    /// Unix milliseconds, where it was taken over from elsewhere; else the event's own time, the
    /// first one's for when it was made.
    #[serde(rename = "created", serialize_with = "wire::utc_or_null")]
    pub created_ms: Option<u64>,
    #[serde(rename = "updated", serialize_with = "wire::utc_or_null")]
    pub updated_ms: Option<u64>,
}

impl ConventionUpserted {
    pub(super) fn visit_texts(&mut self, v: &mut dyn TextVisitor) {
        v.named(&self.title, &mut self.content);
        v.text(&mut self.title);
        self.tags.iter_mut().for_each(|tag| v.text(tag));
    }
}

/// A convention holds no longer.
#[derive(Clone, Debug, PartialEq, Encode, Decode, Serialize)]
pub struct ConventionRemoved {
    pub repo: RepoHash,
    pub id: String,
}

/// Something was decided, or a decision was told anew.
#[derive(Clone, Debug, PartialEq, Encode, Decode, Serialize)]
pub struct DecisionRecorded {
    pub repo: RepoHash,
    pub id: String,
    pub summary: String,
    pub rationale: String,
    /// Files, folders or patterns of them, relative to the top folder.
    pub impacted_paths: Vec<String>,
    /// Unix milliseconds, where it was taken over from elsewhere.
    #[serde(rename = "created", serialize_with = "wire::utc_or_null")]
    pub created_ms: Option<u64>,
}

impl DecisionRecorded {
    pub(super) fn visit_texts(&mut self, v: &mut dyn TextVisitor) {
        let texts = [&mut self.summary, &mut self.rationale].into_iter();
        texts.chain(&mut self.impacted_paths).for_each(|text| v.text(text));
    }
}

/// A decision was taken back.
#[derive(Clone, Debug, PartialEq, Encode, Decode, Serialize)]
pub struct DecisionRemoved {
    pub repo: RepoHash,
    pub id: String,
}

/// A repository was met, and what its hash was made of.
#[derive(Clone, Debug, PartialEq, Encode, Decode, Serialize)]
pub struct RepoIdentified {
    pub repo: RepoHash,
    /// The working tree's top folder, canonical; not always UTF-8 on disk, here made so.
    pub path: String,
    /// The URL of `origin` without credentials; `None`: the hash is of the path alone.
    pub remote: Option<String>,
    /// The branch that is checked out, or the commit where none is.
    pub branch: Option<String>,
    /// Git's folder, of a linked working tree, which shares it with the others; `None` of any other.
    pub common: Option<String>,
}

/// Two repositories' memories became one: whoever asks for either is given both.
#[derive(Clone, Debug, PartialEq, Encode, Decode, Serialize)]
pub struct RepoLinked {
    pub repo: RepoHash,
    pub with: RepoHash,
}
