//! Failures that nothing has resolved (ruling 10).
//!
//! A catch-up moves a group (a tool and a target) by what just ended; where that is not the newest of
//! the group, or no longer counts, the group is read again. A load reads all groups at its end, when
//! there are indexes. Both give the same rows: what is kept follows from `executions` alone.

mod groups;
mod passed;

use rusqlite::params;

use super::Index;
use super::coverage::{Moment, Tried, is_missed};
use super::links::At;
use super::open::KnownRow;
use super::tallies::PROJECT;
use crate::parse::check::coverage::Coverage;
use crate::store::StoreError;

pub(super) use passed::Passed;

/// Failures in a row that say the same and are a loop.
pub const LOOP_MIN: u64 = 3;

/// The tool under which two tries are of the same: a write that made its file is a `file_create`
/// afterwards.
pub fn tried_as(tool: &str) -> &str {
    if tool == "file_create" { "file_write" } else { tool }
}

/// After everything.
const NEVER: Moment = (i64::MAX, i64::MAX);

/// A tool on a target, within a session or the project.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Group {
    session: i64,
    tool: String,
    target_key: [u8; 16],
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Failure {
    at: Moment,
    execution: i64,
    said: Option<[u8; 16]>,
    need: Option<String>,
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
        tried: &Tried,
    ) -> Result<(), StoreError> {
        for group in self.groups(row) {
            match row.outcome.as_deref() {
                Some("ok") if row.proven && !row.partial => {
                    self.succeeded(&group, at, &tried.passed)?;
                }
                Some("failed") if row.asks => {}
                Some("failed") => self.fell(&group, at, tried)?,
                _ => {}
            }
        }
        if tried.passed.is_empty() || self.is_load() {
            return Ok(());
        }
        let at = (at.at_ms, at.at_seq.cast_signed());
        for session in sessions(row) {
            self.passed.add(session, (row.seq, at), &tried.passed);
        }
        if self.passed.is_full() { self.settle_waiting() } else { Ok(()) }
    }

    /// An execution no longer counts.
    pub(super) fn tried_otherwise(&mut self, row: &KnownRow) -> Result<(), StoreError> {
        if matches!(row.outcome.as_deref(), Some("ok" | "failed")) {
            for group in self.groups(row) {
                self.read_again(&group)?;
            }
        }
        // What it had ended may be pending again.
        if self.forget_coverages(row.seq)? && row.proven && !self.is_load() {
            for session in sessions(row) {
                self.read_checks_again(session)?;
            }
        }
        Ok(())
    }

    fn read_checks_again(&self, session: i64) -> Result<(), StoreError> {
        let scope = if session == PROJECT { "?1 = -1" } else { "session = ?1" };
        let sql = format!(
            "SELECT DISTINCT iif(tool = 'file_create', 'file_write', tool), target_key \
             FROM executions WHERE need IS NOT NULL AND target_key IS NOT NULL AND {scope}"
        );
        let groups: Vec<Group> =
            self.conn.rows("looking for failed checks", &sql, [session], |row| {
                Ok(Group { session, tool: row.get(0)?, target_key: row.get(1)? })
            })?;
        groups.iter().try_for_each(|group| self.read_again(group))
    }

    /// The groups that an execution belongs to; none while a new file is loaded.
    fn groups(&self, row: &KnownRow) -> Vec<Group> {
        if self.is_load() {
            return Vec::new();
        }
        sessions(row).filter_map(|session| Group::of(session, row)).collect()
    }

    fn succeeded(&self, group: &Group, at: At, passed: &[Coverage]) -> Result<(), StoreError> {
        let Some((since_ms, newest)) = self.stands(group)? else { return Ok(()) };
        match (at.at_ms, at.at_seq.cast_signed()) {
            at if at > newest && is_missed(self.newest_need(group)?.as_deref(), passed) => Ok(()),
            at if at > newest => self.forget(group),
            (at_ms, _) if at_ms < since_ms => Ok(()),
            _ => self.read_again(group),
        }
    }

    fn fell(&mut self, group: &Group, at: At, tried: &Tried) -> Result<(), StoreError> {
        // What is read again has what fell just now.
        if self.settle(group)? {
            return Ok(());
        }
        self.passed.settled(group);
        let moment = (at.at_ms, at.at_seq.cast_signed());
        let Tried { said, need, .. } = tried;
        let is_ended = || self.is_shown_to_be_gone(group.session, need.as_deref(), (moment, NEVER));
        match self.stands(group)? {
            Some((_, newest)) if moment > newest => {
                if is_ended()? {
                    return self.forget(group);
                }
                let Group { session, tool, target_key } = group;
                let (at_ms, at_seq) = moment;
                let values = params![session, tool, target_key, said, at_ms, at_seq, at.execution];
                self.write("counting failures", ONE_MORE, values).map(drop)
            }
            // With none pending, all that fell before one that was resolved is.
            None => {
                let resolved = self.last_success(group, moment)?.is_some()
                    || is_ended()?
                    || self.has_failed_after(group, moment)?;
                if resolved {
                    return Ok(());
                }
                let execution = at.execution.cast_signed();
                let (said, need) = (*said, need.clone());
                self.write_group(group, &[Failure { at: moment, execution, said, need }])
            }
            Some(_) => self.read_again(group),
        }
    }

    fn has_failed_after(&self, group: &Group, (at_ms, at_seq): Moment) -> Result<bool, StoreError> {
        let sql = format!(
            "SELECT 1 FROM executions WHERE {} AND tool = ?2 AND target_key = ?3 \
             AND outcome = 'failed' AND asks IS NULL AND corrected_by IS NULL \
             AND (at_ms, at_seq) > (?4, ?5) LIMIT 1",
            group.narrowed()
        );
        for tool in group.tools() {
            let values = params![group.session, tool, group.target_key, at_ms, at_seq];
            if self.find("looking for a failure", &sql, values, |_| Ok(()))?.is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// What a check must look at to show the newest failure of a group.
    fn newest_need(&self, group: &Group) -> Result<Option<String>, StoreError> {
        let Group { session, tool, target_key } = group;
        let sql = "SELECT e.need FROM pending p JOIN executions e ON e.seq = p.execution \
                   WHERE p.session = ?1 AND p.tool = ?2 AND p.target_key = ?3";
        let values = params![session, tool, target_key];
        Ok(self.find("looking up what a failure needs", sql, values, |row| row.get(0))?.flatten())
    }

    /// Since when a group is pending, and the place of its newest failure.
    fn stands(&self, group: &Group) -> Result<Option<(i64, Moment)>, StoreError> {
        let Group { session, tool, target_key } = group;
        let sql = "SELECT since_ms, at_ms, at_seq FROM pending WHERE session = ?1 AND tool = ?2 \
                   AND target_key = ?3";
        self.find("looking a failure up", sql, params![session, tool, target_key], |row| {
            Ok((row.get(0)?, (row.get(1)?, row.get(2)?)))
        })
    }
}

/// The session of an execution, and the project.
fn sessions(row: &KnownRow) -> impl Iterator<Item = i64> {
    row.session.map(u64::cast_signed).into_iter().chain([PROJECT])
}

const ONE_MORE: &str = "UPDATE pending SET failures = failures + 1, alike = iif((SELECT said \
     FROM executions WHERE seq = execution) IS ?4, alike + 1, 1), at_ms = ?5, at_seq = ?6, \
     execution = ?7 WHERE session = ?1 AND tool = ?2 AND target_key = ?3";
