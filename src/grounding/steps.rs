//! Which calls a step of a session had.

use crate::execution::query::diff::Scope;
use crate::execution::query::{QueryError, Stores};

impl Stores {
    /// What lies between a session's so many-th step's beginning and its end, or the next one's beginning.
    pub fn step_scope(&self, session: &str, number: u64) -> Result<Scope, QueryError> {
        let none = || QueryError::NotFound { reference: format!("{session}/{number}") };
        let mut scope = self.scope(Some(session).filter(|it| !it.is_empty()))?;
        let [of] = scope.sessions.as_deref().unwrap_or_default() else { return Err(none()) };
        let sql = "SELECT seq, ended_seq FROM steps WHERE session = ?1 AND began_ms IS NOT NULL \
                   ORDER BY seq LIMIT 2 OFFSET ?2";
        // They are counted from 1.
        let before = number.checked_sub(1).ok_or_else(none)?;
        let before = i64::try_from(before).unwrap_or(i64::MAX);
        let found: Vec<(u64, Option<u64>)> = self.index.all(sql, (*of, before))?;
        let (from, ended) = *found.first().ok_or_else(none)?;
        let next = found.get(1).map(|(next, _)| next - 1);
        scope.from = from;
        scope.through = ended.or(next).unwrap_or(scope.through);
        Ok(scope)
    }
}
