//! Threads of messages, as a branch sees them.

use rusqlite::params;
use serde::Serialize;

use super::store::{CHAIN, StateView};
use crate::event::{Json, wire};
use crate::store::Result;
use crate::store::columns::columns;

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Message {
    /// In its thread, as the branch sees it.
    pub number: u64,
    pub role: String,
    pub content: Json,
    #[serde(rename = "at", serialize_with = "wire::utc")]
    pub at_ms: u64,
    /// That wrote it.
    pub branch: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ThreadSummary {
    pub thread: String,
    pub messages: u64,
    /// When the last of them came.
    #[serde(rename = "updated", serialize_with = "wire::utc")]
    pub updated_ms: u64,
}

/// What a branch sees of what happened to threads, as `marks_seen`; `thread_messages m` are those that it sees of them still.
const SEEN: &str = "marks_seen (seq, thread, popped) AS ( \
       SELECT k.seq, k.thread, k.popped \
       FROM chain CROSS JOIN thread_marks k ON k.branch = chain.branch AND k.seq <= chain.cut), \
     cleared (thread, seq) AS ( \
       SELECT thread, max(seq) FROM marks_seen WHERE popped IS NULL GROUP BY thread)";
const MESSAGES: &str = "FROM chain \
     CROSS JOIN thread_messages m ON m.branch = chain.branch AND m.seq <= chain.cut \
     LEFT JOIN cleared ON cleared.thread = m.thread \
     WHERE m.seq > coalesce(cleared.seq, 0) AND (m.thread, m.number) NOT IN \
     (SELECT thread, popped FROM marks_seen WHERE popped IS NOT NULL)";

impl StateView<'_> {
    /// The last messages of a thread, at most so many, in their order.
    pub fn messages(&self, branch: &str, thread: &str, most: usize) -> Result<Vec<Message>> {
        let sql = format!(
            "{CHAIN}, {SEEN} SELECT m.number, m.role, m.content, m.at_ms, m.branch {MESSAGES} \
             AND m.thread = ?2 ORDER BY m.seq DESC LIMIT ?3"
        );
        let most = i64::try_from(most).unwrap_or(i64::MAX);
        let mut found = self.rows(&sql, params![branch, thread, most], |row| {
            let content = Json(row.get(2)?);
            let (number, role, at_ms, branch) =
                (row.get(0)?, row.get(1)?, row.get(3)?, row.get(4)?);
            Ok(Message { number, role, content, at_ms, branch })
        })?;
        found.reverse();
        Ok(found)
    }

    /// The number that the last message of a thread has, also of one that is not seen any more; 0 before the first.
    pub fn last_number(&self, branch: &str, thread: &str) -> Result<u64> {
        // Later ones have higher numbers: of each branch the last is enough.
        let sql = format!(
            "{CHAIN} SELECT coalesce(max((SELECT m.number FROM thread_messages m \
             WHERE m.branch = chain.branch AND m.thread = ?2 AND m.seq <= chain.cut \
             ORDER BY m.seq DESC LIMIT 1)), 0) FROM chain"
        );
        let found = self.rows(&sql, params![branch, thread], |row| row.get(0))?;
        Ok(found.into_iter().next().unwrap_or(0))
    }

    /// How many messages of a thread a branch sees.
    pub fn count(&self, branch: &str, thread: &str) -> Result<u64> {
        let sql = format!("{CHAIN}, {SEEN} SELECT count(*) {MESSAGES} AND m.thread = ?2");
        let found = self.rows(&sql, params![branch, thread], |row| row.get(0))?;
        Ok(found.into_iter().next().unwrap_or(0))
    }

    /// The threads that have messages a branch sees, by name.
    pub fn threads(&self, branch: &str) -> Result<Vec<ThreadSummary>> {
        let sql = format!(
            "{CHAIN}, {SEEN} SELECT m.thread, count(*), max(m.at_ms) {MESSAGES} \
             GROUP BY m.thread ORDER BY m.thread"
        );
        self.rows(
            &sql,
            [branch],
            |row| columns!(row => ThreadSummary { thread, messages, updated_ms }),
        )
    }
}
