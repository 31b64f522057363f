//! The shapes of JSON output: what `--json` prints, and nothing else.
//!
//! Additive: fields are added, never renamed or removed. Times are RFC 3339 in UTC, durations are
//! milliseconds, ids are hyphenated UUIDs, `sequence` is an event's number in the journal (`@4711`),
//! `no` is an execution's ordinal (`142`). An example of each verb's output lies in
//! `tests/fixtures/json/`, and a test compares the shapes.

mod agent;
mod error;
mod verify;

use serde::Serialize;

use crate::event::tool::is_mutation;
use crate::grounding::tools::{Parameter, ToolSpec};

pub use crate::event::wire::OfJournal;
pub use agent::{Agent, Coverage, Hook, HookFault, Installed};
pub use error::PipeError;
pub use verify::{
    ArchivedMissing, Bytes, Contradicted, Finding, Fork, Held, LeftOutBy, RecordedLoss, Redaction,
    Verified,
};

#[derive(Debug, Serialize)]
pub struct Tool {
    pub tool: &'static str,
    pub about: &'static str,
    /// It changes files: the gate wants a read of the timeline before it.
    pub mutation: bool,
    /// Whether the program that it needs is here.
    pub available: bool,
    /// That program; `null` where it needs none.
    pub program: Option<&'static str>,
    pub parameters: &'static [Parameter],
}

impl Tool {
    pub fn of(spec: &ToolSpec, available: bool) -> Self {
        Self {
            tool: spec.name,
            about: spec.about,
            mutation: is_mutation(spec.name),
            available,
            program: spec.program,
            parameters: spec.parameters,
        }
    }
}
