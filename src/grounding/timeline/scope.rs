//! Whose timeline is asked for.

use crate::event::SessionId;
use crate::execution::index::PROJECT;
use crate::execution::query::{QueryError, Stores};

/// Whose timeline is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimelineScope {
    /// One session's: the default everywhere (ruling 10).
    Session(SessionId),
    /// Everything that was recorded.
    Project,
}

impl TimelineScope {
    /// The session, where it is one's.
    pub fn session(self) -> Option<SessionId> {
        match self {
            Self::Session(id) => Some(id),
            Self::Project => None,
        }
    }

    /// Its number in the index; `None` for a session that nothing is known of.
    pub(super) fn number(self, stores: &Stores) -> Result<Option<i64>, QueryError> {
        let Self::Session(id) = self else { return Ok(Some(PROJECT)) };
        let sql = "SELECT number FROM sessions WHERE id = ?1";
        Ok(stores.index.rows(sql, [id.to_string()], |row| row.get(0))?.pop())
    }

    /// Which executions are in it: `?1` is its number.
    pub(super) fn narrowed(self) -> &'static str {
        match self {
            Self::Session(_) => "e.session = ?1",
            Self::Project => "?1 = -1",
        }
    }
}
