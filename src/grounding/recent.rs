//! Whether an action failed recently, and with what evidence.

use std::cmp::Reverse;
use std::time::Duration;

use crate::event::Ordered;
use crate::event::target::CallDigest;
use crate::execution::query::{Action, ExecutionSummary, QueryError, Stores, number, text};
use crate::store::Ask;

const FAILURES_MAX: usize = 10;
type Result<T> = std::result::Result<T, QueryError>;

/// Failures of one tool that are looked at: some count by their correction, or ran under another
/// of the agent's names.
const ROWS_MAX: i64 = 100;

/// Executions of the same tool with the same arguments, failed since the last that succeeded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecentFailures {
    /// The newest first; never empty.
    pub executions: Vec<ExecutionSummary>,
    /// There are more than are named.
    pub more: bool,
}

impl RecentFailures {
    pub fn into_error(self) -> QueryError {
        let last = self.executions.first();
        let why = last.and_then(ExecutionSummary::why);
        QueryError::KnownAntiPattern {
            tool: last.map(|last| last.tool.clone()).unwrap_or_default(),
            failures: self.executions.len(),
            last: last.map(ExecutionSummary::reference).unwrap_or_default(),
            why: why.unwrap_or("failed").to_owned(),
            executions: self.executions.iter().map(|one| one.id).collect(),
        }
    }
}

impl Stores {
    /// Whether the newest execution of the same tool with the same arguments failed, and not longer
    /// ago than `within`. What was refused or interrupted did not run and says nothing.
    pub fn has_failed_recently(
        &self,
        action: &Action,
        within: Duration,
        now_ms: u64,
    ) -> Result<bool> {
        Ok(self.recent_failures(action, within, now_ms)?.is_some())
    }

    /// Refuses an action that [`Self::has_failed_recently`].
    pub fn refuse_known_anti_pattern(
        &self,
        action: &Action,
        within: Duration,
        now_ms: u64,
    ) -> Result<()> {
        self.recent_failures(action, within, now_ms)?
            .map_or(Ok(()), |found| Err(found.into_error()))
    }

    /// What [`Self::has_failed_recently`] rests on; `None` where it says no.
    pub fn recent_failures(
        &self,
        action: &Action,
        within: Duration,
        now_ms: u64,
    ) -> Result<Option<RecentFailures>> {
        let Some(digest) = action.arguments_digest() else { return Ok(None) };
        let within_ms = u64::try_from(within.as_millis()).unwrap_or(u64::MAX);
        let failed = self.failures_of(action, digest, now_ms.saturating_sub(within_ms))?;
        let mut executions: Vec<ExecutionSummary> = Vec::new();
        let mut before = [u64::MAX, u64::MAX];
        for (execution, one) in failed {
            if self.succeeded_between(execution, before)? {
                break;
            }
            before = [one.at_ms, one.sequence];
            executions.push(one);
            if executions.len() > FAILURES_MAX {
                break;
            }
        }
        let more = executions.len() > FAILURES_MAX;
        executions.truncate(FAILURES_MAX);
        Ok((!executions.is_empty()).then_some(RecentFailures { executions, more }))
    }

    fn failures_of(
        &self,
        action: &Action,
        digest: CallDigest,
        since_ms: u64,
    ) -> Result<Vec<(i64, ExecutionSummary)>> {
        let mut failed = Vec::new();
        for tool in self.tools_named(&action.tool)? {
            let since = number(since_ms);
            let values = [Ask::Bytes(digest.0), text(&tool), since, Ask::Number(ROWS_MAX)];
            let found: Vec<i64> = self.index.answer(FAILED, &values, |row| row.get(0))?;
            for execution in found {
                let counts = self.judged("e.corrected_by IS NULL", &[], execution)?;
                let of_name = |one: &ExecutionSummary| {
                    tool == action.tool || one.native_tool.as_ref() == Some(&action.tool)
                };
                failed.extend(counts.filter(of_name).map(|one| (execution, one)));
            }
        }
        failed.order_by_key(|(_, one)| Reverse((one.at_ms, one.sequence)));
        Ok(failed)
    }

    fn succeeded_between(&self, failed: i64, before: [u64; 2]) -> Result<bool> {
        let [at_ms, sequence] = before.map(number);
        let values = [Ask::Number(failed), at_ms, sequence];
        Ok(!self.index.answer(SUCCEEDED, &values, |_| Ok(()))?.is_empty())
    }
}

pub(crate) const FAILED: &str = "SELECT seq FROM executions WHERE outcome = 'failed' \
     AND arguments_digest = ?1 AND tool = ?2 AND at_ms >= ?3 \
     ORDER BY at_ms DESC, at_seq DESC LIMIT ?4";

/// A write that made its file is a `file_create` afterwards.
pub(crate) const SUCCEEDED: &str = "SELECT 1 FROM executions p JOIN executions m \
     ON m.target_key = p.target_key \
     AND m.tool IN (p.tool, CASE p.tool WHEN 'file_write' THEN 'file_create' ELSE p.tool END) \
     AND m.corrected_by IS NULL AND m.outcome = 'ok' AND m.arguments_digest = p.arguments_digest \
     AND (m.at_ms, m.at_seq) > (p.at_ms, p.at_seq) AND (m.at_ms, m.at_seq) < (?2, ?3) \
     WHERE p.seq = ?1 LIMIT 1";
