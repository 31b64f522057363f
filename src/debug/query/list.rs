//! Lists of debug sessions.

use serde::Serialize;

use super::view::{SESSION, session};
use super::{CauseKey, DebugFilter, DebugSession, DebugView, Result};
use crate::debug::infer::FLAKY;
use crate::execution::closed::signed;
use crate::execution::query::{Asked, number, text};

impl DebugView<'_> {
    pub fn list(&self, filter: &DebugFilter) -> Result<Vec<DebugSession>> {
        let mut asked = driven(filter);
        if let Some(status) = filter.status {
            asked.and("s.status = ?1", [text(status.as_str())]);
        }
        if let Some(path) = &filter.file_path {
            asked.and("s.file_path = ?1", [text(path)]);
        }
        if let Some(since_ms) = filter.since_ms {
            asked.and("s.updated_ms >= ?1", [number(since_ms)]);
        }
        // Of one session its own rows are looked through, by the key that begins with it: hence the `+`.
        if let Some(error_type) = filter.error_type {
            asked.and(
                "EXISTS (SELECT 1 FROM debug_failures f \
                 WHERE f.session = s.number AND +f.error_type = ?1)",
                [text(error_type.as_str())],
            );
        }
        if let Some(category) = filter.category {
            asked.and(
                "EXISTS (SELECT 1 FROM debug_causes c \
                 WHERE c.session = s.number AND c.root_cause_category = ?1)",
                [text(category.as_str())],
            );
        }
        let order = match is_driven(filter) {
            // A session has a kind of error more than once.
            true => " GROUP BY d.updated_ms, d.session ORDER BY d.updated_ms DESC, d.session DESC",
            false => " ORDER BY s.updated_ms DESC, s.number DESC",
        };
        let (limit, skip) = (number(filter.limit as u64), number(filter.skip as u64));
        asked.push(&format!("{order} LIMIT ?1 OFFSET ?2"), [limit, skip]);
        let sql = format!("SELECT {SESSION} FROM {}", asked.sql);
        let found = self.index.answer(&sql, &asked.values, session)?;
        Ok(found.into_iter().flatten().collect())
    }

    /// Debug sessions that stand as escalated and were changed after a time, Unix milliseconds, those
    /// changed last first.
    pub fn recent_escalations(&self, since_ms: u64, limit: usize) -> Result<Vec<DebugSession>> {
        let tail = "WHERE s.status = 'escalated' AND s.updated_ms > ?1 \
                    ORDER BY s.updated_ms DESC, s.number DESC LIMIT ?2";
        self.several(tail, [signed(since_ms), signed(limit as u64)])
    }

    /// Debug sessions whose documents were kept as long as the rules say at a time, Unix milliseconds,
    /// those changed first first.
    pub fn due(&self, now_ms: u64, rules: &RetentionRules) -> Result<Vec<DueSession>> {
        let Some(through_ms) = rules.changed_through_ms(now_ms) else { return Ok(Vec::new()) };
        let tail = "WHERE s.updated_ms <= ?1 ORDER BY s.updated_ms, s.number";
        let found = self.several(tail, [signed(through_ms)])?.into_iter();
        let due = found.map(|session| {
            let (days, due_ms) = (rules.days_of(&session), rules.due_ms(&session));
            DueSession { session, days, due_ms }
        });
        Ok(due.filter(|due| due.due_ms <= now_ms).collect())
    }

    /// Tests that were seen to fail and pass with the same code, those seen last first.
    pub fn flaky(&self, limit: usize) -> Result<Vec<FlakyTest>> {
        let sql = "SELECT json_extract(q.value, '$.location'), count(*), \
                     max(substr(json_extract(q.value, '$.issue'), ?1)) AS seen \
                   FROM debug_sessions s, json_each(s.document, '$.learnings.code_quality_issues') q \
                   WHERE substr(json_extract(q.value, '$.issue'), 1, ?1 - 1) = ?2 \
                     AND json_extract(q.value, '$.location') IS NOT NULL \
                   GROUP BY 1 ORDER BY seen DESC, 1 LIMIT ?3";
        let from = FLAKY.chars().count() + 1;
        let found = self.index.rows(sql, (from, FLAKY, signed(limit as u64)), |row| {
            let (test, count, last_seen) = (row.get(0)?, row.get(1)?, row.get(2)?);
            Ok(FlakyTest { test, count, last_seen })
        })?;
        Ok(found)
    }

    pub fn sessions_with(&self, cause: &CauseKey) -> Result<u64> {
        let sql = "SELECT count(DISTINCT session) FROM debug_failures WHERE cause = ?1";
        Ok(self.index.cell(sql, [cause])?.unwrap_or_default())
    }
}

fn is_driven(filter: &DebugFilter) -> bool {
    filter.pattern.is_some() || filter.category.is_some() || filter.error_type.is_some()
}

/// Sessions along the index of what narrows them most, which is in order of their last changes.
fn driven(filter: &DebugFilter) -> Asked {
    let mut asked = Asked::default();
    if let Some(pattern) = &filter.pattern {
        asked.push(
            "debug_patterns d CROSS JOIN debug_sessions s ON s.number = d.session WHERE d.pattern = ?1",
            [text(pattern)],
        );
    } else if let Some(category) = filter.category {
        asked.push(
            "debug_causes d CROSS JOIN debug_sessions s ON s.number = d.session WHERE d.root_cause_category = ?1",
            [text(category.as_str())],
        );
    } else if let Some(error_type) = filter.error_type {
        asked.push(
            "debug_failures d CROSS JOIN debug_sessions s ON s.number = d.session WHERE d.error_type = ?1",
            [text(error_type.as_str())],
        );
    } else {
        asked.push("debug_sessions s WHERE 1", []);
    }
    asked
}

/// A test that failed and passed with the same code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FlakyTest {
    pub test: String,
    /// How often that was seen.
    pub count: u64,
    /// UTC, RFC 3339.
    pub last_seen: String,
}

// How long documents are kept (ruling 15).

const DAY_MS: u64 = 24 * 60 * 60 * 1000;

/// How many days a document is kept after its last change: of those that apply the longest (ruling 15).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RetentionRules {
    pub days: u32,
    /// Where the session was escalated, however it ended.
    pub escalated_days: u32,
    /// Where a pattern was learnt.
    pub learned_days: u32,
}

/// A debug session that was kept as long as the rules say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DueSession {
    pub session: DebugSession,
    pub days: u32,
    /// When it became due, Unix milliseconds.
    pub due_ms: u64,
}

impl RetentionRules {
    pub fn days_of(&self, session: &DebugSession) -> u32 {
        let mut days = self.days;
        if session.was_escalated {
            days = days.max(self.escalated_days);
        }
        if session.patterns > 0 {
            days = days.max(self.learned_days);
        }
        days
    }

    pub fn due_ms(&self, session: &DebugSession) -> u64 {
        session.updated_ms.saturating_add(u64::from(self.days_of(session)) * DAY_MS)
    }

    /// What was changed after this time cannot be due at `now_ms`.
    fn changed_through_ms(&self, now_ms: u64) -> Option<u64> {
        now_ms.checked_sub(u64::from(self.days) * DAY_MS)
    }
}
