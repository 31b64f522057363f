//! What became of the fixes that were tried against a failure.

use std::collections::BTreeSet;

use crate::event::{
    DebugAuthor, DebugBeside, DebugDocument, DebugExecution, ErrorType, TestFailure, Verification,
};
use crate::parse::check::cause::Cause;

/// What is wrong where a test fails. An exception tells so by itself, whether its message names it or not.
pub fn cause_of(failure: &TestFailure) -> Cause {
    let mut cause = Cause::of_test(failure);
    let says_little = matches!(failure.error_type, ErrorType::AssertionError | ErrorType::Other);
    cause.is_general |= !says_little;
    cause
}

/// A fix that was tried against a failure.
#[derive(Clone, Copy, Debug)]
pub struct FixTrial<'d> {
    /// The attempt that it followed.
    pub of: &'d DebugExecution,
    /// Whether the next run that would have shown the failure did not, nor another of the same tests, and
    /// no caller said otherwise.
    pub helped: bool,
    /// Whether that run showed it no more, whatever a caller said.
    pub is_gone: bool,
}

/// The fixes that were tried against a cause, in their order: after each attempt that showed it the last one
/// before the next that would have. Whether one helped nobody knows where its tests fail otherwise then.
pub fn tried_against<'d>(
    document: &'d DebugDocument,
    beside: &DebugBeside,
    key: &[u8; 16],
) -> Vec<FixTrial<'d>> {
    let executions = &document.executions;
    let has_it = |it: &&TestFailure| cause_of(it).key() == *key;
    let mut found: Vec<FixTrial<'d>> = Vec::new();
    for failed in executions {
        let tests = failed.failures.iter().flatten().filter(has_it);
        let tests: BTreeSet<&str> = tests.map(|it| it.test_name.as_str()).collect();
        let shows = |it: &&DebugExecution| it.attempt > failed.attempt && shows_all(it);
        let Some(next) = executions.iter().find(shows).filter(|_| !tests.is_empty()) else {
            continue;
        };
        let between = executions.iter().rev();
        let mut between = between.filter(|it| (failed.attempt..next.attempt).contains(&it.attempt));
        let Some(of) = between.find(|it| is_applied(it, beside)) else { continue };
        let shown = || next.failures.iter().flatten();
        let is_there = shown().any(|it| has_it(&it));
        let is_unknown = shown().any(|it| tests.contains(it.test_name.as_str()));
        found.retain(|it| it.of.attempt != of.attempt);
        if is_there || !is_unknown {
            let is_refuted = beside.fixes.get(&of.attempt).is_some_and(|it| it.refuted);
            found.push(FixTrial { of, helped: !is_there && !is_refuted, is_gone: !is_there });
        }
    }
    found
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
