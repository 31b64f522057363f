//! Which calls a diff is asked about.

use super::super::{ExecutionSummary, QueryError, Reference, Stores};
use super::file::Touch;

/// Calls of some sessions, or of all, that ended between two events.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scope {
    /// By their numbers in `index.db`.
    pub sessions: Option<Vec<i64>>,
    pub from: u64,
    pub through: u64,
}

impl Scope {
    pub const ALL: Self = Self { sessions: None, from: 0, through: i64::MAX as u64 };

    pub(super) fn holds(&self, touch: &Touch) -> bool {
        let is_theirs = |of: &Vec<i64>| touch.session.is_some_and(|it| of.contains(&it));
        (self.from..=self.through).contains(&touch.sequence)
            && self.sessions.as_ref().is_none_or(is_theirs)
    }
}

impl Stores {
    /// What `SESSION`, `REF` or `REF..REF` names; nothing: the newest session that changed a file.
    pub fn scope(&self, subject: Option<&str>) -> Result<Scope, QueryError> {
        let Some(subject) = subject else {
            let sql = "SELECT e.session FROM execution_paths x JOIN executions e ON e.seq = x.execution \
                       WHERE x.role > 0 AND e.session IS NOT NULL \
                       ORDER BY x.at_ms DESC, x.at_seq DESC LIMIT 1";
            let newest: Option<i64> = self.index.cell(sql, [])?;
            return Ok(Scope { sessions: Some(newest.into_iter().collect()), ..Scope::ALL });
        };
        if let Some(sessions) = self.sessions_of(subject)? {
            return Ok(Scope { sessions: Some(sessions), ..Scope::ALL });
        }
        match subject.split_once("..") {
            None => {
                let one = self.resolve(&Reference::parse(subject)?)?;
                Ok(Scope { sessions: None, from: one.sequence, through: one.sequence })
            }
            Some((from, to)) => {
                let (from, to) = (self.bounds(from)?, self.bounds(to)?);
                Ok(Scope { sessions: None, from: from.0, through: to.1 })
            }
        }
    }

    /// The first and the last event of a session or a call; of nothing, of everything.
    fn bounds(&self, text: &str) -> Result<(u64, u64), QueryError> {
        if text.is_empty() {
            return Ok((Scope::ALL.from, Scope::ALL.through));
        }
        if let Some(sessions) = self.sessions_of(text)? {
            let list = super::super::list(&sessions);
            let sql = format!(
                "SELECT min(first_seq), max(last_seq) FROM sessions WHERE number IN ({list})"
            );
            let found: Vec<(u64, u64)> = self.index.all(&sql, [])?;
            return Ok(found.first().copied().unwrap_or_default());
        }
        let ExecutionSummary { sequence, .. } = self.resolve(&Reference::parse(text)?)?;
        Ok((sequence, sequence))
    }

    /// The one session of a name; digits alone are a call's number.
    fn sessions_of(&self, text: &str) -> Result<Option<Vec<i64>>, QueryError> {
        let is_number = text.len() < 8 && text.bytes().all(|byte| byte.is_ascii_digit());
        if text.len() < 4 || is_number {
            return Ok(None);
        }
        let found = self.session_numbers(text)?;
        match found.len() {
            0 => Ok(None),
            1 => Ok(Some(found)),
            count => Err(QueryError::Ambiguous { reference: text.to_owned(), count }),
        }
    }
}
