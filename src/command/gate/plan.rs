//! Plans: whether every edit has a read of the timeline before it.
//!
//! The rule: a read step before the first edit, and before each edit that follows a check or a
//! shell step, for their results are what the next edit must know of. A shell step that writes is
//! an edit where the policy says so. A read step is `memory_query`, the timeline's questions under
//! their own names, or `annals timeline` in a shell.

use std::io;
use std::path::PathBuf;

use super::plan_step::PlanStep;
use super::{Refusal, judge};
use crate::config::PolicyConfig;
use crate::event::{Body, EventError, Json, PlanChecked, PlanFault, tool};
use crate::projector::grounding::{CheckKind, GroundingRules, Script, command};

/// What became of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanVerdict {
    /// The blake3 of its canonical JSON.
    pub digest: [u8; 32],
    pub steps: u64,
    pub faults: Vec<PlanFault>,
}

/// Why a plan cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    #[error(transparent)]
    Json(#[from] EventError),
    #[error(
        "the plan is no list of steps: give [{{\"tool\": …, \"arguments\": …}}, …], or an object \
         whose `steps` or `plan` is such a list"
    )]
    NoList,
    #[error("the plan has more than {steps_max} steps")]
    TooLong { steps_max: usize },
    #[error("the plan has {bytes} bytes; at most {bytes_max} are read")]
    TooLarge { bytes: usize, bytes_max: usize },
    #[error("the plan {} could not be read", path.display())]
    Unread { path: PathBuf, source: io::Error },
}

/// Bytes of a plan that are read.
pub const PLAN_BYTES_MAX: usize = 1 << 20;
/// Steps of a plan.
const STEPS_MAX: usize = 1_000;
/// Faults that are told, the first ones.
const FAULTS_MAX: usize = 100;

/// What servers call their tools that change files, besides the contract's names.
const EDITS: [&str; 7] = [
    "edit_file",
    "write_file",
    "create_file",
    "delete_file",
    "move_file",
    "apply_diff",
    "str_replace_based_edit_tool",
];

/// What reads the timeline.
const READS: [&str; 8] = [
    "memory_query",
    "get_timeline_position",
    "get_recent_timeline",
    "get_preceding_context",
    "get_pending_failures",
    "timeline",
    "timeline_summary",
    "annals_timeline",
];

impl PlanVerdict {
    pub fn is_accepted(&self) -> bool {
        self.faults.is_empty()
    }

    /// The event that says so.
    pub fn body(&self) -> Body {
        Body::PlanChecked(PlanChecked {
            digest: self.digest,
            steps: self.steps,
            accepted: self.is_accepted(),
            faults: self.faults.clone(),
        })
    }
}

/// What a step is to the gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Read,
    Edit {
        then_unread: bool,
    },
    /// A check, or a shell: what comes of it is to be read.
    Ran,
    Other,
}

/// Checks a plan: a JSON list of steps.
///
/// # Errors
/// Where it is no JSON, no list of steps, or too large.
pub fn check_plan(policy: &PolicyConfig, text: &str) -> Result<PlanVerdict, PlanError> {
    if text.len() > PLAN_BYTES_MAX {
        return Err(PlanError::TooLarge { bytes: text.len(), bytes_max: PLAN_BYTES_MAX });
    }
    let canonical = Json::canonical("plan", text)?;
    let steps = PlanStep::list(&canonical.0).ok_or(PlanError::NoList)?;
    if steps.len() > STEPS_MAX {
        return Err(PlanError::TooLong { steps_max: STEPS_MAX });
    }
    let rules = judge::rules(policy);
    let (mut faults, mut read) = (Vec::new(), false);
    if steps.is_empty() {
        let (tool, reason) = (String::new(), "the plan has no steps".to_owned());
        faults.push(PlanFault { step: 0, tool, reason });
    }
    for (step, number) in steps.iter().zip(1..) {
        let reason = match kind(&rules, step) {
            _ if step.is_double => Some("names two tools"),
            _ if step.tool.is_empty() => Some("names no tool"),
            Kind::Read => {
                read = true;
                None
            }
            Kind::Edit { then_unread } => {
                let reason = (!read).then_some(Refusal::NO_GROUNDING);
                read &= !then_unread;
                reason
            }
            Kind::Ran => {
                read = false;
                None
            }
            Kind::Other => None,
        };
        if let Some(reason) = reason.filter(|_| faults.len() < FAULTS_MAX) {
            let (tool, reason) = (step.tool.clone(), reason.to_owned());
            faults.push(PlanFault { step: number, tool, reason });
        }
    }
    let digest = *blake3::hash(canonical.0.as_bytes()).as_bytes();
    Ok(PlanVerdict { digest, steps: steps.len() as u64, faults })
}

fn kind(rules: &GroundingRules, step: &PlanStep) -> Kind {
    // A server's tool may be called as ours and read nothing; what it says that it edits, it edits.
    let name = step.tool.rsplit("__").next().unwrap_or_default();
    let name = tool::of_claude_code(name).unwrap_or(name);
    if READS.contains(&step.tool.as_str()) {
        return Kind::Read;
    }
    let command = command(&step.arguments);
    if command.as_deref().is_some_and(|it| Script::of(it).reads_timeline_alone()) {
        return Kind::Read;
    }
    let ran = command.is_some() || rules.check(name, None) != CheckKind::None;
    let edits = EDITS.contains(&name) || rules.is_mutation(name, command.as_deref());
    match edits {
        true => Kind::Edit { then_unread: ran },
        false if ran => Kind::Ran,
        false => Kind::Other,
    }
}
