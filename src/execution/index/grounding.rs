//! Rows of grounding and steps (spec 001).

use rusqlite::{ToSql, params};

use super::tallies::scopes;
use super::{Index, StepRow, VerdictRow};
use crate::store::StoreError;

/// The event of a row: its sequence, session and time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event {
    pub seq: u64,
    pub session: Option<u64>,
    pub at_ms: i64,
}

impl Index {
    /// Notes a read of the timeline.
    pub fn add_read(
        &mut self,
        event: Event,
        query: &str,
        by: &str,
        through: u64,
        returned: u64,
    ) -> Result<(), StoreError> {
        let sql = "INSERT INTO reads (seq, session, at_ms, query, read_by, through, returned) \
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
        self.add(sql, event, &[&query, &by, &signed(through), &signed(returned)])?;
        let sql = "INSERT INTO standings (session, reads, last_read_ms) VALUES (?1, 1, ?2) \
                   ON CONFLICT (session) DO UPDATE SET reads = reads + 1, \
                   last_read_ms = max(coalesce(last_read_ms, excluded.last_read_ms), \
                   excluded.last_read_ms)";
        for session in scopes(event.session) {
            self.put(sql, &[&session, &event.at_ms])?;
        }
        Ok(())
    }

    /// Notes a refusal.
    pub fn add_verdict(&mut self, event: Event, row: &VerdictRow<'_>) -> Result<(), StoreError> {
        let sql = "INSERT INTO verdicts (seq, session, at_ms, execution, call_key, tool, target, \
                   rule, reason, required_query, mode) \
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)";
        let VerdictRow { execution, call_key, tool, target, .. } = row;
        let VerdictRow { rule, reason, required_query, mode, .. } = row;
        self.add(
            sql,
            event,
            &[execution, call_key, tool, target, rule, reason, required_query, mode],
        )
    }

    /// Notes that what had been denied ran; `verdict`: the refusal's sequence.
    pub fn add_bypass(
        &mut self,
        event: Event,
        execution: &str,
        call_key: Option<&str>,
        tool: &str,
        verdict: Option<u64>,
    ) -> Result<(), StoreError> {
        let sql = "INSERT INTO bypasses (seq, session, at_ms, execution, call_key, tool, verdict) \
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
        self.add(sql, event, &[&execution, &call_key, &tool, &verdict.map(signed)])
    }

    /// Notes a claim of success; `cited`: a JSON array of execution ids.
    pub fn add_claim(
        &mut self,
        event: Event,
        claim: &str,
        accepted: bool,
        verified_by: Option<&str>,
        cited: &str,
        reason: Option<&str>,
    ) -> Result<(), StoreError> {
        let sql = "INSERT INTO claims (seq, session, at_ms, claim, accepted, verified_by, cited, \
                   reason) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
        self.add(sql, event, &[&claim, &accepted, &verified_by, &cited, &reason])
    }

    /// Notes a plan that was checked; `faults`: a JSON array.
    pub fn add_plan(
        &mut self,
        event: Event,
        digest: &[u8; 32],
        steps: u64,
        accepted: bool,
        faults: &str,
    ) -> Result<(), StoreError> {
        let sql = "INSERT INTO plans (seq, session, at_ms, digest, steps, accepted, faults) \
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
        self.add(sql, event, &[digest, &signed(steps), &accepted, &faults])
    }

    /// Notes a block of the timeline that a model was given.
    pub fn add_checkpoint(
        &mut self,
        event: Event,
        through: u64,
        executions: u64,
        step: u64,
    ) -> Result<(), StoreError> {
        let sql = "INSERT INTO checkpoints (seq, session, at_ms, through, executions, step) \
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
        self.add(sql, event, &[&signed(through), &signed(executions), &signed(step)])
    }

    /// Notes that a step began.
    pub fn begin_step(&mut self, event: Event, title: Option<&str>) -> Result<(), StoreError> {
        let sql = "INSERT INTO steps (seq, session, began_ms, title) VALUES (?1, ?2, ?3, ?4)";
        self.add(sql, event, &[&title])?;
        let sql = "INSERT INTO standings (session, steps) VALUES (?1, 1) \
                   ON CONFLICT (session) DO UPDATE SET steps = steps + 1";
        for session in scopes(event.session) {
            self.put(sql, &[&session])?;
        }
        Ok(())
    }

    /// Notes that a step ended; one that nobody saw begin, or that ended before, is a row of its own.
    pub fn end_step(&mut self, row: &StepRow<'_>) -> Result<(), StoreError> {
        let began = row.began.unwrap_or(row.seq);
        let counts = [row.executions, row.failed, row.refused, row.mutations, row.checks_passed];
        let [executions, failed, refused, mutations, checks_passed] = counts.map(signed);
        let open = self.count_of(
            "SELECT count(*) FROM steps WHERE seq = ?1 AND ended_seq IS NULL",
            signed(began),
        )?;
        let (seq, sql) = match open {
            0 => (row.seq, "INSERT INTO steps (seq, session) VALUES (?1, ?2)"),
            _ => (began, "UPDATE steps SET session = coalesce(session, ?2) WHERE seq = ?1"),
        };
        self.put(sql, &[&signed(seq), &row.session])?;
        self.conn
            .prepare_cached(
                "UPDATE steps SET ended_seq = ?2, ended_ms = ?3, executions = ?4, failed = ?5, \
                 refused = ?6, mutations = ?7, checks_passed = ?8, changed = ?9, follow_up = ?10, \
                 summary = ?11 WHERE seq = ?1",
            )
            .and_then(|mut update| {
                update.execute(params![
                    seq,
                    row.seq,
                    row.at_ms,
                    executions,
                    failed,
                    refused,
                    mutations,
                    checks_passed,
                    row.changed,
                    row.follow_up,
                    row.summary
                ])
            })
            .map_err(|source| self.failed("ending a step", source))?;
        Ok(())
    }

    /// Inserts a row that begins with its event's sequence, session and time.
    fn add(&self, sql: &str, event: Event, rest: &[&dyn ToSql]) -> Result<(), StoreError> {
        let Event { seq, session, at_ms } = event;
        let mut row: Vec<&dyn ToSql> = vec![&seq, &session, &at_ms];
        row.extend(rest);
        self.put(sql, &row)
    }

    fn put(&self, sql: &str, row: &[&dyn ToSql]) -> Result<(), StoreError> {
        self.conn
            .prepare_cached(sql)
            .and_then(|mut put| put.execute(row))
            .map_err(|source| self.failed("noting a fact", source))?;
        Ok(())
    }

    fn count_of(&self, sql: &str, key: i64) -> Result<u64, StoreError> {
        self.conn
            .prepare_cached(sql)
            .and_then(|mut count| count.query_row([key], |row| row.get(0)))
            .map_err(|source| self.failed("looking a step up", source))
    }
}

/// A number as SQLite holds it.
fn signed(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}
