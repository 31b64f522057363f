//! What happened in a session since its step began.

use serde::{Deserialize, Serialize};

use super::{GroundingEntry, StepClaim, StepOutput, StepRefusal, TEXT_BYTES_MAX, one_line};
use crate::event::{Closing, GateMode, GateRefused, GateRule, Outcome, SuccessClaimed};
use crate::execution::index::tried_as;
use crate::parse::diagnostic::cut;

/// What happened in a session since its step began; where none did, since the last one ended.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StepSoFar {
    /// The sequence of its `StepBegun`; `None` where none was marked.
    pub began: Option<u64>,
    pub title: Option<String>,
    pub executions: u64,
    pub ok: u64,
    pub failed: u64,
    pub refused: u64,
    pub interrupted: u64,
    pub mutations: u64,
    pub checks_passed: u64,
    /// The first failures, with their first diagnostics.
    pub failures: Vec<GroundingEntry>,
    /// Files that were changed, in order, each once; of many, the first few.
    pub changed: Vec<String>,
    /// How many more were changed than `changed` has, a file perhaps more than once.
    pub changed_more: u64,
    /// What checks that passed and commands that succeeded printed last; of each, the newest few,
    /// one target once.
    pub outputs: Vec<StepOutput>,
    /// What was refused and not done since, the newest last; of many, the newest few.
    pub refusals: Vec<StepRefusal>,
    pub claim: Option<StepClaim>,
}

impl StepSoFar {
    /// Failures that are kept.
    pub const FAILURES_MAX: usize = 8;
    /// Files that are kept.
    pub const CHANGED_MAX: usize = 64;
    /// Outputs that are kept, of checks and of commands each.
    pub const OUTPUTS_MAX: usize = 4;
    /// Refusals that are kept.
    pub const REFUSALS_MAX: usize = 8;

    /// Whether nothing happened in it: what was only said is no step.
    pub fn is_empty(&self) -> bool {
        self.executions == 0 && self.refusals.is_empty()
    }

    /// Whether there is none: it was not begun, and nothing happened since the last one.
    pub fn is_none(&self) -> bool {
        self.began.is_none() && self.is_empty()
    }

    /// Takes a call that ended.
    pub(crate) fn end(&mut self, entry: &GroundingEntry) {
        match entry.outcome {
            Outcome::Refused => self.refuse(StepRefusal {
                sequence: entry.moment.sequence,
                tool: entry.tool.clone(),
                target: entry.target.clone(),
                reason: entry.error.clone().unwrap_or_default(),
            }),
            // It was made after all, whatever came of it.
            Outcome::Ok | Outcome::Failed => {
                self.refusals.retain(|it| !is_same(it, &entry.tool, entry.target.as_deref()));
            }
            Outcome::Interrupted => {}
        }
    }

    /// Takes what a call that went well printed: of a check that `passed`, or of a command.
    pub(crate) fn print(&mut self, entry: &GroundingEntry, closing: &Closing, passed: bool) {
        if !passed && !is_command(&entry.tool) {
            return;
        }
        let output = StepOutput::of(entry.clone(), closing, passed);
        if !passed && output.said.is_none() {
            return;
        }
        let (tool, key) = (output.entry.tool.clone(), output.entry.key);
        self.outputs.retain(|it| it.entry.tool != tool || it.entry.key != key);
        self.outputs.push(output);
        let alike = |it: &StepOutput| it.is_check == passed;
        if self.outputs.iter().filter(|it| alike(it)).count() > Self::OUTPUTS_MAX
            && let Some(at) = self.outputs.iter().position(alike)
        {
            self.outputs.remove(at);
        }
    }

    /// Takes what a gate said; of what it only observed nobody was told.
    pub(crate) fn deny(&mut self, refused: &GateRefused, sequence: u64) {
        let of_claim =
            matches!(refused.rule, GateRule::UnverifiedSuccess | GateRule::UnknownExecution);
        if refused.mode != GateMode::Observe && !of_claim {
            self.refuse(StepRefusal {
                sequence,
                tool: refused.tool.clone(),
                target: refused.target.as_deref().map(|it| cut(it, TEXT_BYTES_MAX).to_owned()),
                reason: one_line(&refused.reason).into_owned(),
            });
        }
    }

    pub(crate) fn claimed(&mut self, claimed: &SuccessClaimed) {
        let reason = claimed.reason.as_deref().unwrap_or("not accepted");
        self.claim = Some(StepClaim {
            text: one_line(&claimed.claim).into_owned(),
            unverified: (!claimed.accepted).then(|| one_line(reason).into_owned()),
        });
    }

    fn refuse(&mut self, refusal: StepRefusal) {
        // The gate's own refusal and the call that was not made for it are one.
        self.refusals.retain(|it| !is_same(it, &refusal.tool, refusal.target.as_deref()));
        self.refusals.push(refusal);
        if self.refusals.len() > Self::REFUSALS_MAX {
            self.refusals.remove(0);
        }
    }

    pub(crate) fn change(&mut self, path: &str) {
        if self.changed.iter().any(|known| known == path) {
            return;
        }
        match self.changed.len() < Self::CHANGED_MAX {
            true => self.changed.push(path.to_owned()),
            false => self.changed_more = self.changed_more.saturating_add(1),
        }
    }
}

fn is_same(refusal: &StepRefusal, tool: &str, target: Option<&str>) -> bool {
    tried_as(&refusal.tool) == tried_as(tool) && refusal.target.as_deref() == target
}

/// Whether what a tool prints is what it was called for: of one that reads a file it is the file.
fn is_command(tool: &str) -> bool {
    tool == "bash_exec"
}
