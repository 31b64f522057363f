//! The gate (spec 001): whoever acts has read the timeline, and whoever claims success has checked.
//!
//! A question with a verdict, the same for every surface. What it must know of a session is a
//! small fold of the journal, kept in a file so that a hook need not read a store.

mod citation;
mod claim;
pub(crate) mod index;
mod judge;
mod message;
mod plan;
mod remedy;
mod sealed_file;
mod session_file;
#[cfg(test)]
pub(crate) mod tests;

use std::io;
use std::path::PathBuf;

use serde::Serialize;

use crate::event::{
    Body, CallKey, ExecutionId, GateMode, GateRefused, GateRule, ReadBy, TimelineCheckpoint,
    TimelineQueried,
};
use crate::fault::{Fault, Sorted};
use crate::journal::JournalError;
use crate::journal::fault;
use crate::parse::check::Spoken;

use crate::grounding::fold::Missed;

pub use crate::grounding::fold::Grounding;
pub use citation::Citation;
pub use claim::{Claim, Statement, judge_claim};
pub use index::Cited;
pub use judge::{Door, JudgedCall, Proposal, ended, judge};
pub use message::Message;
pub use plan::{PLAN_BYTES_MAX, PlanError, check_plan, unreadable_plan};
pub use remedy::unverified;
pub use session_file::{KeptFold, SessionFile};

/// What a refusal appends, in one commit: the refusal; and where the agent is given the timeline
/// along with it, that it was, which is the read that the next call needs. Where it is only
/// observed the agent is given nothing.
pub fn refused(
    refusal: &Refusal,
    grounding: &Grounding,
    mode: GateMode,
    execution: Option<ExecutionId>,
    call: Option<CallKey>,
) -> Vec<Body> {
    let mut bodies = vec![refusal_alone(refusal, mode, execution, call)];
    if mode != GateMode::Observe {
        let returned = grounding.recent.len() as u64;
        bodies.push(checkpoint(grounding));
        bodies.push(queried(grounding, Refusal::TIMELINE_QUERY, ReadBy::Gate, returned));
    }
    bodies
}

/// The refusal alone: nobody is given the timeline along with it.
pub fn refusal_alone(
    refusal: &Refusal,
    mode: GateMode,
    execution: Option<ExecutionId>,
    call: Option<CallKey>,
) -> Body {
    Body::GateRefused(GateRefused {
        execution,
        call,
        tool: refusal.tool.clone(),
        target: refusal.target.clone(),
        rule: refusal.rule,
        reason: refusal.reason.clone(),
        required_query: refusal.required_query.clone(),
        mode,
    })
}

/// The timeline block was given to a model.
pub fn checkpoint(grounding: &Grounding) -> Body {
    Body::TimelineCheckpoint(TimelineCheckpoint {
        through_sequence: grounding.through().0,
        total_executions: grounding.executions,
        current_step: grounding.current_step(),
    })
}

/// The session's agent read the timeline; `returned` rows of it.
pub fn queried(grounding: &Grounding, query: &str, by: ReadBy, returned: u64) -> Body {
    let through_sequence = grounding.through().0;
    Body::TimelineQueried(TimelineQueried {
        query: query.to_owned(),
        by,
        through_sequence,
        returned,
    })
}

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
    /// What the claim speaks of.
    pub spoken: Spoken,
    /// What it says is there or done, and of which only a call that failed is known.
    pub missed: Option<Box<Missed>>,
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

    fn of(rule: GateRule, tool: &str, reason: &str, required_query: &str) -> Self {
        let (tool, reason, required_query) =
            (tool.to_owned(), reason.to_owned(), required_query.to_owned());
        Self {
            rule,
            tool,
            target: None,
            reason,
            required_query,
            spoken: Spoken::default(),
            missed: None,
        }
    }

    /// Of a change that nobody read the timeline before.
    pub fn no_grounding(tool: &str) -> Self {
        Self::of(GateRule::NoGrounding, tool, Self::NO_GROUNDING, Self::TIMELINE_QUERY)
    }

    /// What shows the failures of a tool (spec 001).
    pub fn failures_query(tool: &str) -> String {
        format!("memory_query(tool={tool:?}, success=false)")
    }
}

/// A refusal beside what was refused, as JSON has it: all `null` where there is none.
#[derive(Debug, Serialize)]
pub struct RefusedWhy<'r> {
    rule: Option<GateRule>,
    reason: Option<&'r str>,
    required_query: Option<&'r str>,
}

impl<'r> From<Option<&'r Refusal>> for RefusedWhy<'r> {
    fn from(refusal: Option<&'r Refusal>) -> Self {
        Self {
            rule: refusal.map(|it| it.rule),
            reason: refusal.map(|it| it.reason.as_str()),
            required_query: refusal.map(|it| it.required_query.as_str()),
        }
    }
}

type Result<T, E = GateError> = std::result::Result<T, E>;

#[derive(Debug, thiserror::Error)]
pub enum GateError {
    #[error("{} could not be {did}", path.display())]
    File { path: PathBuf, did: &'static str, source: io::Error },
    #[error(transparent)]
    Journal(#[from] JournalError),
}

impl Fault for GateError {
    fn sorted(&self) -> Sorted {
        fault::of_causes(self)
    }
}
