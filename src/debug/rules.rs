//! What follows from an attempt by rule: how its session stands, and what became of the fix before it.

use std::collections::BTreeSet;

use super::AttemptGiven;
use crate::debug::query::{DebugRecord, PendingFix};
use crate::event::{
    DebugAuthor, DebugExecution, DebugStatus, TestFailure, TestResults, Verification,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AttemptOutcome {
    /// Something ran, and nothing failed.
    Passed,
    Failed,
    /// No test ran, and none failed: it says nothing.
    Nothing,
}

impl AttemptOutcome {
    pub(super) fn of(results: &TestResults, failures: usize) -> Self {
        match results.is_passed() && failures == 0 {
            false => Self::Failed,
            true if results.passed > 0 => Self::Passed,
            true => Self::Nothing,
        }
    }

    fn of_execution(execution: &DebugExecution) -> Self {
        Self::of(&execution.test_results, execution.failures.as_ref().map_or(0, Vec::len))
    }
}

pub(super) fn next_attempt(record: &DebugRecord) -> u32 {
    let last = record.document.executions.iter().map(|execution| execution.attempt).max();
    last.unwrap_or_default().saturating_add(1)
}

pub(super) fn failed_attempts(record: &DebugRecord) -> u64 {
    let executions = record.document.executions.iter();
    let failed = executions.filter(|it| AttemptOutcome::of_execution(it) == AttemptOutcome::Failed);
    failed.count() as u64
}

/// How a session stands after an attempt, where that is otherwise than before; so many failed before it.
/// Where the attempts are long past nobody can be called any more (ruling 21).
pub(super) fn new_status(
    before: DebugStatus,
    outcome: AttemptOutcome,
    failed_before: u64,
    attempts_max: u32,
    is_past: bool,
) -> Option<DebugStatus> {
    match (outcome, before) {
        (AttemptOutcome::Passed, _) => Some(DebugStatus::Passed),
        (AttemptOutcome::Failed, DebugStatus::InProgress)
            if failed_before + 1 >= u64::from(attempts_max) =>
        {
            Some(if is_past { DebugStatus::Failed } else { DebugStatus::Escalated })
        }
        _ => None,
    }
}

/// What an attempt says of the fix before it; `None` where it says nothing: no test ran, or annals had
/// proposed it and the code is what it was.
pub(super) fn verdict(
    record: &DebugRecord,
    pending: &PendingFix,
    given: &AttemptGiven,
) -> Option<Verification> {
    let outcome = AttemptOutcome::of(&given.results, given.failures.len());
    let mut executions = record.document.executions.iter();
    let fixed = executions.find(|execution| execution.attempt == pending.attempt)?;
    let is_untouched = fixed.code_hash == given.code_hash;
    if outcome == AttemptOutcome::Nothing || (pending.by == DebugAuthor::Annals && is_untouched) {
        return None;
    }
    let before = fixed.failures.as_deref().unwrap_or_default();
    let helped = match outcome {
        AttemptOutcome::Passed => true,
        _ => are_gone(before, given),
    };
    Some(if helped { Verification::Passed } else { Verification::Failed })
}

/// Whether none of the tests that failed before fails still, though others do. Where nothing passed, or
/// not every failure is known, nobody can say so.
fn are_gone(before: &[TestFailure], given: &AttemptGiven) -> bool {
    let results = &given.results;
    let failed = results.failed.saturating_add(results.errors.unwrap_or_default());
    let is_known = !before.is_empty() && given.failures.len() as u64 >= failed;
    let now: BTreeSet<&str> = given.failures.iter().map(|it| it.test_name.as_str()).collect();
    results.passed > 0 && is_known && !before.iter().any(|it| now.contains(it.test_name.as_str()))
}
