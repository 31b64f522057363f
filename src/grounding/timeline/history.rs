//! What the index tells of a scope: what happened, where it stands, what is still broken.

use std::cmp::Reverse;

use super::{FailureLoop, FailureRecord, Result, TimelineEntry, TimelinePosition, TimelineScope};
use crate::event::{Ordered, Outcome, SessionId, tool};
use crate::execution::index::LOOP_MIN;
use crate::execution::query::execution::EXECUTIONS;
use crate::execution::query::{
    After, ExecutionSummary, PAGE_ITEMS_MAX, Reference, Stores, number, text,
};
use crate::store::Ask;

pub const PENDING_MAX: usize = 100;
pub const LOOPS_MAX: usize = 16;
const NAMED_MAX: u64 = 8;

const PENDING: &str = "SELECT execution, failures, alike, since_ms FROM pending WHERE session = ?1";

/// Tools that are tried as one: see [`crate::execution::index::tried_as`].
const MADE: &str = "'file_write', 'file_create'";

/// A call's command line and the folder that it was run in.
pub type RunPlace = (Option<String>, Option<String>);

struct Tally {
    tool: String,
    outcome: String,
    executions: u64,
    at: (i64, i64),
    execution: i64,
}

struct Group {
    execution: i64,
    failures: u64,
    alike: u64,
    since_ms: u64,
}

impl Stores {
    /// The newest executions that ended, the oldest first: by time, then sequence. Corrections stand
    /// for what they correct. At most `PAGE_ITEMS_MAX`.
    pub fn get_recent_timeline(
        &self,
        scope: TimelineScope,
        n: usize,
    ) -> Result<Vec<TimelineEntry>> {
        self.ended(scope, n, None)
    }

    /// What led up to an execution: the newest before it, the oldest first.
    pub fn get_preceding_context(
        &self,
        scope: TimelineScope,
        before_id: u64,
        n: usize,
    ) -> Result<Vec<TimelineEntry>> {
        let before = self.place_of(before_id)?;
        let before = After { at_ms: before.at_ms, sequence: before.sequence };
        self.ended(scope, n, Some(before))
    }

    fn ended(
        &self,
        scope: TimelineScope,
        n: usize,
        before: Option<After>,
    ) -> Result<Vec<TimelineEntry>> {
        let Some(session) = scope.number(self)? else { return Ok(Vec::new()) };
        let n = number(n.min(PAGE_ITEMS_MAX) as u64);
        let mut values = vec![Ask::Number(session), n];
        let mut earlier = "";
        if let Some(before) = before {
            values.extend(before.values());
            earlier = " AND (e.at_ms, e.at_seq) < (?3, ?4)";
        }
        let from = format!(
            "{EXECUTIONS} WHERE {} AND e.closed_seq IS NOT NULL AND e.corrected_by IS NULL{earlier} \
             ORDER BY e.at_ms DESC, e.at_seq DESC LIMIT ?2",
            scope.narrowed()
        );
        let found = self.summaries(&from, &values)?;
        Ok(found.into_iter().rev().map(Into::into).collect())
    }

    pub fn get_timeline_position(&self, scope: TimelineScope) -> Result<TimelinePosition> {
        let mut position = TimelinePosition {
            session: scope.session(),
            through_sequence: self.last_sequence()?,
            ..TimelinePosition::default()
        };
        let Some(session) = scope.number(self)? else { return Ok(position) };
        let mut tallies = self.tallies(session)?;
        tallies.order_by_key(|tally| Reverse(tally.at));
        position.total_executions = tallies.iter().map(|tally| tally.executions).sum();
        let newest = |outcome: Option<Outcome>| -> Result<Option<ExecutionSummary>> {
            let ended =
                |tally: &&Tally| outcome.is_none_or(|outcome| tally.outcome == outcome.as_str());
            let Some(tally) = tallies.iter().find(ended) else { return Ok(None) };
            self.judged("1", &[], tally.execution)
        };
        let ordinal = |row: Option<ExecutionSummary>| row.and_then(|row| row.ordinal);
        position.last_success = ordinal(newest(Some(Outcome::Ok))?);
        position.last_failure = ordinal(newest(Some(Outcome::Failed))?);
        position.last_execution = newest(None)?.map(Into::into);
        position.last_execution_id =
            position.last_execution.as_ref().and_then(|entry| entry.execution_id);
        let (steps, last_query_ms) = self.standing(session)?;
        let changes = tallies.iter().filter(|tally| {
            tool::is_mutation(&tally.tool) && tally.outcome == Outcome::Ok.as_str()
        });
        position.current_step = match steps {
            0 => changes.map(|tally| tally.executions).sum(),
            begun => begun,
        };
        position.last_query_ms = last_query_ms;
        Ok(position)
    }

    /// The last event that answers know of.
    pub fn last_sequence(&self) -> Result<u64> {
        Ok(self.index.cursor()?.map_or(0, |cursor| cursor.position.sequence))
    }

    pub(super) fn place_of(&self, ordinal: u64) -> Result<ExecutionSummary> {
        self.resolve(&Reference::Ordinal(ordinal))
    }

    fn tallies(&self, session: i64) -> Result<Vec<Tally>> {
        let sql = "SELECT tool, outcome, executions, at_ms, at_seq, execution FROM tallies \
                   WHERE session = ?1";
        Ok(self.index.rows(sql, [session], |row| {
            Ok(Tally {
                tool: row.get(0)?,
                outcome: row.get(1)?,
                executions: row.get(2)?,
                at: (row.get(3)?, row.get(4)?),
                execution: row.get(5)?,
            })
        })?)
    }

    fn standing(&self, session: i64) -> Result<(u64, Option<u64>)> {
        let sql = "SELECT steps, last_read_ms FROM standings WHERE session = ?1";
        let found = self.index.rows(sql, [session], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(found.into_iter().next().unwrap_or_default())
    }

    pub fn newest_session(&self) -> Result<Option<SessionId>> {
        let sql = "SELECT id FROM sessions ORDER BY last_ms DESC, number DESC LIMIT ?1";
        Ok(self.index.answer(sql, &[number(1)], |row| row.get(0))?.pop())
    }

    pub(super) fn knows_session(&self, id: &str) -> Result<bool> {
        let sql = "SELECT 1 FROM sessions WHERE id = ?1";
        Ok(!self.index.answer(sql, &[text(id)], |_| Ok(()))?.is_empty())
    }

    /// Failures that no later success of the same tool on the same target has resolved (ruling 10),
    /// the newest first; of many, the newest `PENDING_MAX`. Refused is not failed, and a failure
    /// that was corrected is none.
    pub fn get_pending_failures(&self, scope: TimelineScope) -> Result<Vec<FailureRecord>> {
        let groups = self.groups(scope, PENDING, PENDING_MAX as u64)?;
        Ok(Self::records(groups).map(|(_, record)| record).collect())
    }

    /// Those of checks alone, each with its command line and the folder that it was run in.
    pub fn pending_checks(&self, scope: TimelineScope) -> Result<Vec<(RunPlace, FailureRecord)>> {
        let sql = format!(
            "{PENDING} AND (SELECT checked FROM executions WHERE seq = execution) IS NOT NULL"
        );
        let groups = self.groups(scope, &sql, PENDING_MAX as u64)?;
        let with_place = |(execution, record): (i64, FailureRecord)| {
            let sql = "SELECT command, cwd FROM executions WHERE seq = ?1";
            let place = self.index.all::<RunPlace>(sql, [execution])?.pop();
            Ok((place.unwrap_or_default(), record))
        };
        Self::records(groups).map(with_place).collect()
    }

    fn records(groups: Vec<(Group, TimelineEntry)>) -> impl Iterator<Item = (i64, FailureRecord)> {
        let record = |(group, execution): (Group, TimelineEntry)| {
            let Group { failures, since_ms, .. } = group;
            (group.execution, FailureRecord { execution, failures, since_ms })
        };
        groups.into_iter().map(record)
    }

    pub fn count_pending_failures(&self, scope: TimelineScope) -> Result<u64> {
        let Some(session) = scope.number(self)? else { return Ok(0) };
        let sql = "SELECT count(*) FROM pending WHERE session = ?1";
        let found = self.index.answer(sql, &[Ask::Number(session)], |row| row.get(0))?;
        Ok(found.first().copied().unwrap_or_default())
    }

    /// The same tool and target that failed three times or more in a row with the same diagnostic,
    /// and have not succeeded since; the newest first.
    pub fn failure_loops(&self, scope: TimelineScope) -> Result<Vec<FailureLoop>> {
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
    ) -> Result<Vec<(Group, TimelineEntry)>> {
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
    fn ordinals_of(&self, scope: TimelineScope, group: &Group) -> Result<Vec<u64>> {
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
