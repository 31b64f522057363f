//! Lists of sessions.

use super::{QueryError, Stores};
use crate::event::SessionId;
use crate::store::Ask;

/// Which sessions a list is of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SessionFilter {
    /// At most this many, the newest; all where it is `None`.
    pub last: Option<usize>,
    pub agent: Option<String>,
}

/// A session in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionSummary {
    pub id: SessionId,
    /// Empty where no SessionStarted was seen.
    pub agent: String,
    pub native_id: String,
    pub model: Option<String>,
    pub parent: Option<SessionId>,
    pub cwd: Option<String>,
    pub branch: Option<String>,
    pub title: Option<String>,
    pub first_ms: u64,
    pub last_ms: u64,
    pub ended: bool,
    pub prompts: u64,
    /// Executions, open ones included, corrected ones counted by their correction.
    pub calls: u64,
    pub failed: u64,
    pub refused: u64,
    pub interrupted: u64,
    /// The beginning of the first prompt: a title where there is none.
    pub first_prompt: Option<String>,
}

impl Stores {
    /// Sessions by their last event, the newest last.
    pub fn sessions(&self, filter: &SessionFilter) -> Result<Vec<SessionSummary>, QueryError> {
        let counted = |outcome: &str| {
            format!(
                "(SELECT count(*) FROM executions e WHERE e.session = s.number \
                 AND e.corrected_by IS NULL{outcome})"
            )
        };
        let of = |outcome: &str| counted(&format!(" AND e.outcome = '{outcome}'"));
        let sql = format!(
            "SELECT s.id, s.agent, s.native_id, s.model, s.parent, s.cwd, s.branch, s.title, \
             s.first_ms, s.last_ms, s.ended_seq, \
             (SELECT count(*) FROM prompts p WHERE p.session = s.number), \
             {}, {}, {}, {}, \
             (SELECT substr(text, 1, 200) FROM prompts p WHERE p.session = s.number \
              ORDER BY p.seq LIMIT 1) \
             FROM sessions s WHERE ?1 = '' OR s.agent = ?1 \
             ORDER BY s.last_ms DESC, s.number DESC LIMIT ?2",
            counted(""),
            of("failed"),
            of("refused"),
            of("interrupted"),
        );
        let last = filter.last.and_then(|last| i64::try_from(last).ok()).unwrap_or(-1);
        let agent = filter.agent.clone().unwrap_or_default();
        let mut found = self.index.answer(&sql, &[Ask::Text(agent), Ask::Number(last)], |row| {
            let parent: Option<String> = row.get(4)?;
            Ok(SessionSummary {
                id: crate::execution::query::session(&row.get::<_, String>(0)?),
                agent: row.get(1)?,
                native_id: row.get(2)?,
                model: row.get(3)?,
                parent: parent.as_deref().map(crate::execution::query::session),
                cwd: row.get(5)?,
                branch: row.get(6)?,
                title: row.get(7)?,
                first_ms: row.get(8)?,
                last_ms: row.get(9)?,
                ended: row.get::<_, Option<u64>>(10)?.is_some(),
                prompts: row.get(11)?,
                calls: row.get(12)?,
                failed: row.get(13)?,
                refused: row.get(14)?,
                interrupted: row.get(15)?,
                first_prompt: row.get(16)?,
            })
        })?;
        found.reverse();
        Ok(found)
    }
}
