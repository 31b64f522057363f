//! What happened in a session since its step began, and how that is told at its end.

use super::printed::{last_line, most_tests};
use super::{CheckKind, Grounding, GroundingEntry, PendingFailure, TEXT_BYTES_MAX, one_line};
use crate::event::derived::{Decode, Encode};
use crate::event::{Closing, GateMode, GateRefused, GateRule, Outcome, StepEnded, SuccessClaimed};
use crate::execution::index::tried_as;
use crate::parse::check::diagnostic::cut;

/// Where none was begun: since the last one ended.
#[derive(Clone, Debug, Default, PartialEq, Eq, Encode, Decode)]
pub struct StepSoFar {
    /// The last event before it.
    pub since: u64,
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
    pub const FAILURES_MAX: usize = 8;
    pub const CHANGED_MAX: usize = 64;
    pub const OUTPUTS_MAX: usize = 4;
    pub const REFUSALS_MAX: usize = 8;

    /// Where one begins, marked by the event `since` or not.
    pub(crate) fn after(since: u64) -> Self {
        Self { since, ..Self::default() }
    }

    /// Whether nothing happened in it: what was only said is no step.
    pub fn is_empty(&self) -> bool {
        self.executions == 0 && self.refusals.is_empty()
    }

    /// Whether there is none: it was not begun, and nothing happened since the last one.
    pub fn is_none(&self) -> bool {
        self.began.is_none() && self.is_empty()
    }

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

/// A call that was refused in a step, and has not been made since.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct StepRefusal {
    pub sequence: u64,
    pub tool: String,
    pub target: Option<String>,
    pub reason: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct StepClaim {
    pub text: String,
    /// Why it was not accepted; `None` where it was.
    pub unverified: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct StepOutput {
    pub entry: GroundingEntry,
    /// The last line that was not blank, of stdout, else of stderr; of tests that say several times how many
    /// passed, the line of the most. `None` where there was none.
    pub said: Option<String>,
    pub is_check: bool,
}

impl StepOutput {
    pub(crate) fn of(entry: GroundingEntry, closing: &Closing, is_check: bool) -> Self {
        let mut outputs = [&closing.stdout, &closing.stderr].into_iter().flatten();
        let most = || outputs.clone().filter_map(most_tests).max_by_key(|it| it.0).map(|it| it.1);
        let most = if is_check { most() } else { None };
        Self { entry, said: most.or_else(|| outputs.find_map(last_line)), is_check }
    }
}

impl Grounding {
    /// Checks that failed in the step and that nothing has resolved, nor a check of their kind passed after them, the
    /// newest first; what several say in the same words, once.
    pub fn left_by_step(&self) -> Vec<&PendingFailure> {
        let mut left: Vec<&PendingFailure> = Vec::new();
        for pending in self.pending.iter().rev() {
            let last = &pending.last;
            let says_same = |it: &&PendingFailure| it.last.error == last.error;
            let is_of_step = last.moment.sequence > self.step.since;
            let is_known = last.error.is_some() && left.iter().any(says_same);
            let has_failed = last.check != CheckKind::None && !last.was_stopped();
            if has_failed && is_of_step && !is_known && !self.passed_alike(last) {
                left.push(pending);
            }
        }
        left
    }
}

const FOLLOW_UP_MAX: usize = 16;
/// Changed files that the summary names.
const FILES_MAX: usize = 8;

pub fn step_ended(grounding: &Grounding) -> StepEnded {
    let step = &grounding.step;
    let pending = grounding.pending.iter().rev().take(FOLLOW_UP_MAX);
    StepEnded {
        began: step.began,
        executions: step.executions,
        failed: step.failed,
        refused: step.refused,
        mutations: step.mutations,
        checks_passed: step.checks_passed,
        changed: step.changed.clone(),
        follow_up: pending.map(follow_up).collect(),
        summary: summary(step, grounding.pending.len()),
    }
}

/// `#142 lsp_check src/foo.rs: error[E0308] src/foo.rs:42: mismatched types`
pub fn line(entry: &GroundingEntry) -> String {
    let mut line = format!("{} {}", entry.name(), entry.tool);
    if let Some(target) = &entry.target {
        line.push(' ');
        line.push_str(target);
    }
    if let Some(error) = &entry.error {
        line.push_str(": ");
        line.push_str(error);
    }
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

pub fn follow_up(pending: &PendingFailure) -> String {
    let line = line(&pending.last);
    if pending.failures > 1 { format!("{line} (failed {} times)", pending.failures) } else { line }
}

fn summary(step: &StepSoFar, pending: usize) -> String {
    let mut lines = Vec::new();
    if let Some(title) = &step.title {
        lines.push(title.clone());
    }
    lines.push(counts(step));
    lines.extend(step.failures.iter().map(|entry| format!("failed: {}", line(entry))));
    let more = step.failed.saturating_sub(step.failures.len() as u64);
    if more > 0 {
        lines.push(format!("failed: and {more} more"));
    }
    if !step.changed.is_empty() {
        let named: Vec<&str> = step.changed.iter().take(FILES_MAX).map(String::as_str).collect();
        let more = (step.changed.len() - named.len()) as u64 + step.changed_more;
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        lines.push(format!("changed: {}{more}", named.join(", ")));
    }
    if pending > 0 {
        lines.push(format!("pending: {}", counted(pending as u64, "failure")));
    }
    lines.join("\n")
}

/// `7 executions, 2 failed, 3 mutations, 1 check passed`
pub fn counts(step: &StepSoFar) -> String {
    let mut counts = vec![counted(step.executions, "execution")];
    for (count, word) in
        [(step.failed, "failed"), (step.refused, "refused"), (step.interrupted, "interrupted")]
    {
        if count > 0 {
            counts.push(format!("{count} {word}"));
        }
    }
    counts.push(counted(step.mutations, "mutation"));
    counts.push(format!("{} passed", counted(step.checks_passed, "check")));
    counts.join(", ")
}

pub fn counted(count: u64, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}
