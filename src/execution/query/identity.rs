//! Whether something is known: what a recorder asks before it appends.

use std::path::Path;

use super::{KnownExecution, KnownSession, QueryError};
use crate::event::{CallKey, ExecutionId, Sequence, SessionId, tool};
use crate::execution::index::{IndexReader, content_key};
use crate::repo::query::RepoView;

/// Look-ups in `index.db`, as of its cursor: see [`Identity::through`].
#[derive(Debug)]
pub struct Identity {
    pub(crate) index: IndexReader,
}

const EXECUTION: &str = "SELECT e.id, e.started_seq, s.id, e.tool, e.source, e.outcome, \
     e.ordinal, e.started_ms, e.closed_ms, e.corrected_by, e.closed_seq \
     FROM executions e LEFT JOIN sessions s ON s.number = e.session";

impl Identity {
    /// Opens the index at this path.
    pub fn open(index: &Path) -> Result<Self, QueryError> {
        Ok(Self { index: IndexReader::open(index)? })
    }

    /// The last event that the answers know of, and the journal it is in.
    pub fn through(&self) -> Result<Option<([u8; 16], Sequence)>, QueryError> {
        let cursor = self.index.cursor()?;
        Ok(cursor.map(|c| (c.position.journal, Sequence(c.position.sequence))))
    }

    /// What the index says of repositories' memory.
    pub fn repos(&self) -> RepoView<'_> {
        RepoView::of(&self.index)
    }

    /// The execution of a call, whichever door it came by.
    pub fn execution_by_call(&self, call: &CallKey) -> Result<Option<KnownExecution>, QueryError> {
        Ok(self.executions("WHERE e.call_key = ?1", &call.to_text())?.pop())
    }

    /// The execution of an id; of a repeated start's id, the first start's execution.
    pub fn execution_by_id(&self, id: ExecutionId) -> Result<Option<KnownExecution>, QueryError> {
        let id = id.to_string();
        if let Some(found) = self.executions("WHERE e.id = ?1", &id)?.pop() {
            return Ok(Some(found));
        }
        let repeat = "WHERE e.seq = \
             (SELECT execution FROM void_starts WHERE id = ?1 ORDER BY seq LIMIT 1)";
        Ok(self.executions(repeat, &id)?.pop())
    }

    /// The execution of an ordinal.
    pub fn execution_by_ordinal(&self, ordinal: u64) -> Result<Option<KnownExecution>, QueryError> {
        let ordinal = ordinal.to_string();
        Ok(self.executions("WHERE e.ordinal = CAST(?1 AS INTEGER)", &ordinal)?.pop())
    }

    /// Executions without an end, in order of their starts; of one session, or of all.
    pub fn open_executions(
        &self,
        session: Option<SessionId>,
    ) -> Result<Vec<KnownExecution>, QueryError> {
        let session = session.map(|id| id.to_string()).unwrap_or_default();
        self.executions(
            "WHERE e.closed_seq IS NULL AND (?1 = '' OR s.id = ?1) ORDER BY e.seq",
            &session,
        )
    }

    fn executions(&self, which: &str, value: &str) -> Result<Vec<KnownExecution>, QueryError> {
        let sql = format!("{EXECUTION} {which}");
        let found = self.index.rows(&sql, [value], |row| {
            let (id, session): (String, Option<String>) = (row.get(0)?, row.get(2)?);
            let (source, outcome): (String, Option<String>) = (row.get(4)?, row.get(5)?);
            let corrected_by: Option<String> = row.get(9)?;
            Ok(KnownExecution {
                id: crate::execution::query::execution(&id),
                sequence: row.get(1)?,
                closed: row.get(10)?,
                session: session.as_deref().map(crate::execution::query::session),
                tool: row.get(3)?,
                source: crate::execution::query::source(&source),
                outcome: outcome.as_deref().and_then(crate::execution::query::outcome),
                ordinal: row.get(6)?,
                started_ms: row.get(7)?,
                closed_ms: row.get(8)?,
                corrected_by: corrected_by.as_deref().map(crate::execution::query::execution),
            })
        })?;
        Ok(found)
    }

    /// What is known of a session.
    pub fn session(&self, id: SessionId) -> Result<Option<KnownSession>, QueryError> {
        let sql = "SELECT agent, native_id, agent_version, model, parent, cwd, branch, title, \
                   last_ms, last_seq, ended_seq FROM sessions WHERE id = ?1";
        let mut found = self.index.rows(sql, [id.to_string()], |row| {
            let parent: Option<String> = row.get(4)?;
            Ok(KnownSession {
                agent: row.get(0)?,
                native_id: row.get(1)?,
                agent_version: row.get(2)?,
                model: row.get(3)?,
                parent: parent.as_deref().map(crate::execution::query::session),
                cwd: row.get(5)?,
                branch: row.get(6)?,
                title: row.get(7)?,
                last_ms: row.get(8)?,
                last_seq: row.get(9)?,
                ended: row.get::<_, Option<u64>>(10)?.is_some(),
            })
        })?;
        Ok(found.pop())
    }

    /// The tool names in force: the contract's, then the declared ones in order.
    pub fn tools_in_force(&self) -> Result<Vec<String>, QueryError> {
        let mut tools = tool::CONTRACT.map(str::to_owned).to_vec();
        tools.extend(
            self.index.rows("SELECT name FROM tools ORDER BY number", [], |row| {
                row.get::<_, String>(0)
            })?,
        );
        Ok(tools)
    }

    /// Whether a prompt of this native id is known, in whichever session.
    pub fn prompt_known(&self, native_id: &str) -> Result<bool, QueryError> {
        let sql = "SELECT 1 FROM prompts WHERE native_id = ?1 LIMIT 1";
        Ok(!self.index.rows(sql, [native_id], |_| Ok(()))?.is_empty())
    }

    #[cfg(test)]
    /// Whether a prompt of this time and text is known, in whichever session. `digest` is the
    /// blake3 of the text.
    pub fn prompt_text_known(&self, at_ms: u64, digest: &[u8; 32]) -> Result<bool, QueryError> {
        let digest = blake3::Hash::from_bytes(*digest).to_hex().to_string();
        let sql = "SELECT 1 FROM prompts WHERE at_ms = ?1 AND digest = ?2 LIMIT 1";
        let at_ms = i64::try_from(at_ms).unwrap_or(i64::MAX);
        Ok(!self.index.rows(sql, (at_ms, digest), |_| Ok(()))?.is_empty())
    }

    /// The event that may hold the content of this blake3 inline: the first whose content begins
    /// with the same eight bytes of it. To be checked against the journal.
    pub fn content(&self, hash: &[u8; 32]) -> Result<Option<Sequence>, QueryError> {
        let sql = "SELECT seq FROM contents WHERE key = ?1";
        let found = self.index.rows(sql, [content_key(hash)], |row| row.get(0))?.pop();
        Ok(found.map(Sequence))
    }

    /// Whether this flaw of a transcript is known. `flaw` is its word.
    pub fn flaw_known(
        &self,
        file: &str,
        line: u64,
        flaw: &str,
        detail: &str,
    ) -> Result<bool, QueryError> {
        let sql = "SELECT 1 FROM flaws WHERE file = ?1 AND line = ?2 AND flaw = ?3 \
                   AND detail = ?4";
        let line = i64::try_from(line).unwrap_or(i64::MAX);
        Ok(!self.index.rows(sql, (file, line, flaw, detail), |_| Ok(()))?.is_empty())
    }
}
