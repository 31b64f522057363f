//! Why the gate refused, in spec 001's words.

use crate::event::GateRule;

/// Why the gate refused, and what to ask first.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("Grounding required: {reason}")]
pub struct Refusal {
    pub rule: GateRule,
    /// The contract's name of the tool; [`Refusal::CLAIM`] where success was claimed.
    pub tool: String,
    pub target: Option<String>,
    pub reason: String,
    /// `memory_query(timeline_summary)`
    pub required_query: String,
}

impl Refusal {
    /// Stands in the tool's place where success was claimed.
    pub const CLAIM: &str = "claim";
    /// A mutation without a read of the timeline (spec 001).
    pub const NO_GROUNDING: &str = "Must call memory_query before mutation tool";
    /// What to ask where nothing more exact helps (spec 001).
    pub const TIMELINE_QUERY: &str = "memory_query(timeline_summary)";
    /// A claim of success that no check bears out (spec 001).
    pub const UNVERIFIED: &str = "Must verify success via lsp_check";
    /// What shows that a check passed (spec 001).
    pub const CHECK_QUERY: &str = "memory_query(tool=\"lsp_check\", success=true)";

    /// What shows the failures of a tool (spec 001).
    pub fn failures_query(tool: &str) -> String {
        format!("memory_query(tool={tool:?}, success=false)")
    }
}
