//! What is still broken.

use super::{FailureLoop, FailureRecord, TimelineEntry, TimelineScope};
use crate::execution::index::LOOP_MIN;
use crate::execution::query::{QueryError, Stores, number};
use crate::store::Ask;

/// Pending failures that are told.
pub const PENDING_MAX: usize = 100;
/// Loops that are told.
pub const LOOPS_MAX: usize = 16;
/// Executions of a loop that are named.
const NAMED_MAX: u64 = 8;

/// A group of failures, as the index keeps it.
struct Group {
    execution: i64,
    failures: u64,
    alike: u64,
    since_ms: u64,
}

impl Stores {
    /// Failures that no later success of the same tool on the same target has resolved (ruling 10),
    /// the newest first; of many, the newest [`PENDING_MAX`]. Refused is not failed, and a failure
    /// that was corrected is none.
    pub fn get_pending_failures(
        &self,
        scope: TimelineScope,
    ) -> Result<Vec<FailureRecord>, QueryError> {
        let groups = self.groups(scope, PENDING, PENDING_MAX as u64)?;
        let record = |(group, execution): (Group, TimelineEntry)| FailureRecord {
            execution,
            failures: group.failures,
            since_ms: group.since_ms,
        };
        Ok(groups.into_iter().map(record).collect())
    }

    /// How many there are of these, told or not.
    pub fn count_pending_failures(&self, scope: TimelineScope) -> Result<u64, QueryError> {
        let Some(session) = scope.number(self)? else { return Ok(0) };
        let sql = "SELECT count(*) FROM pending WHERE session = ?1";
        let found = self.index.answer(sql, &[Ask::Number(session)], |row| row.get(0))?;
        Ok(found.first().copied().unwrap_or_default())
    }

    /// The same tool and target that failed three times or more in a row with the same diagnostic,
    /// and have not succeeded since; the newest first.
    pub fn failure_loops(&self, scope: TimelineScope) -> Result<Vec<FailureLoop>, QueryError> {
        let mut loops = Vec::new();
        let sql = format!("{PENDING} AND alike >= {LOOP_MIN}");
        for (group, execution) in self.groups(scope, &sql, LOOPS_MAX as u64)? {
            let executions = self.ordinals_of(scope, &group)?;
            loops.push(FailureLoop { execution, failures: group.alike, executions });
        }
        Ok(loops)
    }

    fn groups(
        &self,
        scope: TimelineScope,
        sql: &str,
        most: u64,
    ) -> Result<Vec<(Group, TimelineEntry)>, QueryError> {
        let Some(session) = scope.number(self)? else { return Ok(Vec::new()) };
        let sql = format!("{sql} ORDER BY at_ms DESC, at_seq DESC LIMIT ?2");
        let found = self.index.answer(&sql, &[Ask::Number(session), number(most)], |row| {
            let (failures, alike) = (row.get(1)?, row.get(2)?);
            Ok(Group { execution: row.get(0)?, failures, alike, since_ms: row.get(3)? })
        })?;
        let mut groups = Vec::with_capacity(found.len());
        for group in found {
            let execution = self.judged("1", &[], group.execution)?;
            groups.extend(execution.map(|execution| (group, execution.into())));
        }
        Ok(groups)
    }

    /// The ordinals of a group's newest failures that said the same, the oldest first.
    fn ordinals_of(&self, scope: TimelineScope, group: &Group) -> Result<Vec<u64>, QueryError> {
        let Some(session) = scope.number(self)? else { return Ok(Vec::new()) };
        let sql = format!(
            "SELECT e.ordinal FROM executions n CROSS JOIN executions e \
             ON e.target_key = n.target_key AND (e.tool = n.tool OR n.tool IN ({MADE}) \
             AND e.tool IN ({MADE})) AND {} \
             WHERE n.seq = ?2 AND e.corrected_by IS NULL AND e.target_key IS NOT NULL \
             AND e.outcome = 'failed' AND (e.at_ms, e.at_seq) <= (n.at_ms, n.at_seq) \
             ORDER BY e.at_ms DESC, e.at_seq DESC LIMIT ?3",
            scope.narrowed()
        );
        let most = number(group.alike.min(NAMED_MAX));
        let values = [Ask::Number(session), Ask::Number(group.execution), most];
        let found: Vec<Option<u64>> = self.index.answer(&sql, &values, |row| row.get(0))?;
        Ok(found.into_iter().rev().flatten().collect())
    }
}

const PENDING: &str = "SELECT execution, failures, alike, since_ms FROM pending WHERE session = ?1";

/// Tools that are tried as one: see [`crate::execution::index::tried_as`].
const MADE: &str = "'file_write', 'file_create'";
