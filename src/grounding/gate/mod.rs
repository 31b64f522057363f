//! The gate (spec 001): whoever acts has read the timeline, and whoever claims success has checked.
//!
//! A question with a verdict, the same for every surface. What it must know of a session is a
//! small fold of the journal, kept in a file so that a hook need not read a store.

mod block;
pub(crate) mod cited;
mod claim;
mod judge;
mod message;
mod plan;
mod plan_step;
mod remedy;
mod session_file;
mod statement;
pub(crate) mod step;
mod stored;
#[cfg(test)]
pub(crate) mod tests;

use std::path::PathBuf;
use std::{fmt, io};

use crate::event::target::Target;
use crate::event::{
    Body, CallKey, ExecutionId, GateMode, GateRefused, GateRule, ReadBy, SessionId,
    TimelineCheckpoint, TimelineQueried,
};
use crate::journal::JournalError;
use claim::kept;

pub use crate::grounding::fold::Grounding;
pub use block::block;
pub use cited::Cited;
pub use claim::{Claim, judge_claim};
pub use judge::{ended, is_mutation, judge};
pub use message::Message;
pub use plan::{PLAN_BYTES_MAX, PlanError, PlanVerdict, check_plan};
pub use remedy::unverified;
pub use session_file::SessionFile;
pub use statement::Statement;
pub use step::step_ended;

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
        let returned = grounding.recent().count() as u64;
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
        total_executions: grounding.executions(),
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

/// An execution as a text cites it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Citation {
    /// `#142`, `execution 142`
    Ordinal(u64),
    /// A UUID.
    Id(ExecutionId),
}

/// Citations of one text that are looked at.
const CITATIONS_MAX: usize = 64;
/// Bytes of a text that are read.
const TEXT_BYTES_MAX: usize = 64 << 10;
/// A hyphenated UUID.
const UUID_BYTES: usize = 36;

impl Citation {
    fn read(word: &str, is_number: bool) -> Option<Self> {
        if word.len() == UUID_BYTES && word.is_ascii() {
            return uuid::Uuid::try_parse(word)
                .ok() // then it cites nothing
                .map(|id| Self::Id(ExecutionId(id.into_bytes())));
        }
        let digits = match word.strip_prefix('#') {
            Some(digits) => digits,
            None => Some(word).filter(|_| is_number)?,
        };
        let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        // A number beyond all numbers is an execution that does not exist.
        plain.then(|| Self::Ordinal(digits.parse().unwrap_or(u64::MAX)))
    }
}

impl fmt::Display for Citation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ordinal(ordinal) => ordinal.fmt(f),
            Self::Id(id) => id.fmt(f),
        }
    }
}

/// A call that wants to be made.
#[derive(Clone, Debug, PartialEq)]
pub struct Proposal {
    /// The contract's name of the tool.
    pub tool: String,
    /// The agent's own name of it, where it differs.
    pub native_tool: Option<String>,
    /// A JSON object.
    pub arguments: String,
    pub paths: Vec<String>,
    pub symbols: Vec<String>,
    pub session: SessionId,
    pub call: Option<CallKey>,
    pub door: Door,
}

impl Proposal {
    /// A call of this tool with these arguments.
    pub fn new(tool: &str, arguments: &str, session: SessionId, door: Door) -> Self {
        Self {
            tool: tool.to_owned(),
            native_tool: None,
            arguments: arguments.to_owned(),
            paths: Vec::new(),
            symbols: Vec::new(),
            session,
            call: None,
            door,
        }
    }

    /// What it is about.
    pub fn target(&self) -> Option<Target> {
        Target::of(&self.arguments, &self.paths, &self.symbols)
    }
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

/// What the gate says of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    Pass,
    Refused(Refusal),
}

impl Verdict {
    /// Why it was refused, where it was.
    pub fn refusal(&self) -> Option<&Refusal> {
        match self {
            Self::Pass => None,
            Self::Refused(refusal) => Some(refusal),
        }
    }
}

/// Why a gate cannot judge.
#[derive(Debug, thiserror::Error)]
pub enum GateError {
    #[error("{} could not be {did}", path.display())]
    File { path: PathBuf, did: &'static str, source: io::Error },
    #[error(transparent)]
    Journal(#[from] JournalError),
}

/// Which way a call came to the gate: how long a read of the timeline holds depends on it (ruling 6).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Door {
    /// An agent's hook: a read holds until the session's next failure, or the window if longer.
    Hook,
    /// The library, and the tool layer: a read holds for the window.
    Library,
}
