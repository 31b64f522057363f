//! What was counted of a journal before an event: where a fold of its tail goes on from.

use super::{Identity, QueryError};
use crate::event::{ExecutionId, Sequence, SessionId};

/// What was counted of a journal before an event.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counted {
    /// Ordinals that were given.
    pub ordinals: u64,
    /// Declared tools, besides the contract's own.
    pub tools: Vec<String>,
    /// The newest executions, the newest last.
    pub newest: Vec<IndexedRow>,
    /// The newest starts that do not count, and the executions whose they are; the newest last.
    pub void_starts: Vec<(ExecutionId, ExecutionId)>,
}

/// An execution, as far as it is needed to count on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexedRow {
    pub id: ExecutionId,
    pub call_key: Option<String>,
    pub session: Option<SessionId>,
    /// `None` where it had not ended, or under a tool that nobody had declared.
    pub ordinal: Option<u64>,
    pub has_ended: bool,
}

/// Executions that are told.
const NEWEST_MAX: u64 = 256;
/// Starts that are told.
const VOID_STARTS_MAX: u64 = 64;

impl Identity {
    /// The first event of a session; `None` where the index knows none.
    pub fn first_of_session(&self, session: SessionId) -> Result<Option<Sequence>, QueryError> {
        let sql = "SELECT first_seq FROM sessions WHERE id = ?1";
        let found = self.index.rows(sql, [session.to_string()], |row| row.get(0))?;
        Ok(found.into_iter().next().map(Sequence))
    }

    /// What was counted before an event, which the index has read up to or just behind.
    pub fn counted_before(&self, before: Sequence) -> Result<Counted, QueryError> {
        let before = i64::try_from(before.0).unwrap_or(i64::MAX);
        let tools = self.index.rows(
            "SELECT name FROM tools WHERE seq < ?1 ORDER BY number",
            [before],
            |row| row.get(0),
        )?;
        let sql = "SELECT e.id, e.call_key, s.id, e.ordinal, e.closed_seq < ?1 \
             FROM executions e LEFT JOIN sessions s ON s.number = e.session \
             WHERE e.seq < ?1 ORDER BY e.seq DESC LIMIT ?2";
        let mut newest = self.index.rows(sql, (before, NEWEST_MAX), |row| {
            let (id, session): (String, Option<String>) = (row.get(0)?, row.get(2)?);
            let has_ended = row.get::<_, Option<bool>>(4)?.unwrap_or(false);
            let ordinal: Option<u64> = row.get(3)?;
            Ok(IndexedRow {
                id: crate::execution::query::execution(&id),
                call_key: row.get(1)?,
                session: session.as_deref().map(crate::execution::query::session),
                ordinal: ordinal.filter(|_| has_ended),
                has_ended,
            })
        })?;
        newest.reverse();
        let sql = "SELECT v.id, e.id FROM void_starts v JOIN executions e ON e.seq = v.execution \
             WHERE v.seq < ?1 ORDER BY v.seq DESC LIMIT ?2";
        let mut void_starts = self.index.rows(sql, (before, VOID_STARTS_MAX), |row| {
            let (id, first): (String, String) = (row.get(0)?, row.get(1)?);
            Ok((
                crate::execution::query::execution(&id),
                crate::execution::query::execution(&first),
            ))
        })?;
        void_starts.reverse();
        Ok(Counted { ordinals: self.ordinals_before(before)?, tools, newest, void_starts })
    }

    /// Ordinals are given in order of closing events: halved, not counted.
    fn ordinals_before(&self, before: i64) -> Result<u64, QueryError> {
        let last = "SELECT coalesce(max(ordinal), 0) FROM executions WHERE ordinal IS NOT NULL";
        let last = self.index.rows(last, [], |row| row.get::<_, u64>(0))?;
        let (mut low, mut high) = (0, last.into_iter().next().unwrap_or(0));
        while low < high {
            let middle = low + (high - low).div_ceil(2);
            let sql = "SELECT closed_seq FROM executions WHERE ordinal = ?1";
            let closed = self.index.rows(sql, [middle], |row| row.get::<_, Option<i64>>(0))?;
            match closed.into_iter().next().flatten() {
                Some(closed) if closed < before => low = middle,
                _ => high = middle - 1,
            }
        }
        Ok(low)
    }
}
