//! The gate's verdicts, as `gate`, `claim` and `step` print them.

use serde::Serialize;

use crate::event::OutcomeReported;
use crate::grounding::gate;

/// What the gate says of a call, as `gate check` prints it.
#[derive(Clone, Debug, Serialize)]
pub struct GateVerdict {
    pub session: String,
    /// `pass` or `refused`.
    pub verdict: String,
    /// `observe`, `advise` or `enforce`: only the last keeps a call from running.
    pub mode: String,
    pub tool: String,
    pub target: Option<String>,
    /// `no_grounding`, `known_anti_pattern` or `failure_loop`.
    pub rule: Option<String>,
    /// In spec 001's words.
    pub reason: Option<String>,
    /// What to ask first.
    pub required_query: Option<String>,
}

/// What became of a plan, as `gate plan` prints it.
#[derive(Clone, Debug, Serialize)]
pub struct PlanVerdict {
    pub accepted: bool,
    pub steps: u64,
    pub faults: Vec<PlanFault>,
}

/// What is wrong with a step of a plan; steps count from 1.
#[derive(Clone, Debug, Serialize)]
pub struct PlanFault {
    pub step: u64,
    pub tool: String,
    pub reason: String,
}

/// What became of a claim, as `claim` prints it.
#[derive(Clone, Debug, Serialize)]
pub struct Claim {
    pub claim: String,
    /// A claim that a check bears out.
    pub accepted: bool,
    /// Where it claims nothing, what it says instead: `unverified`, `failed`, `asked` or, not judged,
    /// `nothing`.
    pub report: Option<String>,
    /// The execution of the check that bears it out.
    pub verified_by: Option<String>,
    /// Executions that it cites.
    pub cited: Vec<String>,
    /// `unverified_success` or `unknown_execution`.
    pub rule: Option<String>,
    pub reason: Option<String>,
    pub required_query: Option<String>,
}

impl Claim {
    /// Of a claim that was held against the record.
    pub fn of(claim: &gate::Claim) -> Self {
        let refusal = claim.refusal.as_ref();
        Self {
            claim: claim.text.clone(),
            accepted: claim.is_accepted(),
            report: None,
            verified_by: claim.verified_by.map(|id| id.to_string()),
            cited: claim.cited.iter().map(ToString::to_string).collect(),
            rule: refusal.map(|it| it.rule.as_str().to_owned()),
            reason: refusal.map(|it| it.reason.clone()),
            required_query: refusal.map(|it| it.required_query.clone()),
        }
    }

    /// Of words that claim nothing.
    pub fn of_report(reported: &OutcomeReported) -> Self {
        Self::unclaimed(&reported.text, reported.report.as_str())
    }

    /// Of words that say nothing of how the work went.
    pub fn of_nothing(text: &str) -> Self {
        Self::unclaimed(text, "nothing")
    }

    fn unclaimed(text: &str, report: &str) -> Self {
        Self {
            claim: text.to_owned(),
            accepted: false,
            report: Some(report.to_owned()),
            verified_by: None,
            cited: Vec::new(),
            rule: None,
            reason: None,
            required_query: None,
        }
    }
}

/// A step that begins, as `step begin` prints it.
#[derive(Clone, Debug, Serialize)]
pub struct StepBegun {
    pub session: String,
    /// The session's how many-th.
    pub step: u64,
    pub sequence: Option<u64>,
    pub title: Option<String>,
}

/// A step that ended, as `step end` prints it.
#[derive(Clone, Debug, Serialize)]
pub struct StepEnded {
    pub session: String,
    /// The sequence of its beginning; `null` where none was marked.
    pub began_sequence: Option<u64>,
    pub executions: u64,
    pub failed: u64,
    pub refused: u64,
    pub mutations: u64,
    pub checks_passed: u64,
    pub changed: Vec<String>,
    /// Pending failures, in one line each.
    pub follow_up: Vec<String>,
    pub summary: String,
    /// What the repository's memory has of it; `null` where nothing happened and it was not
    /// begun, and where the settings want none.
    pub appended_summary: Option<StepSummary>,
    /// Why it has no summary, or not the one that was wanted.
    pub problem: Option<String>,
}

/// The summary of a step, as the repository's memory has it.
#[derive(Clone, Debug, Serialize)]
pub struct StepSummary {
    /// The repository's hash.
    pub repo: String,
    pub run_id: String,
    pub step_id: String,
    pub summary: String,
    /// `events` or `model`.
    pub made_by: &'static str,
}
