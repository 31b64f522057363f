//! What is on record, counted: prompts, calls, tokens, time, by whatever is asked; and what stands out.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{QueryError, Stores};
use crate::event::{Ordered, Sequence, words};
use crate::execution::window::Window;

words! {
    /// What is counted apart.
    pub enum StatsBy {
        Day = "day",
        Session = "session",
        Model = "model",
        Tool = "tool",
        Project = "project",
    }
}

/// A longer pause is nobody's work.
const PAUSE_MS_MAX: u64 = 5 * 60_000;

/// Sums over what was recorded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Totals {
    /// Of a person, and not of a subagent's.
    pub prompts: u64,
    pub calls: u64,
    /// By exit code, or by what a check printed where the exit code hides it.
    pub failed: u64,
    /// Of these, checks whose call ended well: a pipe hid how they ended. An import counts them as ok.
    pub failed_by_output: u64,
    pub refused: u64,
    /// How long calls took, as far as that is known.
    pub calls_ms: u64,
    pub messages: u64,
    pub input_tokens: u64,
    pub output_tokens: u64,
    pub cache_read_tokens: u64,
    pub cache_write_tokens: u64,
    /// Between one thing and the next of a session, without pauses of more than five minutes and without the
    /// time until somebody asked for more.
    pub active_ms: u64,
}

impl Totals {
    pub fn add(&mut self, other: &Self) {
        let pairs = [
            (&mut self.prompts, other.prompts),
            (&mut self.calls, other.calls),
            (&mut self.failed, other.failed),
            (&mut self.failed_by_output, other.failed_by_output),
            (&mut self.refused, other.refused),
            (&mut self.calls_ms, other.calls_ms),
            (&mut self.messages, other.messages),
            (&mut self.input_tokens, other.input_tokens),
            (&mut self.output_tokens, other.output_tokens),
            (&mut self.cache_read_tokens, other.cache_read_tokens),
            (&mut self.cache_write_tokens, other.cache_write_tokens),
            (&mut self.active_ms, other.active_ms),
        ];
        for (sum, more) in pairs {
            *sum = sum.saturating_add(more);
        }
    }
}

/// A row of a list: what it is of, and how often.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Often {
    pub what: String,
    pub count: u64,
    /// Of these: of checks those that failed, of files and causes in how many sessions.
    pub of: u64,
}

/// A call that took long.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Slow {
    pub reference: String,
    pub what: String,
    pub duration_ms: u64,
}

/// What happened at a moment of a session.
struct Moment {
    session: i64,
    sequence: u64,
    at_ms: u64,
    is_prompt: bool,
    key: Option<String>,
    totals: Totals,
}

impl Stores {
    /// Sums over a window, by the day that it was (`day_of` Unix milliseconds), the session, the model or the tool.
    /// What does not say what is asked for (a prompt no model) counts under no key.
    pub fn totals(
        &self,
        by: StatsBy,
        window: &Window,
        day_of: &dyn Fn(u64) -> String,
    ) -> Result<BTreeMap<String, Totals>, QueryError> {
        let since_ms = window.from_ms.unwrap_or(0);
        let mut moments = self.moments(by, since_ms)?;
        self.narrow(&mut moments, window)?;
        if by == StatsBy::Day {
            for moment in &mut moments {
                moment.key = Some(day_of(moment.at_ms));
            }
        }
        moments.order_by_key(|it| (it.session, it.at_ms, !it.is_prompt));
        let mut all: BTreeMap<String, Totals> = BTreeMap::new();
        let mut before: Option<(i64, u64)> = None;
        let mut model: Option<(i64, String)> = None;
        for mut moment in moments {
            if by == StatsBy::Model {
                // A call is by the model that spoke last in its session.
                let last = model.take().filter(|it| it.0 == moment.session);
                model = moment.key.clone().map(|it| (moment.session, it)).or(last);
                if moment.totals.calls > 0 {
                    moment.key = model.as_ref().map(|it| it.1.clone());
                }
            }
            if let Some((session, at_ms)) = before
                && session == moment.session
                && !moment.is_prompt
            {
                let gap = moment.at_ms.saturating_sub(at_ms);
                moment.totals.active_ms = if gap <= PAUSE_MS_MAX { gap } else { 0 };
            }
            before = Some((moment.session, moment.at_ms));
            if let Some(key) = moment.key {
                all.entry(key).or_default().add(&moment.totals);
            }
        }
        if by == StatsBy::Session {
            // One in which nothing was done is a session all the same.
            let since = i64::try_from(since_ms).unwrap_or(i64::MAX);
            let sql = "SELECT id FROM sessions WHERE last_ms >= ?1";
            for id in self.index.column::<String>(sql, [since])? {
                all.entry(id).or_default();
            }
        }
        Ok(all)
    }

    /// Leaves what is in a window, which begins with what was asked for.
    fn narrow(&self, moments: &mut Vec<Moment>, window: &Window) -> Result<(), QueryError> {
        let mut sessions = None;
        for id in window.sessions.iter().flatten() {
            let of = self.session_numbers(&id.to_string())?;
            sessions.get_or_insert_with(Vec::new).extend(of);
        }
        moments.retain(|it| {
            window.holds_at(Sequence(it.sequence))
                && window.through_ms.is_none_or(|through| it.at_ms <= through)
                && sessions.as_ref().is_none_or(|them| them.contains(&it.session))
        });
        Ok(())
    }

    fn moments(&self, by: StatsBy, since_ms: u64) -> Result<Vec<Moment>, QueryError> {
        let since = i64::try_from(since_ms).unwrap_or(i64::MAX);
        let (session, none, all) =
            ("(SELECT id FROM sessions WHERE number = session)", "NULL", "''");
        let (prompt, message, call) = match by {
            StatsBy::Day | StatsBy::Project => (all, all, all),
            StatsBy::Session => (session, session, session),
            StatsBy::Model => (none, "coalesce(model, 'unknown')", none),
            StatsBy::Tool => (none, none, "tool"),
        };
        let mut moments = Vec::new();
        let sql = format!(
            "SELECT coalesce(session, 0), seq, at_ms, {prompt} FROM prompts WHERE actor IS NULL AND at_ms >= ?1"
        );
        for (session, sequence, at_ms, key) in self.index.all(&sql, [since])? {
            let totals = Totals { prompts: 1, ..Totals::default() };
            moments.push(Moment { session, sequence, at_ms, is_prompt: true, key, totals });
        }
        let sql = format!(
            "SELECT coalesce(session, 0), seq, at_ms, {message}, coalesce(input, 0), coalesce(output, 0), \
             coalesce(cache_read, 0), coalesce(cache_write, 0) FROM messages WHERE at_ms >= ?1"
        );
        for (session, sequence, at_ms, key, input, output, read, written) in
            self.index.all(&sql, [since])?
        {
            let totals = Totals {
                messages: 1,
                input_tokens: input,
                output_tokens: output,
                cache_read_tokens: read,
                cache_write_tokens: written,
                ..Totals::default()
            };
            moments.push(Moment { session, sequence, at_ms, is_prompt: false, key, totals });
        }
        let sql = format!(
            "SELECT coalesce(session, 0), at_seq, at_ms, {call}, outcome IS 'failed', \
             outcome IS 'failed' AND told IS NOT 'failed', outcome IS 'refused', coalesce(duration_ms, 0) FROM executions WHERE corrected_by IS NULL AND at_ms >= ?1"
        );
        for (session, sequence, at_ms, key, failed, failed_by_output, refused, calls_ms) in
            self.index.all(&sql, [since])?
        {
            let totals = Totals {
                calls: 1,
                failed,
                failed_by_output,
                refused,
                calls_ms,
                ..Totals::default()
            };
            moments.push(Moment { session, sequence, at_ms, is_prompt: false, key, totals });
        }
        Ok(moments)
    }

    /// Prompts that agents gave their subagents.
    pub fn subagent_prompt_count(&self, since_ms: u64) -> Result<u64, QueryError> {
        let since = i64::try_from(since_ms).unwrap_or(i64::MAX);
        let sql = "SELECT count(*) FROM prompts WHERE actor IS NOT NULL AND at_ms >= ?1";
        Ok(self.index.cell(sql, [since])?.unwrap_or(0))
    }

    pub fn session_count(&self, since_ms: u64) -> Result<u64, QueryError> {
        let since = i64::try_from(since_ms).unwrap_or(i64::MAX);
        let sql = "SELECT count(*) FROM sessions WHERE last_ms >= ?1";
        Ok(self.index.cell(sql, [since])?.unwrap_or(0))
    }

    /// Checks by the program that ran them: how often, and how often they failed.
    pub fn checks_often(&self, since_ms: u64, most: u32) -> Result<Vec<Often>, QueryError> {
        self.often(
            "SELECT coalesce(program, checked, tool), count(*) AS n, sum(verdict = 'failed') FROM executions \
             WHERE verdict IS NOT NULL AND corrected_by IS NULL AND at_ms >= ?1 \
             AND (verdict <> 'unknown' OR program IS NOT NULL OR checked IS NOT NULL) \
             GROUP BY 1 ORDER BY n DESC, 1 LIMIT ?2",
            since_ms,
            most,
        )
    }

    /// Files by how often they were changed, and in how many sessions.
    pub fn files_often(&self, since_ms: u64, most: u32) -> Result<Vec<Often>, QueryError> {
        self.often(
            "SELECT p.path, count(*) AS n, count(DISTINCT e.session) FROM execution_paths x \
             JOIN executions e ON e.seq = x.execution JOIN paths p ON p.number = x.path \
             WHERE x.role > 0 AND e.outcome = 'ok' AND e.corrected_by IS NULL AND x.at_ms >= ?1 \
             GROUP BY x.path ORDER BY n DESC, p.path LIMIT ?2",
            since_ms,
            most,
        )
    }

    /// Causes that calls failed for more than once, and in how many sessions.
    pub fn causes_often(&self, since_ms: u64, most: u32) -> Result<Vec<Often>, QueryError> {
        self.often(
            "SELECT c.kind, count(*) AS n, count(DISTINCT e.session) FROM execution_causes x \
             JOIN causes c ON c.number = x.cause JOIN executions e ON e.seq = x.execution \
             WHERE e.corrected_by IS NULL AND x.at_ms >= ?1 \
             GROUP BY x.cause HAVING n > 1 ORDER BY n DESC, c.kind LIMIT ?2",
            since_ms,
            most,
        )
    }

    fn often(&self, sql: &str, since_ms: u64, most: u32) -> Result<Vec<Often>, QueryError> {
        let since = i64::try_from(since_ms).unwrap_or(i64::MAX);
        let rows: Vec<(String, u64, u64)> = self.index.all(sql, (since, most))?;
        Ok(rows.into_iter().map(|(what, count, of)| Often { what, count, of }).collect())
    }

    /// The calls that took longest.
    pub fn slowest(&self, since_ms: u64, most: u32) -> Result<Vec<Slow>, QueryError> {
        let since = i64::try_from(since_ms).unwrap_or(i64::MAX);
        let sql = "SELECT coalesce(CAST(ordinal AS TEXT), '@' || seq), coalesce(command, target, tool), duration_ms \
                   FROM executions WHERE duration_ms > 0 AND corrected_by IS NULL AND at_ms >= ?1 \
                   ORDER BY duration_ms DESC, seq LIMIT ?2";
        let rows: Vec<(String, String, u64)> = self.index.all(sql, (since, most))?;
        let slow = |(reference, what, duration_ms)| Slow { reference, what, duration_ms };
        Ok(rows.into_iter().map(slow).collect())
    }
}
