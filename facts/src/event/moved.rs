//! Facts about segments that were moved, and journals that were made one.

use bincode::{Decode, Encode};
use serde::Serialize;

use super::{Body, Kind, wire};

/// Segments were copied to an archive, read back and checked; after this they are taken away here.
#[derive(Clone, Debug, PartialEq, Encode, Decode, Serialize)]
pub struct SegmentsArchived {
    /// The journal's own folder in the archive. Never a secret.
    pub to: String,
    pub segments: Vec<ArchivedSegment>,
}

/// Segments are back as they were.
#[derive(Clone, Debug, PartialEq, Encode, Decode, Serialize)]
pub struct SegmentsFetched {
    pub from: String,
    pub segments: Vec<ArchivedSegment>,
}

#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode, Serialize)]
pub struct ArchivedSegment {
    pub segment: u64,
    /// The lowest that an event in it may have, and the last up to its end.
    pub first: u64,
    pub last: u64,
    /// As it was.
    pub bytes: u64,
    /// As it lies in the archive.
    pub stored_bytes: u64,
    /// Of the segment as it was.
    #[serde(serialize_with = "wire::hex")]
    pub sha256: [u8; 32],
    /// The blake3 of its manifest.
    #[serde(serialize_with = "wire::hex")]
    pub manifest: [u8; 32],
    /// Events up to its end, and the root over them.
    pub tree_size: u64,
    #[serde(serialize_with = "wire::hex")]
    pub root: [u8; 32],
}

/// Records of other journals, taken into this one: they are the ones that follow this event in its commit, in the order
/// of `runs`. Each has its own number here; a record's leaf as it was is made of its frame here, with the number, the
/// time and the flags that it had there (FORMAT.md, section 6).
#[derive(Clone, Debug, PartialEq, Encode, Decode, Serialize)]
pub struct JournalsMerged {
    pub sources: Vec<MergedSource>,
    pub runs: Vec<MergedRun>,
    /// Of each record its flags FIRST and LAST as they were: bits 0 and 1.
    #[serde(serialize_with = "wire::hex")]
    pub flags: Vec<u8>,
    /// Records that are not byte for byte what they were.
    pub changed: Vec<MergedChange>,
}

/// A journal that records come from, as it stood.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode, Serialize)]
pub struct MergedSource {
    #[serde(serialize_with = "wire::hex")]
    pub journal: [u8; 16],
    /// What its project is called.
    pub project: String,
    /// Its last event.
    pub last: u64,
    /// Its events, and the root over them; zeros where something of it is lost.
    pub size: u64,
    #[serde(serialize_with = "wire::hex")]
    pub root: [u8; 32],
}

/// Records that were one behind the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode, Serialize)]
pub struct MergedRun {
    /// Which of the sources.
    pub source: u32,
    /// The first one's number there; the others' follow it.
    pub first: u64,
    pub count: u64,
}

/// A record that had to be changed: what it refers to has another number here, or its time would run back.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode, Serialize)]
pub struct MergedChange {
    /// Which record of the commit, 0 the first behind this event.
    pub record: u32,
    /// Its leaf as it was.
    #[serde(serialize_with = "wire::hex")]
    pub leaf: [u8; 32],
}

impl Body {
    /// Whether a build that does not know the kind may pass it over: no store's rows depend on it.
    pub fn is_skippable(&self) -> bool {
        matches!(
            self,
            Self::RecoveryPerformed(_)
                | Self::CheckpointSigned(_)
                | Self::ContextInjected(_)
                | Self::HookRan(_)
                | Self::HistoryContradicted(_)
                | Self::SegmentsArchived(_)
                | Self::SegmentsFetched(_)
                | Self::JournalsMerged(_)
                | Self::RetentionApplied(_)
        )
    }
}

impl Kind {
    pub const MEMORY_ADOPTED: Self = Self(0x0105);
    pub const JOURNALS_MERGED: Self = Self(0x010a);
}
