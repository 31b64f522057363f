//! Plans: whether every edit has a read of the timeline before it.
//!
//! The rule: a read step before the first edit, and before each edit that follows a check or a
//! shell step, for their results are what the next edit must know of. A shell step that writes is
//! an edit (ruling 20). A read step is `memory_query`, the timeline's questions under their own names, or
//! `annals timeline` in a shell. What cannot be read, the plan or a step, is a fault, and so is a tool
//! that nobody knows: it may edit.

use std::io;
use std::path::PathBuf;

use super::Refusal;
use super::plan_step::PlanStep;
use crate::config::PolicyConfig;
use crate::event::{Body, EventError, Json, PlanChecked, PlanFault, tool};
use crate::grounding::fold::{CheckKind, GroundingRules, command};
use crate::grounding::tools::memory_query;
use crate::parse::shell::Script;

/// What became of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanVerdict {
    /// The blake3 of its canonical JSON.
    pub digest: [u8; 32],
    pub steps: u64,
    pub faults: Vec<PlanFault>,
}

/// Why a plan cannot be read: a fault of it.
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

/// Agents' own tools that change no file, besides those with a contract's name.
const OTHERS: [&str; 13] = [
    "AskUserQuestion",
    "BashOutput",
    "EnterPlanMode",
    "ExitPlanMode",
    "KillBash",
    "KillShell",
    "LS",
    "TodoRead",
    "TodoWrite",
    "WebFetch",
    "WebSearch",
    "update_plan",
    "view_image",
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
    /// Of a plan that cannot be read.
    pub fn unreadable(text: &[u8], why: String) -> Self {
        let fault = PlanFault { step: 0, tool: String::new(), reason: why };
        Self { digest: *blake3::hash(text).as_bytes(), steps: 0, faults: vec![fault] }
    }

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
    /// It cannot be told what it does, or not even what it is.
    Fault(&'static str),
}

/// Checks a plan: a JSON list of steps. `is_declared` tells of a tool whether the project has it on its
/// list.
pub fn check_plan(
    policy: &PolicyConfig,
    is_declared: impl Fn(&str) -> bool,
    text: &str,
) -> Result<PlanVerdict, PlanError> {
    if text.len() > PLAN_BYTES_MAX {
        return Err(PlanError::TooLarge { bytes: text.len(), bytes_max: PLAN_BYTES_MAX });
    }
    let canonical = Json::canonical("plan", text)?;
    let steps = PlanStep::list(&canonical.0).ok_or(PlanError::NoList)?;
    if steps.len() > STEPS_MAX {
        return Err(PlanError::TooLong { steps_max: STEPS_MAX });
    }
    let rules = GroundingRules { checks: policy.checks.clone(), shell_mutations: true };
    let (mut faults, mut read) = (Vec::new(), false);
    if steps.is_empty() {
        let (tool, reason) = (String::new(), "the plan has no steps".to_owned());
        faults.push(PlanFault { step: 0, tool, reason });
    }
    if PlanStep::are_elsewhere(&canonical.0) {
        let reason = "the plan holds steps outside its list".to_owned();
        faults.push(PlanFault { step: 0, tool: String::new(), reason });
    }
    for (step, number) in steps.iter().zip(1..) {
        let reason = match kind(&rules, &is_declared, step) {
            Kind::Fault(reason) => {
                // It may have run anything.
                read = false;
                Some(reason)
            }
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

fn kind(rules: &GroundingRules, is_declared: impl Fn(&str) -> bool, step: &PlanStep) -> Kind {
    if let Some(reason) = step.malformed {
        return Kind::Fault(reason);
    }
    // A server's tool may be called as ours and read nothing; what it says that it edits, it edits.
    let name = step.tool.rsplit("__").next().unwrap_or_default();
    let name = tool::of_claude_code(name).unwrap_or(name);
    if READS.contains(&step.tool.as_str()) {
        if step.tool == "memory_query" && !memory_query::asks(&step.arguments) {
            return Kind::Fault("asks nothing of the timeline: memory_query(timeline_summary)");
        }
        return Kind::Read;
    }
    let command = command(&step.arguments);
    if command.as_deref().is_some_and(|it| Script::of(it).reads_timeline_alone()) {
        return Kind::Read;
    }
    if name == "bash_exec" && command.is_none() {
        return Kind::Fault("names no command");
    }
    if command.as_deref().is_some_and(|it| Script::of(it).is_empty()) {
        return Kind::Fault("its command cannot be read");
    }
    let ran = command.is_some() || rules.check(name, None) != CheckKind::None;
    let edits = EDITS.contains(&name) || rules.is_mutation(name, command.as_deref());
    match edits {
        true => Kind::Edit { then_unread: ran },
        false if ran => Kind::Ran,
        false if is_declared(&step.tool) || OTHERS.contains(&name) => Kind::Other,
        false => Kind::Fault("nobody knows this tool, so it may edit: `annals tool declare` it"),
    }
}
