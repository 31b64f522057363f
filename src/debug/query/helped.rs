//! Which fix helped against a failure.

use crate::event::{
    DebugAuthor, DebugBeside, DebugDocument, DebugExecution, ErrorType, TestFailure, Verification,
    normalised_message,
};

/// What makes two failures the same: the kind of error, and the message without what differs from run to
/// run.
pub fn failure_key(failure: &TestFailure) -> (ErrorType, String) {
    (failure.error_type, normalised_message(&failure.error_message))
}

/// The attempt whose fix helped against a failure that was seen last in this attempt: the last fix before
/// the first attempt that would have shown it and did not. Whatever else failed then is none of it.
pub fn helping_fix<'d>(
    document: &'d DebugDocument,
    beside: &DebugBeside,
    seen_last: u32,
) -> Option<&'d DebugExecution> {
    let executions = &document.executions;
    let gone = executions.iter().find(|it| it.attempt > seen_last && shows_all(it))?.attempt;
    let between = executions.iter().rev().filter(|it| (seen_last..gone).contains(&it.attempt));
    let mut fixed = between.filter(|it| is_applied(it, beside));
    fixed.next()
}

/// Whether it would show a failure that is there: some tests passed, and all that failed are known.
fn shows_all(execution: &DebugExecution) -> bool {
    let results = &execution.test_results;
    let failed = results.failed.saturating_add(results.errors.unwrap_or_default());
    let known = execution.failures.as_ref().map_or(0, Vec::len) as u64;
    results.passed > 0 && known >= failed
}

/// Whether somebody changed the code so; what annals proposed and nobody tried is no change.
fn is_applied(execution: &DebugExecution, beside: &DebugBeside) -> bool {
    let Some(fix) = &execution.fix_applied else { return false };
    let origin = beside.fixes.get(&execution.attempt);
    let is_proposal = origin.is_some_and(|origin| origin.by == DebugAuthor::Annals);
    !is_proposal || matches!(fix.verification, Some(Verification::Passed | Verification::Failed))
}
