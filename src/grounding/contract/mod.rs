//! Spec 001's own code under its own names: an agent's steps, done only once the timeline was read.
//!
//! ```
//! use annals::execution_engine::{
//!     ExecutionError, Step, current_timestamp_ms, invoke_tool_with_grounding,
//! };
//! use annals::execution_tools::ExecutionDb;
//!
//! # let dir = tempfile::tempdir()?;
//! # let path = dir.path();
//! let exec_db = ExecutionDb::initialize(path)?;
//! let arguments = serde_json::json!({"path": "notes.md", "content": "read first\n"});
//! let step = Step::new("file_create", &arguments)?;
//!
//! // Nobody read the timeline before.
//! let refused = invoke_tool_with_grounding(&step, &exec_db, None);
//! assert!(matches!(refused, Err(ExecutionError::GroundingRequired { .. })));
//!
//! let last_query_time = Some(current_timestamp_ms());
//! let made = invoke_tool_with_grounding(&step, &exec_db, last_query_time)?;
//! assert!(made.success);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`invoke_tool_grounded`] takes the last read from the session's record instead, where
//! `memory_query` puts it: a program need not keep count.

mod claim;
mod result;

pub use crate::event::tool::is_mutation as is_mutation_tool;
pub use crate::grounding::gate::{Claim, Refusal};
pub use crate::grounding::timeline::{TimelineBlock, TimelineEntry, TimelinePosition};
pub use crate::grounding::tools::{GateNotice, Step, TOOLS, ToolError, ToolSpec};
pub use crate::journal::clock::now_ms as current_timestamp_ms;
pub use claim::{
    ExecutionError, GROUNDING_WINDOW_MS, NoGrounding, declare_success, invoke_tool,
    invoke_tool_grounded, invoke_tool_with_grounding,
};
pub use result::ToolInvocation;

/// Puts the timeline's position before a prompt, as of now (spec 001, "Prompt Engineering").
pub fn inject_timeline_context(prompt: &str, position: &TimelinePosition) -> String {
    position.before(prompt, current_timestamp_ms())
}
