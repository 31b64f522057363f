//! Failures that nothing has resolved (ruling 10).
//!
//! A catch-up moves a group (a tool and a target) by what just ended; where that is not the newest of
//! the group, or no longer counts, the group is read again. A load reads all groups at its end, when
//! there are indexes. Both give the same rows: what is kept follows from `executions` alone.

use rusqlite::params;

use super::Index;
use super::links::At;
use super::open::KnownRow;
use super::tallies::PROJECT;
use crate::store::StoreError;
use crate::store::columns::insert;

/// Failures in a row that say the same and are a loop.
pub const LOOP_MIN: u64 = 3;

/// The tool under which two tries are of the same: a write that made its file is a `file_create`
/// afterwards.
pub fn tried_as(tool: &str) -> &str {
    if tool == "file_create" { "file_write" } else { tool }
}

/// Before everything.
const EVER: (i64, i64) = (i64::MIN, i64::MIN);

/// A tool on a target, within a session or the project.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Group {
    session: i64,
    tool: String,
    target_key: [u8; 16],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Failure {
    at: (i64, i64),
    execution: i64,
    said: Option<[u8; 16]>,
}

impl Group {
    fn of(session: i64, row: &KnownRow) -> Option<Self> {
        let tool = tried_as(&row.tool).to_owned();
        Some(Self { session, tool, target_key: row.target_key? })
    }

    fn tools(&self) -> impl Iterator<Item = &str> {
        let made = (self.tool == "file_write").then_some("file_create");
        std::iter::once(self.tool.as_str()).chain(made)
    }

    fn narrowed(&self) -> &'static str {
        if self.session == PROJECT { "?1 = -1" } else { "session = ?1" }
    }
}

impl Index {
    /// An execution ended, as its row says: a failure may be pending now, or resolved.
    pub(super) fn tried(
        &mut self,
        row: &KnownRow,
        at: At,
        said: Option<[u8; 16]>,
    ) -> Result<(), StoreError> {
        for group in self.groups(row) {
            match row.outcome.as_deref() {
                Some("ok") => self.succeeded(&group, at)?,
                Some("failed") => self.fell(&group, at, said)?,
                _ => {}
            }
        }
        Ok(())
    }

    /// An execution no longer counts.
    pub(super) fn tried_otherwise(&mut self, row: &KnownRow) -> Result<(), StoreError> {
        if matches!(row.outcome.as_deref(), Some("ok" | "failed")) {
            for group in self.groups(row) {
                self.read_again(&group)?;
            }
        }
        Ok(())
    }

    /// Makes the rows of a new file.
    pub(super) fn load_pending(&mut self) -> Result<(), StoreError> {
        for (session, condition) in [("-1", ""), ("session", " AND session IS NOT NULL")] {
            let sql = format!(
                "SELECT {session}, iif(tool = 'file_create', 'file_write', tool), target_key, \
                 at_ms, at_seq, seq, said FROM executions WHERE outcome = 'failed' \
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
                    Ok((group, Failure { at, execution: row.get(5)?, said: row.get(6)? }))
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

    /// The groups that an execution belongs to; none while a new file is loaded.
    fn groups(&self, row: &KnownRow) -> Vec<Group> {
        if self.is_load() {
            return Vec::new();
        }
        let sessions = row.session.map(u64::cast_signed).into_iter().chain([PROJECT]);
        sessions.filter_map(|session| Group::of(session, row)).collect()
    }

    fn succeeded(&self, group: &Group, at: At) -> Result<(), StoreError> {
        let Some((since_ms, newest)) = self.stands(group)? else { return Ok(()) };
        match (at.at_ms, at.at_seq.cast_signed()) {
            at if at > newest => self.forget(group),
            (at_ms, _) if at_ms < since_ms => Ok(()),
            _ => self.read_again(group),
        }
    }

    fn fell(&self, group: &Group, at: At, said: Option<[u8; 16]>) -> Result<(), StoreError> {
        let moment = (at.at_ms, at.at_seq.cast_signed());
        match self.stands(group)? {
            Some((_, newest)) if moment > newest => {
                let Group { session, tool, target_key } = group;
                let (at_ms, at_seq) = moment;
                let values = params![session, tool, target_key, said, at_ms, at_seq, at.execution];
                self.write("counting failures", ONE_MORE, values).map(drop)
            }
            // With none pending, all that fell before a success is resolved.
            None if self.last_success(group, moment)?.is_none() => {
                let execution = at.execution.cast_signed();
                self.write_group(group, &[Failure { at: moment, execution, said }])
            }
            None => Ok(()),
            Some(_) => self.read_again(group),
        }
    }

    /// Since when a group is pending, and the place of its newest failure.
    fn stands(&self, group: &Group) -> Result<Option<(i64, (i64, i64))>, StoreError> {
        let Group { session, tool, target_key } = group;
        let sql = "SELECT since_ms, at_ms, at_seq FROM pending WHERE session = ?1 AND tool = ?2 \
                   AND target_key = ?3";
        self.find("looking a failure up", sql, params![session, tool, target_key], |row| {
            Ok((row.get(0)?, (row.get(1)?, row.get(2)?)))
        })
    }

    fn read_again(&self, group: &Group) -> Result<(), StoreError> {
        self.forget(group)?;
        let (at_ms, at_seq) = self.last_success(group, EVER)?.unwrap_or(EVER);
        let sql = format!(
            "SELECT at_ms, at_seq, seq, said FROM executions WHERE {} AND tool = ?2 \
             AND target_key = ?3 AND outcome = 'failed' AND corrected_by IS NULL \
             AND (at_ms, at_seq) > (?4, ?5)",
            group.narrowed()
        );
        let mut failures: Vec<Failure> = Vec::new();
        for tool in group.tools() {
            let values = params![group.session, tool, group.target_key, at_ms, at_seq];
            failures.extend(self.conn.rows("reading failures", &sql, values, |row| {
                let at = (row.get(0)?, row.get(1)?);
                Ok(Failure { at, execution: row.get(2)?, said: row.get(3)? })
            })?);
        }
        failures.sort_unstable();
        self.write_group(group, &failures)
    }

    /// Writes a group that was loaded: its failures, the oldest first.
    fn load_group(&self, group: &Group, failures: &[Failure]) -> Result<(), StoreError> {
        let solved = self.last_success(group, EVER)?;
        let later = failures.partition_point(|one| Some(one.at) < solved);
        self.write_group(group, &failures[later..])
    }

    /// Writes a group's pending failures, the oldest first.
    fn write_group(&self, group: &Group, pending: &[Failure]) -> Result<(), StoreError> {
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

    fn forget(&self, group: &Group) -> Result<(), StoreError> {
        let Group { session, tool, target_key } = group;
        let sql = "DELETE FROM pending WHERE session = ?1 AND tool = ?2 AND target_key = ?3";
        self.write("resolving a failure", sql, params![session, tool, target_key]).map(drop)
    }

    /// The last success of a group, if it is later than a moment.
    fn last_success(
        &self,
        group: &Group,
        after: (i64, i64),
    ) -> Result<Option<(i64, i64)>, StoreError> {
        let sql = format!(
            "SELECT at_ms, at_seq FROM executions WHERE {} AND tool = ?2 AND target_key = ?3 \
             AND corrected_by IS NULL AND outcome = 'ok' AND (at_ms, at_seq) > (?4, ?5) \
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

const ONE_MORE: &str = "UPDATE pending SET failures = failures + 1, alike = iif((SELECT said \
     FROM executions WHERE seq = execution) IS ?4, alike + 1, 1), at_ms = ?5, at_seq = ?6, \
     execution = ?7 WHERE session = ?1 AND tool = ?2 AND target_key = ?3";
