//! Facts about recall memory: what happened, newest first.

use bincode::{Decode, Encode};

use super::MemoryOrigin;

/// An event was remembered.
#[derive(Clone, Debug, PartialEq, Encode, Decode)]
pub struct RecallAppended {
    /// Its number in `events`, given once in a journal, never again.
    pub id: u64,
    pub branch: String,
    pub kind: String,
    pub text: String,
    pub tags: Vec<String>,
    pub task_hint: Option<String>,
    pub memory_size: Option<u64>,
    pub origin: MemoryOrigin,
}

/// Events of the branch's own went; each one's text lies in the archive.
#[derive(Clone, Debug, PartialEq, Encode, Decode)]
pub struct RecallEvicted {
    pub branch: String,
    pub ids: Vec<u64>,
    /// The archival records that have their texts, in the same order.
    pub records: Vec<u64>,
    pub origin: MemoryOrigin,
}

/// Older events of the branch's own became summaries in the archive.
#[derive(Clone, Debug, PartialEq, Encode, Decode)]
pub struct RecallConsolidated {
    pub branch: String,
    /// How many there were, and how many of them stay.
    pub total: u64,
    pub kept: u64,
    pub groups: Vec<RecallGroup>,
    pub origin: MemoryOrigin,
}

/// Events of one kind that became one archival record.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct RecallGroup {
    pub kind: String,
    pub ids: Vec<u64>,
    pub record: u64,
}

/// Older inherited events became summaries of the branch's own: it no longer sees them, its
/// ancestors keep them.
#[derive(Clone, Debug, PartialEq, Encode, Decode)]
pub struct InheritedConsolidated {
    pub branch: String,
    pub total: u64,
    pub kept: u64,
    /// How many ancestors the branch has.
    pub ancestors: u64,
    pub groups: Vec<InheritedGroup>,
    pub origin: MemoryOrigin,
}

/// Inherited events of one kind that became one summary.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct InheritedGroup {
    pub kind: String,
    pub ids: Vec<u64>,
    /// Its number in `inherited_summaries`.
    pub summary_id: u64,
    pub summary: String,
}
