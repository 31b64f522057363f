//! Grounding: the agent read the timeline, the gate said no, success was claimed (spec 001).

use bincode::{Decode, Encode};
use serde::Serialize;

use super::{CallKey, ExecutionId, wire, words};

/// The timeline was put before the session's agent: what a mutation needs before it.
#[derive(Clone, Debug, PartialEq, Encode, Decode, Serialize)]
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
#[derive(Clone, Debug, PartialEq, Encode, Decode, Serialize)]
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
#[derive(Clone, Debug, PartialEq, Encode, Decode, Serialize)]
pub struct GateBypassed {
    /// The execution that was recorded as refused.
    pub execution: ExecutionId,
    pub call: Option<CallKey>,
    pub tool: String,
    /// The sequence of the [`GateRefused`], where it is known.
    #[serde(rename = "refused_sequence")]
    pub refused: Option<u64>,
}

/// The agent said that it succeeded; the verdict is beside it.
#[derive(Clone, Debug, PartialEq, Encode, Decode, Serialize)]
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
#[derive(Clone, Debug, PartialEq, Encode, Decode, Serialize)]
pub struct PlanChecked {
    /// The blake3 of the plan's canonical JSON.
    #[serde(serialize_with = "wire::hex")]
    pub digest: [u8; 32],
    pub steps: u64,
    pub accepted: bool,
    pub faults: Vec<PlanFault>,
}

/// The agent ended a turn after changes, failures or checks without claiming success: what it said of them.
#[derive(Clone, Debug, PartialEq, Encode, Decode, Serialize)]
pub struct OutcomeReported {
    pub report: Report,
    /// What was said, cut to what a line holds.
    pub text: String,
}

words! {
    /// How the timeline came before an agent. Append-only: the position of a variant is its byte.
    #[derive(Encode, Decode)]
    pub enum ReadBy {
        /// It asked: `memory_query`, `annals timeline`.
        Asked = "asked",
        /// The gate refused, or advised, and gave it along.
        Gate = "gate",
    }
}

words! {
    /// What a gate refuses for. Append-only: the position of a variant is its byte.
    #[derive(Encode, Decode)]
    pub enum GateRule {
        /// A mutation without a read of the timeline before it.
        NoGrounding = "no_grounding",
        /// A claim of success without a passing check after the last failure.
        UnverifiedSuccess = "unverified_success",
        /// An execution is cited that does not exist.
        UnknownExecution = "unknown_execution",
        /// The same action failed recently.
        KnownAntiPattern = "known_anti_pattern",
        /// The same failure again and again, and nobody read why.
        FailureLoop = "failure_loop",
    }
}

words! {
    /// What a gate's verdict does. Append-only: the position of a variant is its byte.
    #[derive(Encode, Decode)]
    pub enum GateMode {
        /// It is recorded and nothing else.
        Observe = "observe",
        /// The call goes on, and the agent is given what it should have read.
        Advise = "advise",
        /// The call does not run.
        Enforce = "enforce",
    }
}

words! {
    /// What an agent says of its work where it claims no success. Append-only: the position of a
    /// variant is its byte.
    #[derive(Encode, Decode)]
    pub enum Report {
        /// Nothing was verified.
        Unverified = "unverified",
        /// It did not succeed, or not all of it.
        Failed = "failed",
        /// It asks.
        Asked = "asked",
    }
}

/// What is wrong with a step of a plan.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode, Serialize)]
pub struct PlanFault {
    /// From 1, as a person counts.
    pub step: u64,
    pub tool: String,
    pub reason: String,
}
