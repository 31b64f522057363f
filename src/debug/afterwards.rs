//! What is told of an inferred session once it has passed.

use super::DebugWriter;
use super::error::Result;
use super::infer::{FLAKY, Past};
use super::query::{DebugRecord, DebugView};
use crate::event::{
    Body, DebugAuthor, DebugExecution, DebugStatus, Fix, FixApplied, TemplateRef, Verification,
};

impl DebugWriter<'_, '_> {
    /// The fix that helped, in the words of whoever made it, with what was seen to be edited; and what is
    /// learnt then. `None` where it helped nowhere: nothing had failed.
    pub(super) fn fix_afterwards(
        &self,
        view: DebugView<'_>,
        record: &DebugRecord,
        attempt: Option<u32>,
        told: Fix,
        template: Option<TemplateRef>,
    ) -> Result<Option<Vec<Body>>> {
        let executions = || record.document.executions.iter().rev();
        let is_meant = |it: &&DebugExecution| attempt.is_none_or(|attempt| it.attempt == attempt);
        let fixed = executions().filter(is_meant).find(|it| it.fix_applied.is_some());
        let failed = || executions().filter(is_meant).find(|it| !it.test_results.is_passed());
        let Some(execution) = fixed.or_else(failed) else { return Ok(None) };
        let known = execution.fix_applied.clone();
        let seen = |of: fn(Fix) -> Option<String>| known.clone().and_then(of);
        let verification = known.as_ref().and_then(|it| it.verification);
        let fix = Fix {
            diff_summary: told.diff_summary.or_else(|| seen(|it| it.diff_summary)),
            diff: told.diff.or_else(|| seen(|it| it.diff)),
            files_changed: told
                .files_changed
                .or_else(|| known.clone().and_then(|it| it.files_changed)),
            verification: verification.or(Some(Verification::Passed)),
            description: told.description,
        };
        let (session, attempt, by) = (record.session.id, execution.attempt, DebugAuthor::Caller);
        let mut past = Past::of(session, Some(record));
        let at_ms = self.now_ms();
        past.add(at_ms, Body::FixApplied(FixApplied { session, attempt, by, fix, template }));
        let issues = record.document.learnings.iter().flat_map(|it| &it.code_quality_issues);
        let mut issues = issues.flatten().filter_map(|it| it.issue.as_ref());
        if !issues.any(|it| it.starts_with(FLAKY))
            && let Some(now) = past.record()
        {
            let learnt = self.learnt_of_past(view, &now)?;
            learnt.into_iter().for_each(|body| past.add(at_ms, body));
        }
        Ok(Some(past.bodies.into_iter().map(|(_, body)| body).collect()))
    }
}

impl DebugRecord {
    /// Whether it was inferred, and passed: what helped may be told of it still.
    pub fn is_inferred_and_passed(&self) -> bool {
        self.session.status == DebugStatus::Passed && self.is_inferred()
    }
}
