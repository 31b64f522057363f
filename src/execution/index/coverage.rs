//! What checks looked at, and which later one would have shown a failure (ruling 10).
//!
//! Coverages are few and told apart by their text; a check has as many as it has commands that look at something.

use std::collections::BTreeMap;

use rusqlite::params;

use super::Index;
use super::links::At;
use super::tallies::PROJECT;
use crate::execution::judged::Judged;
use crate::parse::check::coverage::Coverage;
use crate::store::StoreError;
use crate::store::columns::insert;

/// The coverages that there are.
#[derive(Debug, Default)]
pub(super) struct Coverages {
    known: BTreeMap<String, (i64, Coverage)>,
}

/// A time and a sequence.
pub(super) type Moment = (i64, i64);

/// What an execution that ended says of others.
#[derive(Clone, Debug, Default)]
pub(super) struct Tried {
    pub said: Option<[u8; 16]>,
    /// Of a failed check: what a later one must reach.
    pub need: Option<String>,
    /// Of a check that passed.
    pub passed: Vec<Coverage>,
}

impl Tried {
    pub fn of(judged: &Judged) -> Self {
        Self {
            said: judged.said().map(|it| it.0),
            need: judged.need().map(|it| it.to_text()),
            passed: if judged.is_proven() { judged.reached() } else { Vec::new() },
        }
    }
}

/// What later checks must look at, as it was read: each that passes is held against all that wait.
#[derive(Debug, Default)]
pub(super) struct Needs(BTreeMap<String, Option<Coverage>>);

/// Needs that are kept.
const NEEDS_MAX: usize = 4_096;

impl Needs {
    /// Whether what a check looked at would have shown a fault.
    pub fn is_met(&mut self, need: &str, passed: &[Coverage]) -> bool {
        if !self.0.contains_key(need) {
            if self.0.len() >= NEEDS_MAX {
                self.0.clear();
            }
            self.0.insert(need.to_owned(), Coverage::parse(need));
        }
        let need = self.0.get(need).and_then(Option::as_ref);
        need.is_some_and(|need| passed.iter().any(|it| it.covers(need)))
    }
}

/// Whether a check that passed may have passed because a test is missing that failed.
pub(super) fn is_missed(need: Option<&str>, passed: &[Coverage]) -> bool {
    let need = need.and_then(Coverage::parse);
    need.is_some_and(|need| passed.iter().any(|it| it.misses(&need)))
}

impl Coverages {
    /// The numbers of those that would show it.
    fn covering(&self, need: &Coverage) -> impl Iterator<Item = i64> {
        self.known.values().filter(|(_, it)| it.covers(need)).map(|(number, _)| *number)
    }
}

impl Index {
    /// What a check looked at that passed.
    pub(super) fn looked_at(&self, execution: i64) -> Result<Vec<Coverage>, StoreError> {
        let sql = "SELECT c.text FROM execution_coverages x JOIN coverages c \
                   ON c.number = x.coverage WHERE x.execution = ?1 AND x.passed";
        let found: Vec<String> =
            self.conn.rows("reading what a check looked at", sql, [execution], |row| row.get(0))?;
        Ok(found.iter().filter_map(|it| Coverage::parse(it)).collect())
    }

    pub(super) fn read_coverages(&mut self) -> Result<(), StoreError> {
        let sql = "SELECT text, number FROM coverages";
        let found: Vec<(String, i64)> =
            self.conn.rows("reading what checks look at", sql, [], |row| {
                Ok((row.get(0)?, row.get(1)?))
            })?;
        let known = found.into_iter().filter_map(|(text, number)| {
            let coverage = Coverage::parse(&text)?;
            Some((text, (number, coverage)))
        });
        self.coverages = Coverages { known: known.collect() };
        Ok(())
    }

    /// Ties a check to what it looked at.
    pub(super) fn add_coverages(
        &mut self,
        at: At,
        session: Option<u64>,
        judged: &Judged,
    ) -> Result<(), StoreError> {
        let passed = judged.is_proven();
        for coverage in judged.reached() {
            let text = coverage.to_text();
            let number = match self.coverages.known.get(&text) {
                Some((number, _)) => *number,
                None => {
                    insert!(self, coverages { text })?;
                    let number = self.conn.last_insert_rowid();
                    self.coverages.known.insert(text, (number, coverage));
                    number
                }
            };
            insert!(
                self,
                "INSERT OR REPLACE INTO",
                execution_coverages {
                    coverage: number,
                    at_ms: at.at_ms,
                    at_seq: at.at_seq,
                    execution: at.execution,
                    session,
                    passed,
                }
            )?;
        }
        Ok(())
    }

    /// It no longer counts.
    pub(super) fn forget_coverages(&self, execution: u64) -> Result<bool, StoreError> {
        let sql = "DELETE FROM execution_coverages WHERE execution = ?1";
        Ok(self.write("forgetting what a check looked at", sql, [execution])? > 0)
    }

    /// Whether a check passed in a scope, after one moment and before another, that would have shown a fault.
    pub(super) fn is_shown_to_be_gone(
        &self,
        session: i64,
        need: Option<&str>,
        (after, before): (Moment, Moment),
    ) -> Result<bool, StoreError> {
        let Some(need) = need.and_then(Coverage::parse) else { return Ok(false) };
        let scope = if session == PROJECT { "?2 = -1" } else { "session = ?2" };
        let sql = format!(
            "SELECT 1 FROM execution_coverages WHERE coverage = ?1 AND passed AND {scope} \
             AND (at_ms, at_seq) > (?3, ?4) AND (at_ms, at_seq) < (?5, ?6) LIMIT 1"
        );
        for number in self.coverages.covering(&need) {
            let values = params![number, session, after.0, after.1, before.0, before.1];
            if self.find("looking for a check that passed", &sql, values, |_| Ok(()))?.is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
