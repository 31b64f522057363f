//! Events of grounding in JSON.

use serde::Serialize;

use super::content::hex;
use super::execution::Call;
use crate::event;

/// The fields of one kind.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum Grounding<'a> {
    /// `by`: `asked` or `gate`.
    TimelineQueried {
        query: &'a str,
        by: &'a str,
        through_sequence: u64,
        returned: u64,
    },
    GateRefused {
        execution: Option<String>,
        call: Option<Call<'a>>,
        tool: &'a str,
        target: Option<&'a str>,
        rule: &'a str,
        reason: &'a str,
        required_query: &'a str,
        mode: &'a str,
    },
    /// `refused_sequence`: the refusal's event.
    GateBypassed {
        execution: String,
        call: Option<Call<'a>>,
        tool: &'a str,
        refused_sequence: Option<u64>,
    },
    SuccessClaimed {
        claim: &'a str,
        accepted: bool,
        verified_by: Option<String>,
        cited: Vec<String>,
        reason: Option<&'a str>,
    },
    PlanChecked {
        digest: String,
        steps: u64,
        accepted: bool,
        faults: Vec<Fault<'a>>,
    },
    /// `report`: `unverified`, `failed` or `asked`.
    OutcomeReported {
        report: &'a str,
        text: &'a str,
    },
}

/// What is wrong with a step of a plan; steps count from 1.
#[derive(Debug, Serialize)]
pub struct Fault<'a> {
    pub step: u64,
    pub tool: &'a str,
    pub reason: &'a str,
}

pub fn queried(b: &event::TimelineQueried) -> Grounding<'_> {
    Grounding::TimelineQueried {
        query: &b.query,
        by: b.by.as_str(),
        through_sequence: b.through_sequence,
        returned: b.returned,
    }
}

pub fn refused(b: &event::GateRefused) -> Grounding<'_> {
    Grounding::GateRefused {
        execution: b.execution.map(|id| id.to_string()),
        call: b.call.as_ref().map(Call::of),
        tool: &b.tool,
        target: b.target.as_deref(),
        rule: b.rule.as_str(),
        reason: &b.reason,
        required_query: &b.required_query,
        mode: b.mode.as_str(),
    }
}

pub fn bypassed(b: &event::GateBypassed) -> Grounding<'_> {
    Grounding::GateBypassed {
        execution: b.execution.to_string(),
        call: b.call.as_ref().map(Call::of),
        tool: &b.tool,
        refused_sequence: b.refused,
    }
}

pub fn claimed(b: &event::SuccessClaimed) -> Grounding<'_> {
    Grounding::SuccessClaimed {
        claim: &b.claim,
        accepted: b.accepted,
        verified_by: b.verified_by.map(|id| id.to_string()),
        cited: b.cited.iter().map(ToString::to_string).collect(),
        reason: b.reason.as_deref(),
    }
}

pub fn plan(b: &event::PlanChecked) -> Grounding<'_> {
    Grounding::PlanChecked {
        digest: hex(b.digest),
        steps: b.steps,
        accepted: b.accepted,
        faults: b
            .faults
            .iter()
            .map(|fault| Fault { step: fault.step, tool: &fault.tool, reason: &fault.reason })
            .collect(),
    }
}

pub fn reported(b: &event::OutcomeReported) -> Grounding<'_> {
    Grounding::OutcomeReported { report: b.report.as_str(), text: &b.text }
}
