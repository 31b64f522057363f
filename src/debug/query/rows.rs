//! Rows of debug sessions, as they are read.

use rusqlite::Row;

use super::DebugSession;
use crate::event::{DebugSessionId, DebugStatus, Sequence};

/// The columns of [`session`], of `debug_sessions s`.
pub(super) const SESSION: &str = "s.id, s.native_id, s.file_path, s.status, s.created_ms, \
     s.updated_ms, s.attempts, s.attempts_failed, s.patterns, s.agent, s.task_id, s.number, \
     s.last_seq, coalesce(json_extract(s.beside, '$.escalated'), 0)";
/// Columns before those that a question adds.
pub(super) const SESSION_COLUMNS: usize = 14;

/// `None`: no session stands there, which nothing of ours wrote.
pub(super) fn session(row: &Row<'_>) -> rusqlite::Result<Option<DebugSession>> {
    let (id, status): (String, String) = (row.get(0)?, row.get(3)?);
    let (Some(id), Some(status)) = (DebugSessionId::parse(&id), DebugStatus::parse(&status)) else {
        return Ok(None);
    };
    Ok(Some(DebugSession {
        id,
        native_id: row.get(1)?,
        file_path: row.get(2)?,
        status,
        created_ms: row.get(4)?,
        updated_ms: row.get(5)?,
        attempts: row.get(6)?,
        attempts_failed: row.get(7)?,
        patterns: row.get(8)?,
        agent: row.get(9)?,
        task_id: row.get(10)?,
        first: Sequence(row.get(11)?),
        last: Sequence(row.get(12)?),
        was_escalated: status == DebugStatus::Escalated || row.get(13)?,
    }))
}
