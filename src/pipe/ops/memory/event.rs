//! An event and a record as JSON gives them.

use serde::Deserialize;
use serde_json::Value;

use crate::memory::RecallGiven;
use crate::parse::reply::{ArchivalChange, ArchivalWrite, Updates};
use crate::pipe::PipeError;

/// Spec 003's "Event dict format", and what ruling 11 takes for it.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Event {
    ts: Option<f64>,
    run_id: Option<String>,
    node_id: Option<String>,
    branch_id: Option<String>,
    phase: Option<String>,
    kind: Option<String>,
    #[serde(alias = "text", alias = "content")]
    summary: String,
    refs: Vec<String>,
    tags: Vec<String>,
    task_hint: Option<String>,
    memory_size: Option<u64>,
}

impl Event {
    /// Whose it is, where it says so.
    pub fn branch(&self) -> Option<&str> {
        self.branch_id.as_deref().or(self.node_id.as_deref())
    }
}

impl From<Event> for RecallGiven {
    fn from(event: Event) -> Self {
        Self {
            ts: event.ts,
            run_id: event.run_id,
            node_id: event.node_id,
            branch_id: event.branch_id,
            phase: event.phase,
            kind: event.kind,
            summary: event.summary,
            refs: event.refs,
            tags: event.tags,
            task_hint: event.task_hint,
            memory_size: event.memory_size,
        }
    }
}

/// Records to write, read as a model's are.
pub fn records(value: Value) -> Result<Vec<ArchivalWrite>, PipeError> {
    Ok(Updates::of(&serde_json::json!({ "archival": value }))?.archival)
}

/// A record to change, read as a model's is.
pub fn change(value: Value) -> Result<ArchivalChange, PipeError> {
    let updates = Updates::of(&serde_json::json!({ "archival_update": [value] }))?;
    let change = updates.archival_update.into_iter().next();
    change.ok_or_else(|| PipeError::argument("record_id", "is missing"))
}
