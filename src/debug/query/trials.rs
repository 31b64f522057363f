//! What became of the fixes that were tried against a failure.

use std::collections::BTreeSet;

use super::{DebugView, Result};
use crate::debug::infer::is_worked_out;
use crate::event::{
    DebugAuthor, DebugBeside, DebugDocument, DebugExecution, TemplateTrial, TestFailure,
    Verification,
};
use crate::parse::check::cause::Cause;

/// What is wrong where a test fails; where its message does not tell by itself the test is part of it.
pub fn cause_of(failure: &TestFailure) -> Cause {
    let mut cause = Cause::of_test(failure);
    if !cause.is_general {
        cause.place = Some(failure.test_name.clone());
    }
    cause
}

/// What makes two failures the same: see [`Cause::key`].
pub type CauseKey = [u8; 16];

/// The causes of a document's failures, an attempt each.
pub struct Causes(Vec<Vec<CauseKey>>);

impl Causes {
    pub fn of(document: &DebugDocument) -> Self {
        let of_one = |it: &DebugExecution| {
            it.failures.iter().flatten().map(|failure| cause_of(failure).key()).collect()
        };
        Self(document.executions.iter().map(of_one).collect())
    }

    /// Each attempt with its failures and their causes.
    pub fn with<'d>(
        &self,
        document: &'d DebugDocument,
    ) -> impl Iterator<Item = (&'d DebugExecution, impl Iterator<Item = (&'d TestFailure, CauseKey)>)>
    {
        document.executions.iter().zip(&self.0).map(|(execution, keys)| {
            (execution, execution.failures.iter().flatten().zip(keys.iter().copied()))
        })
    }
}

/// A fix that was tried against a failure.
#[derive(Clone, Copy, Debug)]
pub struct FixTrial<'d> {
    /// The attempt that it followed.
    pub of: &'d DebugExecution,
    /// The next run that would have shown the failure.
    pub by: &'d DebugExecution,
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
    causes: &Causes,
    key: &CauseKey,
) -> Vec<FixTrial<'d>> {
    let executions = &document.executions;
    let mut found: Vec<FixTrial<'d>> = Vec::new();
    for (failed, failures) in causes.with(document) {
        let had = failures.filter(|(_, cause)| cause == key);
        let tests: BTreeSet<&str> = had.map(|(it, _)| it.test_name.as_str()).collect();
        if tests.is_empty() {
            continue;
        }
        let mut later = causes.with(document);
        let shows = |it: &DebugExecution| it.attempt > failed.attempt && shows_all(it);
        let Some((next, shown)) = later.find(|(it, _)| shows(it)) else { continue };
        let between = executions.iter().rev();
        let mut between = between.filter(|it| (failed.attempt..next.attempt).contains(&it.attempt));
        let Some(of) = between.find(|it| is_applied(it, beside)) else { continue };
        let (mut is_there, mut is_unknown) = (false, false);
        for (failure, cause) in shown {
            is_there |= cause == *key;
            is_unknown |= tests.contains(failure.test_name.as_str());
        }
        found.retain(|it| it.of.attempt != of.attempt);
        if is_there || !is_unknown {
            let is_refuted = beside.fixes.get(&of.attempt).is_some_and(|it| it.refuted);
            let (helped, is_gone) = (!is_there && !is_refuted, !is_there);
            found.push(FixTrial { of, by: next, helped, is_gone });
        }
    }
    found
}

/// Whether the fix behind an attempt is none to go by: a caller said last that it did not help, or its own trial is
/// recorded so for all that was learnt of it.
pub fn is_taken_back(document: &DebugDocument, beside: &DebugBeside, attempt: u32) -> bool {
    let is_own = |it: &&TemplateTrial| {
        it.attempt == attempt && it.session.to_string() == document.session_id
    };
    let mut own = beside.trials.iter().filter(is_own).peekable();
    let is_vain = own.peek().is_some() && own.all(|it| !it.worked);
    is_vain || beside.fixes.get(&attempt).is_some_and(|it| it.refuted)
}

impl DebugView<'_> {
    /// What a shell ran between a failure and the run that no longer had it, executions as UUIDs; `None` where its
    /// tests are not known to have run again. Of executions that are not on record nothing is known.
    pub fn commands_until(
        &self,
        failed: &str,
        by: &str,
        renamed: &[(String, String)],
    ) -> Result<Option<Vec<String>>> {
        let sql = "SELECT seq FROM executions WHERE id = ?1";
        let row = |id: &str| self.index.cell::<i64>(sql, [id]);
        let Some((failed, by)) = row(failed)?.zip(row(by)?) else { return Ok(Some(Vec::new())) };
        match self.index.ran_again(failed, by, renamed)? {
            true => Ok(Some(self.index.commands_between(failed, by)?)),
            false => Ok(None),
        }
    }

    /// What somebody said of the fix behind an execution that failed of a cause.
    pub fn described_fix(&self, cause: &Cause, execution: &str) -> Result<Option<String>> {
        let sql = "SELECT json_extract(x.value, '$.fix_applied.description') \
                   FROM (SELECT DISTINCT session FROM debug_failures WHERE cause = ?1 \
                   ORDER BY session DESC LIMIT 8) f JOIN debug_sessions s ON s.number = f.session, \
                   json_each(s.document, '$.executions') x, json_each(s.beside, '$.executions') b \
                   WHERE b.value = ?2 AND json_extract(x.value, '$.attempt') = CAST(b.key AS INTEGER)";
        let told: Option<Option<String>> = self.index.cell(sql, (cause.key(), execution))?;
        Ok(told.flatten().filter(|it| !is_worked_out(it)))
    }

    /// Whether a fix was taken back that an execution's session tried between it and a later one.
    pub fn has_taken_back(&self, failed: i64, until: i64) -> Result<bool> {
        let sql = "SELECT 1 FROM executions f CROSS JOIN executions n CROSS JOIN debug_taken_back t \
                   JOIN executions e ON e.id = t.execution \
                   WHERE f.seq = ?1 AND n.seq = ?2 AND e.session IS f.session \
                   AND (e.at_ms, e.at_seq) >= (f.at_ms, f.at_seq) \
                   AND (e.at_ms, e.at_seq) < (n.at_ms, n.at_seq) LIMIT 1";
        Ok(self.index.cell::<i64>(sql, [failed, until])?.is_some())
    }
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
