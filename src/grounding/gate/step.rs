//! The end of a step: what happened since it began, told from the journal's own events.

use crate::event::StepEnded;
use crate::grounding::fold::{Grounding, GroundingEntry, PendingFailure, StepSoFar};

/// Pending failures that are named.
const FOLLOW_UP_MAX: usize = 16;
/// Changed files that the summary names.
const FILES_MAX: usize = 8;

/// The event that ends the session's step.
pub fn step_ended(grounding: &Grounding) -> StepEnded {
    let step = grounding.step();
    let pending = grounding.pending().iter().rev().take(FOLLOW_UP_MAX);
    StepEnded {
        began: step.began,
        executions: step.executions,
        failed: step.failed,
        refused: step.refused,
        mutations: step.mutations,
        checks_passed: step.checks_passed,
        changed: step.changed.clone(),
        follow_up: pending.map(follow_up).collect(),
        summary: summary(step, grounding.pending().len()),
    }
}

/// `#142 lsp_check src/foo.rs: error[E0308] src/foo.rs:42: mismatched types`
pub(crate) fn line(entry: &GroundingEntry) -> String {
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

pub(crate) fn follow_up(pending: &PendingFailure) -> String {
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
pub(crate) fn counts(step: &StepSoFar) -> String {
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

pub(crate) fn counted(count: u64, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}
