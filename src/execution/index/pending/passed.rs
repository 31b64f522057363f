//! What the checks that passed in a transaction end: looked for once at its end, and for a group that is tried again
//! before that. Of what waits each is held against them by what it needs.

use std::collections::{BTreeMap, BTreeSet};

use rusqlite::params;

use super::super::coverage::Moment;
use super::{Group, Index};
use crate::parse::check::coverage::{Coverage, Filed};
use crate::store::StoreError;

/// Checks that are kept, of all scopes; few in tests, whose histories are short.
const KEPT_MAX: usize = if cfg!(test) { 3 } else { 1_024 };

/// Checks that passed in a transaction.
#[derive(Debug, Default)]
pub(in crate::execution::index) struct Passed {
    scopes: BTreeMap<i64, Scope>,
    /// How many of its scope a group was held against.
    settled: BTreeMap<Group, usize>,
    /// Executions that no longer count.
    gone: BTreeSet<u64>,
    kept: usize,
}

/// Those of a session, or the project.
#[derive(Debug, Default)]
struct Scope {
    checks: Vec<(u64, Moment)>,
    looked_at: Filed,
    /// Whose each of those is.
    owners: Vec<usize>,
}

/// The newest failure of a group that waits.
struct Waiting {
    newest: Moment,
    need: String,
}

/// What becomes of a group.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fate {
    Waits,
    Ended,
    /// One passed before its newest failure.
    Unclear,
}

impl Passed {
    pub fn add(&mut self, session: i64, check: (u64, Moment), looked_at: &[Coverage]) {
        let scope = self.scopes.entry(session).or_default();
        for one in looked_at {
            scope.looked_at.add(one.clone());
            scope.owners.push(scope.checks.len());
        }
        scope.checks.push(check);
        self.kept += 1;
    }

    pub fn is_full(&self) -> bool {
        self.kept >= KEPT_MAX
    }

    pub fn forget(&mut self, execution: u64) {
        if self.kept > 0 {
            self.gone.insert(execution);
        }
    }

    /// What has passed so far ends nothing of a group any more.
    pub(super) fn settled(&mut self, group: &Group) {
        if let Some(scope) = self.scopes.get(&group.session) {
            self.settled.insert(group.clone(), scope.checks.len());
        }
    }

    fn fate(&self, group: &Group, waiting: &Waiting) -> Fate {
        let Some(scope) = self.scopes.get(&group.session) else { return Fate::Waits };
        let from = self.settled.get(group).copied().unwrap_or(0);
        let counts = |it: &&(u64, Moment)| !self.gone.contains(&it.0);
        let is_later = |place: usize| {
            let check = scope.owners.get(place).filter(|it| **it >= from);
            let check = check.and_then(|it| scope.checks.get(*it)).filter(counts);
            check.is_some_and(|it| it.1 > waiting.newest)
        };
        let covering = || {
            let need = Coverage::parse(&waiting.need);
            need.map(|it| scope.looked_at.covering(&it)).unwrap_or_default()
        };
        let since = scope.checks.get(from..).unwrap_or_default();
        if since.is_empty() {
            Fate::Waits
        } else if covering().into_iter().any(is_later) {
            Fate::Ended
        } else if since.iter().filter(counts).any(|it| it.1 < waiting.newest) {
            Fate::Unclear
        } else {
            Fate::Waits
        }
    }
}

impl Index {
    /// Holds all that waits against what has passed.
    pub(in crate::execution::index) fn settle_waiting(&mut self) -> Result<(), StoreError> {
        for session in self.passed.scopes.keys() {
            let waiting: Vec<(Group, Waiting)> =
                self.conn.rows(LOOKING, WAITING, [session], |row| {
                    let group =
                        Group { session: *session, tool: row.get(3)?, target_key: row.get(4)? };
                    Ok((group, Waiting::of(row)?))
                })?;
            for (group, waiting) in &waiting {
                self.decide(group, waiting)?;
            }
        }
        self.passed = Passed::default();
        Ok(())
    }

    /// Holds one group against it; gives whether it was read again.
    pub(super) fn settle(&self, group: &Group) -> Result<bool, StoreError> {
        if !self.passed.scopes.contains_key(&group.session) {
            return Ok(false);
        }
        let values = params![group.session, group.tool, group.target_key];
        let waiting = self.find(LOOKING, WAITING_OF, values, Waiting::of)?;
        let Some(waiting) = waiting else { return Ok(false) };
        Ok(self.decide(group, &waiting)? == Fate::Unclear)
    }

    fn decide(&self, group: &Group, waiting: &Waiting) -> Result<Fate, StoreError> {
        let fate = self.passed.fate(group, waiting);
        match fate {
            Fate::Waits => {}
            Fate::Ended => self.forget(group)?,
            Fate::Unclear => self.read_again(group)?,
        }
        Ok(fate)
    }
}

impl Waiting {
    fn of(row: &rusqlite::Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self { newest: (row.get(0)?, row.get(1)?), need: row.get(2)? })
    }
}

const LOOKING: &str = "looking for what a check ends";

const WAITING: &str = "SELECT p.at_ms, p.at_seq, e.need, p.tool, p.target_key FROM pending p \
     JOIN executions e ON e.seq = p.execution WHERE p.session = ?1 AND e.need IS NOT NULL";

const WAITING_OF: &str = "SELECT p.at_ms, p.at_seq, e.need FROM pending p \
     JOIN executions e ON e.seq = p.execution WHERE p.session = ?1 AND p.tool = ?2 \
     AND p.target_key = ?3 AND e.need IS NOT NULL";
