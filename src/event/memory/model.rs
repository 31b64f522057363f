//! What a model was shown of memory, and what it asked of it.

use bincode::{Decode, Encode};

use super::{MemoryOrigin, PromptPlace};
use crate::event::{Content, Json};

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
