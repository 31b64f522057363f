//! Facts about branch memory (spec 003): what was written, read, moved and shown, and by whom.
//!
//! What was decided is in the event: which keys had to go, which events became one summary, under
//! which number a record lies. A projector applies; it never decides.

mod care;
mod of_body;
mod recall;

use bincode::{Decode, Encode};

use crate::event::{Content, ExecutionId, Json};

pub use care::{
    Importance, ImportanceEvaluated, MemoryConsolidated, PressureChecked, PressureLevel,
};
pub use recall::{
    InheritedConsolidated, InheritedGroup, RecallAppended, RecallConsolidated, RecallEvicted,
    RecallGroup,
};

/// A key was given a value.
#[derive(Clone, Debug, PartialEq, Encode, Decode)]
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
#[derive(Clone, Debug, PartialEq, Encode, Decode)]
pub struct CoreDeleted {
    pub branch: String,
    pub key: String,
    pub reason: String,
    pub origin: MemoryOrigin,
}

/// A key had to go; its value lies in the archive. As with a deletion, what is inherited under it
/// stays hidden.
#[derive(Clone, Debug, PartialEq, Encode, Decode)]
pub struct CoreEvicted {
    pub branch: String,
    pub key: String,
    /// The archival record that has the value.
    pub record: u64,
    pub importance: u8,
    pub cause: EvictionCause,
    pub origin: MemoryOrigin,
}

/// Why a key had to go. Append-only: the position of a variant is its byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Encode, Decode)]
pub enum EvictionCause {
    /// The branch's core was over its budget.
    Budget,
    /// It was judged unimportant under pressure.
    Consolidation,
}

impl EvictionCause {
    /// The word in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Budget => "budget",
            Self::Consolidation => "consolidation",
        }
    }
}

/// A model's `<memory_update>` was applied. What it wrote and read are events before this one, in
/// the same commit.
#[derive(Clone, Debug, PartialEq, Encode, Decode)]
pub struct UpdatesApplied {
    pub branch: String,
    /// The keys that it had, by their first names, in order of application.
    pub asked: Vec<String>,
    /// What was done, in order: a JSON array of objects with `type`, `timestamp` and what spec 003
    /// logs of each.
    pub operations: Json,
    /// Unix milliseconds.
    pub began_ms: u64,
    pub ended_ms: u64,
    pub prompt: Option<PromptPlace>,
    pub origin: MemoryOrigin,
}

/// Memory was put into a prompt.
#[derive(Clone, Debug, PartialEq, Encode, Decode)]
pub struct PromptRendered {
    pub branch: String,
    pub task_hint: Option<String>,
    pub budget_chars: u64,
    pub no_limit: bool,
    /// The text.
    pub rendered: Content,
    pub rendered_chars: u64,
    pub core_count: u64,
    pub recall_count: u64,
    pub archival_count: u64,
    /// Unix milliseconds.
    pub began_ms: u64,
    pub ended_ms: u64,
    pub prompt: Option<PromptPlace>,
    pub origin: MemoryOrigin,
}

/// A text was archived.
#[derive(Clone, Debug, PartialEq, Encode, Decode)]
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
#[derive(Clone, Debug, PartialEq, Encode, Decode)]
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

/// By which layer an operation came. Append-only: the position of a variant is its byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Encode, Decode)]
pub enum MemoryDoor {
    /// `set_core`, `write_event` and the like, called as they are.
    Primitive,
    /// A `mem_*` function.
    Api,
    /// A model's `<memory_update>`.
    Model,
    /// The program itself: eviction, consolidation.
    Internal,
    /// A memory that was moved here.
    Import,
}

impl MemoryDoor {
    /// The word in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Primitive => "primitive",
            Self::Api => "api",
            Self::Model => "model",
            Self::Internal => "internal",
            Self::Import => "import",
        }
    }
}

/// Memory was read.
#[derive(Clone, Debug, PartialEq, Encode, Decode)]
pub struct MemoryRead {
    pub branch: String,
    pub query: MemoryQuery,
    /// How much was found.
    pub results: u64,
    pub origin: MemoryOrigin,
}

/// What was asked for. Append-only: the position of a variant is its byte.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub enum MemoryQuery {
    /// Values; no keys: all of them.
    Core { keys: Vec<String> },
    /// Events that have these words.
    Recall { query: String, k: u64 },
    /// Records that have these words and all of these tags.
    Archival { query: String, k: u64, tags: Vec<String>, include_ancestors: bool },
    /// One record.
    Record { id: u64 },
    /// All three layers, or one: `all`, `core`, `recall`, `archival`.
    Node { scope: String },
}

/// A branch of memory began: it sees what its ancestors hold, and they see nothing of it.
#[derive(Clone, Debug, PartialEq, Encode, Decode)]
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
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct CopiedFrom {
    pub branch: String,
    pub through_sequence: u64,
}

/// `experiments/<run>/logs/<index>-<name>/`
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Experiment {
    pub run: String,
    pub index: u64,
    pub name: String,
}

/// One query of a model: `prompt_logs/<session>/<label>_round<round>`.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct PromptPlace {
    pub experiment: Experiment,
    pub session: String,
    /// The stage of the search.
    pub stage: String,
    /// What was asked and the attempt: `draft_attempt1`.
    pub label: String,
    /// How many queries of this session came before, plus one.
    pub counter: u64,
    /// 0, then one more for each answer to a read of memory.
    pub round: u64,
}

/// Who asked for an operation on branch memory, and during what.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
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
