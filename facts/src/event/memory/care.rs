//! What of a branch's memory was read, shown and asked for, how full it is, and what was done about it.

use bincode::{Decode, Encode};
use serde::Serialize;

use super::MemoryOrigin;
use crate::event::{Content, Json, wire, words};

/// Memory was read.
#[derive(Clone, Debug, PartialEq, Encode, Decode, Serialize)]
pub struct MemoryRead {
    pub branch: String,
    pub query: MemoryQuery,
    /// How much was found.
    pub results: u64,
    pub origin: MemoryOrigin,
}

/// What was asked for. Append-only: the position of a variant is its byte.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode, Serialize)]
#[serde(tag = "what", rename_all = "snake_case")]
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

/// A model's `<memory_update>` was applied. What it wrote and read are events before this one, in
/// the same commit.
#[derive(Clone, Debug, PartialEq, Encode, Decode, Serialize)]
pub struct UpdatesApplied {
    pub branch: String,
    /// The keys that it had, by their first names, in order of application.
    pub asked: Vec<String>,
    /// What was done, in order: a JSON array of objects with `type`, `timestamp` and what spec 003
    /// logs of each.
    pub operations: Json,
    /// Unix milliseconds.
    #[serde(rename = "began", serialize_with = "wire::utc")]
    pub began_ms: u64,
    #[serde(rename = "ended", serialize_with = "wire::utc")]
    pub ended_ms: u64,
    pub prompt: Option<PromptPlace>,
    pub origin: MemoryOrigin,
}

/// Memory was put into a prompt.
#[derive(Clone, Debug, PartialEq, Encode, Decode, Serialize)]
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
    #[serde(rename = "began", serialize_with = "wire::utc")]
    pub began_ms: u64,
    #[serde(rename = "ended", serialize_with = "wire::utc")]
    pub ended_ms: u64,
    pub prompt: Option<PromptPlace>,
    pub origin: MemoryOrigin,
}

/// `experiments/<run>/logs/<index>-<name>/`
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode, Serialize)]
pub struct Experiment {
    pub run: String,
    pub index: u64,
    pub name: String,
}

/// One query of a model: `prompt_logs/<session>/<label>_round<round>`.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode, Serialize)]
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

/// How full memory is was looked at.
#[derive(Clone, Debug, PartialEq, Encode, Decode, Serialize)]
pub struct PressureChecked {
    pub branch: String,
    pub level: PressureLevel,
    /// 0.6 of core's share and 0.4 of recall's, in thousandths.
    pub overall_permille: u64,
    /// Characters of the branch's own core, and its budget.
    pub core_used: u64,
    pub core_max: u64,
    pub core_entries: u64,
    /// Events it sees, and its window.
    pub recall_count: u64,
    pub recall_max: u64,
    /// Records it sees, and their characters.
    pub archival_count: u64,
    pub archival_chars: u64,
    pub recommendations: Vec<String>,
    pub origin: MemoryOrigin,
}

words! {
    /// How full memory is. Append-only: the position of a variant is its byte.
    #[derive(Encode, Decode)]
    pub enum PressureLevel {
        Low = "low",
        Medium = "medium",
        High = "high",
        Critical = "critical",
    }
}

/// A model, or a rule, judged what matters.
#[derive(Clone, Debug, PartialEq, Encode, Decode, Serialize)]
pub struct ImportanceEvaluated {
    pub branch: String,
    pub task_hint: Option<String>,
    /// Each key keeps its value and its time to live.
    pub items: Vec<Importance>,
    pub origin: MemoryOrigin,
}

/// What a key is worth.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode, Serialize)]
pub struct Importance {
    pub key: String,
    /// 1 to 5.
    pub score: u8,
    pub reason: String,
}

/// Memory was put in order. What was moved are events before this one, in the same commit.
#[derive(Clone, Debug, PartialEq, Encode, Decode, Serialize)]
pub struct MemoryConsolidated {
    pub branch: String,
    /// The pressure it was done for, and what it was afterwards.
    pub level: PressureLevel,
    pub new_level: PressureLevel,
    pub actions: Vec<String>,
    pub freed_chars: u64,
    pub core_evicted: u64,
    pub recall_consolidated: u64,
    pub origin: MemoryOrigin,
}
