//! Reading the failures of a group, and writing those that nothing has resolved.

use rusqlite::params;

use super::super::coverage::{Moment, is_missed};
use super::{Failure, Group, Index, NEVER};
use crate::store::StoreError;
use crate::store::columns::insert;

impl Index {
    /// Makes the rows of a new file.
    pub(in crate::execution::index) fn load_pending(&mut self) -> Result<(), StoreError> {
        for (session, condition) in [("-1", ""), ("session", " AND session IS NOT NULL")] {
            let sql = format!(
                "SELECT {session}, iif(tool = 'file_create', 'file_write', tool), target_key, \
                 at_ms, at_seq, seq, said, need FROM executions WHERE outcome = 'failed' AND asks IS NULL \
                 AND corrected_by IS NULL AND target_key IS NOT NULL{condition} \
                 ORDER BY 1, 2, 3, 4, 5"
            );
            let failed = |source| self.conn.failed("reading failures", source);
            let mut read = self.conn.prepare(&sql).map_err(failed)?;
            let mut rows = read
                .query_map([], |row| {
                    let (session, tool) = (row.get(0)?, row.get(1)?);
                    let group = Group { session, tool, target_key: row.get(2)? };
                    let at = (row.get(3)?, row.get(4)?);
                    let (execution, said, need) = (row.get(5)?, row.get(6)?, row.get(7)?);
                    Ok((group, Failure { at, execution, said, need }))
                })
                .map_err(failed)?;
            let mut current: Option<(Group, Vec<Failure>)> = None;
            loop {
                let next = rows.next().transpose().map_err(failed)?;
                match (&mut current, next) {
                    (Some((group, failures)), Some((same, failure))) if *group == same => {
                        failures.push(failure);
                    }
                    (_, next) => {
                        let following = next.map(|(group, failure)| (group, vec![failure]));
                        let end = following.is_none();
                        if let Some((group, failures)) = std::mem::replace(&mut current, following)
                        {
                            self.load_group(&group, &failures)?;
                        }
                        if end {
                            break;
                        }
                    }
                }
            }
        }
        Ok(())
    }

    pub(super) fn read_again(&self, group: &Group) -> Result<(), StoreError> {
        self.forget(group)?;
        let sql = format!(
            "SELECT at_ms, at_seq, seq, said, need FROM executions WHERE {} AND tool = ?2 \
             AND target_key = ?3 AND outcome = 'failed' AND asks IS NULL AND corrected_by IS NULL",
            group.narrowed()
        );
        let mut failures: Vec<Failure> = Vec::new();
        for tool in group.tools() {
            let values = params![group.session, tool, group.target_key];
            failures.extend(self.conn.rows("reading failures", &sql, values, |row| {
                let at = (row.get(0)?, row.get(1)?);
                let (execution, said, need) = (row.get(2)?, row.get(3)?, row.get(4)?);
                Ok(Failure { at, execution, said, need })
            })?);
        }
        failures.sort_unstable();
        self.load_group(group, &failures)
    }

    /// Writes a group that was loaded: its failures, the oldest first.
    fn load_group(&self, group: &Group, failures: &[Failure]) -> Result<(), StoreError> {
        let later = self.mended(group, failures)?;
        self.write_waiting(group, &failures[later..])
    }

    /// How many of a group's failures, the oldest first, a success of the same call ended: one that may have passed
    /// because a test is missing ended none.
    fn mended(&self, group: &Group, failures: &[Failure]) -> Result<usize, StoreError> {
        let mut before = NEVER;
        while let Some((at, execution)) = self.last_success_before(group, before)? {
            let later = failures.partition_point(|one| one.at < at);
            let need = failures[..later].last().and_then(|it| it.need.as_deref());
            if need.is_none() || !is_missed(need, &self.looked_at(execution)?) {
                return Ok(later);
            }
            before = at;
        }
        Ok(0)
    }

    /// The last success of a group that came before a moment.
    fn last_success_before(
        &self,
        group: &Group,
        before: Moment,
    ) -> Result<Option<(Moment, i64)>, StoreError> {
        let sql = format!(
            "SELECT at_ms, at_seq, seq FROM executions WHERE {} AND tool = ?2 AND target_key = ?3 \
             AND corrected_by IS NULL AND outcome = 'ok' AND coalesce(verdict, 'passed') = 'passed' \
             AND partial IS NULL AND (at_ms, at_seq) < (?4, ?5) \
             ORDER BY at_ms DESC, at_seq DESC LIMIT 1",
            group.narrowed()
        );
        let mut last = None;
        for tool in group.tools() {
            let values = params![group.session, tool, group.target_key, before.0, before.1];
            let found = self.find("looking for a success", &sql, values, |row| {
                Ok(((row.get(0)?, row.get(1)?), row.get(2)?))
            })?;
            last = last.max(found);
        }
        Ok(last)
    }

    /// Writes those of a group's failures that came after the last that a check has ended.
    fn write_waiting(&self, group: &Group, failures: &[Failure]) -> Result<(), StoreError> {
        let mut next = NEVER;
        for (at, Failure { at: moment, need, .. }) in failures.iter().enumerate().rev() {
            if self.is_shown_to_be_gone(group.session, need.as_deref(), (*moment, next))? {
                return self.write_group(group, &failures[at + 1..]);
            }
            next = *moment;
        }
        self.write_group(group, failures)
    }

    /// Writes a group's pending failures, the oldest first.
    pub(super) fn write_group(&self, group: &Group, pending: &[Failure]) -> Result<(), StoreError> {
        let (Some(first), Some(newest)) = (pending.first(), pending.last()) else { return Ok(()) };
        let alike = pending.iter().rev().take_while(|one| one.said == newest.said).count();
        insert!(
            self,
            pending {
                session: group.session,
                tool: group.tool,
                target_key: group.target_key,
                failures: pending.len(),
                alike,
                since_ms: first.at.0,
                at_ms: newest.at.0,
                at_seq: newest.at.1,
                execution: newest.execution,
            }
        )
        .map(drop)
    }

    pub(super) fn forget(&self, group: &Group) -> Result<(), StoreError> {
        let Group { session, tool, target_key } = group;
        let sql = "DELETE FROM pending WHERE session = ?1 AND tool = ?2 AND target_key = ?3";
        self.write("resolving a failure", sql, params![session, tool, target_key]).map(drop)
    }

    /// The last success of a group, if it is later than a moment.
    pub(super) fn last_success(
        &self,
        group: &Group,
        after: (i64, i64),
    ) -> Result<Option<(i64, i64)>, StoreError> {
        let sql = format!(
            "SELECT at_ms, at_seq FROM executions WHERE {} AND tool = ?2 AND target_key = ?3 \
             AND corrected_by IS NULL AND outcome = 'ok' AND coalesce(verdict, 'passed') = 'passed' \
             AND partial IS NULL AND (at_ms, at_seq) > (?4, ?5) \
             ORDER BY at_ms DESC, at_seq DESC LIMIT 1",
            group.narrowed()
        );
        let mut last = None;
        for tool in group.tools() {
            let values = params![group.session, tool, group.target_key, after.0, after.1];
            let found = self.find("looking for a success", &sql, values, |row| {
                Ok((row.get(0)?, row.get(1)?))
            })?;
            last = last.max(found);
        }
        Ok(last)
    }
}
