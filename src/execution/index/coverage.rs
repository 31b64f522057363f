//! What checks looked at, and which later one would have shown a failure (ruling 10).
//!
//! Coverages are told apart by their text; a check has as many as it has commands that look at something. A history in
//! which each run chooses other tests has as many of them as runs.

use std::cell::RefMut;
use std::collections::HashMap;

use rusqlite::params;

use super::Index;
use super::links::At;
use super::tallies::PROJECT;
use crate::execution::judged::Judged;
use crate::parse::check::coverage::{Coverage, Filed};
use crate::store::StoreError;
use crate::store::columns::insert;

/// The coverages that there are, as far as anybody asked for them.
#[derive(Debug, Default)]
pub(super) struct Coverages {
    /// By digests of their texts.
    known: HashMap<[u8; 16], usize>,
    filed: Filed,
    /// What each has in the index, and when a check that looked at it passed last: no later.
    rows: Vec<(i64, i64)>,
    /// Whether the index has no others. What another one adds has higher numbers: none is ever taken away.
    are_all: bool,
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

/// Whether a check that passed may have passed because a test is missing that failed.
pub(super) fn is_missed(need: Option<&str>, passed: &[Coverage]) -> bool {
    let need = need.and_then(Coverage::parse);
    need.is_some_and(|need| passed.iter().any(|it| it.misses(&need)))
}

fn digest(text: &str) -> [u8; 16] {
    let mut digest = [0; 16];
    digest.copy_from_slice(&blake3::hash(text.as_bytes()).as_bytes()[..16]);
    digest
}

impl Coverages {
    fn add(&mut self, text: &str, coverage: Coverage, row: (i64, i64)) -> usize {
        let place = self.rows.len();
        self.known.insert(digest(text), place);
        self.filed.add(coverage);
        self.rows.push(row);
        place
    }

    /// The numbers of those that would show it, where a check that looked at them may have passed since.
    fn covering(&self, need: &Coverage, since_ms: i64) -> Vec<i64> {
        let rows = self.filed.covering(need).into_iter().filter_map(|it| self.rows.get(it));
        rows.filter(|it| it.1 >= since_ms).map(|it| it.0).collect()
    }

    /// Others may add to them before they are asked for again.
    pub fn let_go(&mut self) {
        self.are_all = false;
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

    fn coverages(&self) -> Result<RefMut<'_, Coverages>, StoreError> {
        let mut coverages = self.coverages.borrow_mut();
        if !coverages.are_all {
            let last = coverages.rows.last().map_or(0, |it| it.0);
            let sql = "SELECT text, number FROM coverages WHERE number > ?1 ORDER BY number";
            let found: Vec<(String, i64)> =
                self.conn.rows("reading what checks look at", sql, [last], |row| {
                    Ok((row.get(0)?, row.get(1)?))
                })?;
            for (text, number) in found {
                // What is no coverage covers nothing.
                let coverage = Coverage::parse(&text).unwrap_or_default();
                coverages.add(&text, coverage, (number, i64::MAX));
            }
            coverages.are_all = true;
        }
        Ok(coverages)
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
            let mut coverages = self.coverages()?;
            let place = match coverages.known.get(&digest(&text)) {
                Some(place) => *place,
                None => {
                    insert!(self, coverages { text: &text })?;
                    let row = (self.conn.last_insert_rowid(), i64::MIN);
                    coverages.add(&text, coverage, row)
                }
            };
            let mut number = 0;
            if let Some(row) = coverages.rows.get_mut(place) {
                row.1 = row.1.max(if passed { at.at_ms } else { i64::MIN });
                number = row.0;
            }
            drop(coverages);
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
    pub(super) fn forget_coverages(&mut self, execution: u64) -> Result<bool, StoreError> {
        self.passed.forget(execution);
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
        let covering = self.coverages()?.covering(&need, after.0);
        for number in covering {
            let values = params![number, session, after.0, after.1, before.0, before.1];
            if self.find("looking for a check that passed", &sql, values, |_| Ok(()))?.is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
