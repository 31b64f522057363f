//! Grounding: the agent read the timeline, the gate said no, success was claimed (spec 001).

use bincode::{Decode, Encode};

use super::{CallKey, ExecutionId, GateMode, GateRule, PlanFault, ReadBy, Report};

/// The timeline was put before the session's agent: what a mutation needs before it.
#[derive(Clone, Debug, PartialEq, Encode, Decode)]
pub struct TimelineQueried {
    /// As spec 001 writes it: `memory_query(timeline_summary, last=10)`.
    pub query: String,
    pub by: ReadBy,
    /// The last event that the answer knew of.
    pub through_sequence: u64,
    /// How many rows the answer had.
    pub returned: u64,
}

/// The gate's verdict was no. Under `enforce` the call did not run; else it went on.
#[derive(Clone, Debug, PartialEq, Encode, Decode)]
pub struct GateRefused {
    /// The call that was judged, where it has an execution.
    pub execution: Option<ExecutionId>,
    pub call: Option<CallKey>,
    /// The contract's name of the tool; `claim` where success was claimed.
    pub tool: String,
    pub target: Option<String>,
    pub rule: GateRule,
    /// In spec 001's words.
    pub reason: String,
    /// What to ask first: `memory_query(timeline_summary)`.
    pub required_query: String,
    pub mode: GateMode,
}

/// A call that the gate had denied ran all the same.
#[derive(Clone, Debug, PartialEq, Encode, Decode)]
pub struct GateBypassed {
    /// The execution that was recorded as refused.
    pub execution: ExecutionId,
    pub call: Option<CallKey>,
    pub tool: String,
    /// The sequence of the [`GateRefused`], where it is known.
    pub refused: Option<u64>,
}

/// The agent said that it succeeded; the verdict is beside it.
#[derive(Clone, Debug, PartialEq, Encode, Decode)]
pub struct SuccessClaimed {
    /// What was said, cut to what a line holds.
    pub claim: String,
    pub accepted: bool,
    /// The passing check that bears it out.
    pub verified_by: Option<ExecutionId>,
    /// Executions that the claim cites and that exist.
    pub cited: Vec<ExecutionId>,
    /// Why it was not accepted.
    pub reason: Option<String>,
}

/// A plan was checked for a grounding read before each of its edits.
#[derive(Clone, Debug, PartialEq, Encode, Decode)]
pub struct PlanChecked {
    /// The blake3 of the plan's canonical JSON.
    pub digest: [u8; 32],
    pub steps: u64,
    pub accepted: bool,
    pub faults: Vec<PlanFault>,
}

/// The agent ended a turn after changes or failures without claiming success: what it said of them.
#[derive(Clone, Debug, PartialEq, Encode, Decode)]
pub struct OutcomeReported {
    pub report: Report,
    /// What was said, cut to what a line holds.
    pub text: String,
}
