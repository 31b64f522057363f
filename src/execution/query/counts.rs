//! How much there is of everything: what `status` prints.

use super::{QueryError, Stores};

/// How much there is of everything. A corrected execution is counted by its correction alone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Counts {
    pub sessions: u64,
    pub prompts: u64,
    /// Executions, open ones included.
    pub calls: u64,
    /// Of them, those whose result was seen: ok, failed or refused.
    pub results: u64,
    /// Results that were not ok: failed or refused.
    pub errors: u64,
    pub ok: u64,
    pub failed: u64,
    pub refused: u64,
    pub interrupted: u64,
    pub open: u64,
    /// Executions that count by their correction.
    pub corrected: u64,
    pub anomalies: u64,
    /// Of them, transcript lines that could not be read.
    pub unreadable_lines: u64,
    /// Of them, results whose call no transcript has.
    pub results_without_call: u64,
}

impl Stores {
    /// How much there is of everything.
    pub fn counts(&self) -> Result<Counts, QueryError> {
        let mut counts = Counts {
            sessions: self.count("SELECT count(*) FROM sessions")?,
            prompts: self.count("SELECT count(*) FROM prompts")?,
            corrected: self
                .count("SELECT count(*) FROM executions WHERE corrected_by IS NOT NULL")?,
            anomalies: self.count("SELECT count(*) FROM anomalies")?,
            unreadable_lines: self
                .count("SELECT count(*) FROM anomalies WHERE kind = 'unreadable line'")?,
            results_without_call: self
                .count("SELECT count(*) FROM anomalies WHERE kind = 'result without call'")?,
            ..Counts::default()
        };
        let sql = "SELECT outcome, count(*) FROM executions WHERE corrected_by IS NULL \
                   GROUP BY outcome";
        let outcomes = self
            .index
            .rows(sql, [], |row| Ok((row.get::<_, Option<String>>(0)?, row.get::<_, u64>(1)?)))?;
        for (outcome, count) in outcomes {
            counts.calls += count;
            match outcome.as_deref() {
                None => counts.open += count,
                Some("ok") => counts.ok += count,
                Some("failed") => counts.failed += count,
                Some("refused") => counts.refused += count,
                Some(_) => counts.interrupted += count,
            }
        }
        counts.errors = counts.failed + counts.refused;
        counts.results = counts.ok + counts.errors;
        Ok(counts)
    }

    fn count(&self, sql: &str) -> Result<u64, QueryError> {
        Ok(self.index.rows(sql, [], |row| row.get(0))?.pop().unwrap_or(0))
    }
}
