//! Facts about branch memory (spec 003): what was written, read, moved and shown, and by whom.
//!
//! What was decided is in the event: which keys had to go, which events became one summary, under
//! which number a record lies. A projector applies; it never decides.

mod care;
mod embedded;
mod state;

use bincode::{Decode, Encode};
use serde::Serialize;

use crate::event::{Content, ExecutionId, words};

pub use care::*;
pub use embedded::MemoryEmbedded;
pub use state::*;

/// A key was given a value.
#[derive(Clone, Debug, PartialEq, Encode, Decode, Serialize)]
pub struct CoreSet {
    pub branch: String,
    pub key: String,
    pub value: String,
    /// 1 (goes first) to 5.
    pub importance: u8,
    /// Seconds it is valid from then on, decimal; judged when it is read. `None`, or no number: for
    /// ever.
    pub ttl: Option<String>,
    pub origin: MemoryOrigin,
}

/// A key was deleted: what is inherited under it is hidden from here on down.
#[derive(Clone, Debug, PartialEq, Encode, Decode, Serialize)]
pub struct CoreDeleted {
    pub branch: String,
    pub key: String,
    pub reason: String,
    pub origin: MemoryOrigin,
}

/// A key had to go; its value lies in the archive. As with a deletion, what is inherited under it
/// stays hidden.
#[derive(Clone, Debug, PartialEq, Encode, Decode, Serialize)]
pub struct CoreEvicted {
    pub branch: String,
    pub key: String,
    /// The archival record that has the value.
    pub record: u64,
    pub importance: u8,
    pub cause: EvictionCause,
    pub origin: MemoryOrigin,
}

words! {
    /// Why a key had to go. Append-only: the position of a variant is its byte.
    #[derive(Encode, Decode)]
    pub enum EvictionCause {
        /// The branch's core was over its budget.
        Budget = "budget",
        /// It was judged unimportant under pressure.
        Consolidation = "consolidation",
    }
}

/// A text was archived.
#[derive(Clone, Debug, PartialEq, Encode, Decode, Serialize)]
pub struct ArchivalWritten {
    /// Its number in `archival`, given once in a journal, never again.
    pub id: u64,
    pub branch: String,
    pub text: String,
    pub tags: Vec<String>,
    /// All of it, where `text` had to be cut; now a longer text goes on in further events instead.
    pub whole: Option<Content>,
    pub origin: MemoryOrigin,
}

/// A record was changed; what is `None` stays as it was.
#[derive(Clone, Debug, PartialEq, Encode, Decode, Serialize)]
pub struct ArchivalUpdated {
    pub id: u64,
    /// The branch it is of.
    pub branch: String,
    pub text: Option<String>,
    pub tags: Option<Vec<String>>,
    /// All of the text, where it had to be cut; now the rest goes on in further events instead.
    pub whole: Option<Content>,
    pub origin: MemoryOrigin,
}

words! {
    /// By which layer an operation came. Append-only: the position of a variant is its byte.
    #[derive(Encode, Decode)]
    pub enum MemoryDoor {
        /// `set_core`, `write_event` and the like, called as they are.
        Primitive = "primitive",
        /// A `mem_*` function.
        Api = "api",
        /// A model's `<memory_update>`.
        Model = "model",
        /// The program itself: eviction, consolidation.
        Internal = "internal",
        /// A memory that was moved here.
        Import = "import",
    }
}

/// A branch of memory began: it sees what its ancestors hold, and they see nothing of it.
#[derive(Clone, Debug, PartialEq, Encode, Decode, Serialize)]
pub struct BranchForked {
    pub branch: String,
    /// `None` for a root.
    pub parent: Option<String>,
    /// The node of a search tree it stands for.
    pub node: Option<String>,
    /// Made because a fork named it as an ancestor that did not exist.
    pub auto_created: bool,
    /// What it was copied from, where it was forked from the past; the copies follow in the same
    /// commit, and its parent is `None`.
    pub copied_from: Option<CopiedFrom>,
    pub origin: MemoryOrigin,
}

/// A branch as it was seen after one event.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode, Serialize)]
pub struct CopiedFrom {
    pub branch: String,
    pub through_sequence: u64,
}

/// Who asked for an operation on branch memory, and during what.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode, Serialize)]
pub struct MemoryOrigin {
    pub by: MemoryDoor,
    /// The run, the node and the phase it belongs to, by the caller's names.
    pub run: Option<String>,
    pub node: Option<String>,
    pub phase: Option<String>,
    /// The execution during which it happened.
    pub execution: Option<ExecutionId>,
}

impl MemoryOrigin {
    /// An operation that came by this door, of no run, node, phase or execution.
    pub fn by(by: MemoryDoor) -> Self {
        Self { by, run: None, node: None, phase: None, execution: None }
    }
}

/// An event was remembered.
#[derive(Clone, Debug, PartialEq, Encode, Decode, Serialize)]
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
#[derive(Clone, Debug, PartialEq, Encode, Decode, Serialize)]
pub struct RecallEvicted {
    pub branch: String,
    pub ids: Vec<u64>,
    /// The archival records that have their texts, in the same order.
    pub records: Vec<u64>,
    pub origin: MemoryOrigin,
}

/// Older events of the branch's own became summaries in the archive.
#[derive(Clone, Debug, PartialEq, Encode, Decode, Serialize)]
pub struct RecallConsolidated {
    pub branch: String,
    /// How many there were, and how many of them stay.
    pub total: u64,
    pub kept: u64,
    pub groups: Vec<RecallGroup>,
    pub origin: MemoryOrigin,
}

/// Events of one kind that became one archival record.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode, Serialize)]
pub struct RecallGroup {
    pub kind: String,
    pub ids: Vec<u64>,
    pub record: u64,
}

/// Older inherited events became summaries of the branch's own: it no longer sees them, its
/// ancestors keep them.
#[derive(Clone, Debug, PartialEq, Encode, Decode, Serialize)]
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
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode, Serialize)]
pub struct InheritedGroup {
    pub kind: String,
    pub ids: Vec<u64>,
    /// Its number in `inherited_summaries`.
    pub summary_id: u64,
    pub summary: String,
}
