//! How many executions of each tool ended how, and which was the newest: of every session, and of
//! the project.
//!
//! Counted in memory, written when the transaction ends.

use std::collections::{BTreeMap, BTreeSet};

use rusqlite::params;

use super::Index;
use super::coverage::Tried;
use super::links::At;
use super::open::KnownRow;
use crate::store::StoreError;

/// The project where a session's number is asked for.
pub const PROJECT: i64 = -1;
/// What belongs to no session.
const NO_SESSION: i64 = 0;
/// Counts that are kept; of more, all are written.
const TALLIES_MAX: usize = 4_096;

#[derive(Debug, Default)]
pub(super) struct Tallies {
    /// By session; a session has a handful.
    counted: BTreeMap<i64, Vec<Tally>>,
    len: usize,
    /// Those of which one no longer counts: the newest is to be looked up.
    stale: BTreeSet<(i64, String, String)>,
}

#[derive(Debug)]
struct Tally {
    tool: String,
    outcome: String,
    executions: i64,
    newest: Newest,
}

/// Time, sequence, row; the lowest where none is known.
type Newest = (i64, i64, i64);
const NONE: Newest = (i64::MIN, 0, 0);

impl Tallies {
    fn add(&mut self, session: i64, tool: &str, outcome: &str, by: i64, newest: Newest) {
        let of_session = self.counted.entry(session).or_default();
        let same = |one: &&mut Tally| one.tool == tool && one.outcome == outcome;
        if let Some(tally) = of_session.iter_mut().find(same) {
            tally.executions += by;
            tally.newest = tally.newest.max(newest);
            return;
        }
        let (tool, outcome) = (tool.to_owned(), outcome.to_owned());
        of_session.push(Tally { tool, outcome, executions: by, newest });
        self.len += 1;
    }
}

/// The session's number in the tables of this file, and the project's.
pub(crate) fn scopes(session: Option<u64>) -> [i64; 2] {
    [session.map_or(NO_SESSION, u64::cast_signed), PROJECT]
}

impl Index {
    /// Counts an execution that ended, and judges whether it resolves a failure or is one. `tried`
    /// is what it says of others.
    pub(super) fn count(&mut self, row: &KnownRow, tried: &Tried) -> Result<(), StoreError> {
        let Some(outcome) = row.outcome.as_deref().filter(|_| !row.corrected) else {
            return Ok(());
        };
        let newest = (row.at_ms, row.at_seq.cast_signed(), row.seq.cast_signed());
        for session in scopes(row.session) {
            self.tallies.add(session, &row.tool, outcome, 1, newest);
        }
        if self.tallies.len >= TALLIES_MAX {
            self.write_tallies()?;
        }
        let at = At { execution: row.seq, at_ms: row.at_ms, at_seq: row.at_seq };
        self.tried(row, at, tried)
    }

    /// Counts an execution no longer: its correction counts, or it ended again. Its row says so
    /// already.
    pub(super) fn discount(&mut self, row: &KnownRow) -> Result<(), StoreError> {
        let Some(outcome) = row.outcome.as_deref().filter(|_| !row.corrected) else {
            return Ok(());
        };
        for session in scopes(row.session) {
            self.tallies.add(session, &row.tool, outcome, -1, NONE);
            self.tallies.stale.insert((session, row.tool.clone(), outcome.to_owned()));
        }
        self.tried_otherwise(row)
    }

    pub(super) fn write_tallies(&mut self) -> Result<(), StoreError> {
        self.tallies.len = 0;
        for (session, tallies) in std::mem::take(&mut self.tallies.counted) {
            for Tally { tool, outcome, executions, newest } in tallies {
                let (at_ms, at_seq, row) = newest;
                let values = params![session, tool, outcome, executions, at_ms, at_seq, row];
                self.write("counting executions", WRITE, values)?;
            }
        }
        Ok(())
    }

    /// Looks the newest up of what lost one; the project's after its sessions'.
    pub(super) fn settle_tallies(&mut self) -> Result<(), StoreError> {
        for (session, tool, outcome) in std::mem::take(&mut self.tallies.stale).into_iter().rev() {
            let doing = "looking for the newest execution";
            let read = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?));
            let of_session = |number: Option<i64>| {
                self.find(doing, NEWEST_OF_SESSION, params![number, tool, outcome], read)
            };
            let newest: Option<Newest> = match session {
                PROJECT => self.find(doing, NEWEST_OF_PROJECT, [&tool, &outcome], read)?,
                NO_SESSION => of_session(None)?,
                number => of_session(Some(number))?,
            };
            match newest {
                Some((at_ms, at_seq, row)) => {
                    let values = params![session, tool, outcome, at_ms, at_seq, row];
                    self.write(doing, SET_NEWEST, values)?
                }
                None => self.write(doing, FORGET, params![session, tool, outcome])?,
            };
        }
        Ok(())
    }
}

const WRITE: &str = "INSERT INTO tallies (session, tool, outcome, executions, at_ms, at_seq, \
     execution) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT (session, tool, outcome) \
     DO UPDATE SET executions = executions + excluded.executions, \
     at_ms = iif((excluded.at_ms, excluded.at_seq) > (at_ms, at_seq), excluded.at_ms, at_ms), \
     at_seq = iif((excluded.at_ms, excluded.at_seq) > (at_ms, at_seq), excluded.at_seq, at_seq), \
     execution = iif((excluded.at_ms, excluded.at_seq) > (at_ms, at_seq), excluded.execution, \
     execution)";

const NEWEST_OF_SESSION: &str = "SELECT at_ms, at_seq, seq FROM executions WHERE session IS ?1 \
     AND tool = ?2 AND outcome = ?3 AND corrected_by IS NULL \
     ORDER BY at_ms DESC, at_seq DESC LIMIT 1";

const NEWEST_OF_PROJECT: &str = "SELECT at_ms, at_seq, execution FROM tallies WHERE tool = ?1 \
     AND outcome = ?2 AND session >= 0 ORDER BY at_ms DESC, at_seq DESC LIMIT 1";

const SET_NEWEST: &str = "UPDATE tallies SET at_ms = ?4, at_seq = ?5, execution = ?6 \
     WHERE session = ?1 AND tool = ?2 AND outcome = ?3";

const FORGET: &str = "DELETE FROM tallies WHERE session = ?1 AND tool = ?2 AND outcome = ?3";
