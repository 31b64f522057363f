//! What is known of a journal: what a recorder asks before it appends, and where a fold of its tail goes on
//! from.

use std::path::Path;

use rusqlite::Row;

use super::QueryError;
use crate::event::{
    CallKey, CheckList, ExecutionId, Outcome, Sequence, SessionId, Source, Usage, tool,
};
use crate::execution::index::{IndexReader, LIST_BEFORE, ROOT, content_key, list};
use crate::journal::recorder::MessageFact;
use crate::store::columns::columns;

/// Look-ups in `index.db`, as of its cursor: see [`Identity::through`].
#[derive(Debug)]
pub struct Identity {
    pub(crate) index: IndexReader,
}

const EXECUTION: &str = "SELECT e.id, e.started_seq, e.closed_seq, s.id, e.tool, e.source, \
     e.outcome, e.ordinal, e.started_ms, e.closed_ms, e.corrected_by \
     FROM executions e LEFT JOIN sessions s ON s.number = e.session";

impl Identity {
    pub fn open(index: &Path) -> Result<Self, QueryError> {
        Ok(Self { index: IndexReader::open(index)? })
    }

    /// The last event that the answers know of, and the journal it is in.
    pub fn through(&self) -> Result<Option<([u8; 16], Sequence)>, QueryError> {
        let cursor = self.index.cursor()?;
        Ok(cursor.map(|c| (c.position.journal, Sequence(c.position.sequence))))
    }

    pub fn has_executions(&self) -> Result<bool, QueryError> {
        let found = self.index.rows("SELECT 1 FROM executions LIMIT 1", [], |_| Ok(()))?;
        Ok(!found.is_empty())
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
        Ok(self.index.rows(&sql, [value], |row| {
            columns!(row => KnownExecution {
                id, sequence, closed, session, tool, source, outcome, ordinal, started_ms, closed_ms,
                corrected_by,
            })
        })?)
    }

    pub fn session(&self, id: SessionId) -> Result<Option<KnownSession>, QueryError> {
        let sql = "SELECT agent, native_id, agent_version, model, parent, cwd, branch, title, \
                   last_ms, last_seq, ended_seq IS NOT NULL FROM sessions WHERE id = ?1";
        let mut found = self.index.rows(sql, [id], |row| {
            columns!(row => KnownSession {
                agent, native_id, agent_version, model, parent, cwd, branch, title, last_ms, last_seq, ended,
            })
        })?;
        Ok(found.pop())
    }

    /// Whether a session has steps, whether something ended since the last one began or ended, and the door that
    /// its last call came by.
    pub fn turn(
        &self,
        session: SessionId,
    ) -> Result<Option<(bool, bool, Option<Source>)>, QueryError> {
        let sql = "SELECT stepped IS NOT NULL, EXISTS (SELECT 1 FROM executions e \
                   WHERE e.session = number AND e.at_seq > stepped AND e.corrects IS NULL \
                   AND e.outcome <> 'interrupted'), \
                   (SELECT source FROM executions e WHERE e.session = number \
                   ORDER BY at_ms DESC, at_seq DESC LIMIT 1) \
                   FROM (SELECT s.number, (SELECT max(max(t.seq, coalesce(t.ended_seq, 0))) \
                   FROM steps t WHERE t.session = s.number) AS stepped \
                   FROM sessions s WHERE s.id = ?1)";
        let found: Vec<(bool, bool, Option<Source>)> = self.index.all(sql, [session])?;
        Ok(found.into_iter().next())
    }

    /// The tool names in force: the contract's, then the declared ones in order.
    pub fn tools_in_force(&self) -> Result<Vec<String>, QueryError> {
        let mut tools = tool::CONTRACT.map(str::to_owned).to_vec();
        let sql = "SELECT name FROM tools ORDER BY number";
        tools.extend(self.index.column::<String>(sql, [])?);
        Ok(tools)
    }

    /// Whether a prompt of this native id is known, in whichever session.
    pub fn prompt_known(&self, native_id: &str) -> Result<bool, QueryError> {
        let sql = "SELECT 1 FROM prompts WHERE native_id = ?1 LIMIT 1";
        Ok(self.index.cell::<u8>(sql, [native_id])?.is_some())
    }

    #[cfg(test)]
    /// Whether a prompt of this time and text is known, in whichever session. `digest` is the
    /// blake3 of the text.
    pub fn prompt_text_known(&self, at_ms: u64, digest: &[u8; 32]) -> Result<bool, QueryError> {
        let digest = blake3::Hash::from_bytes(*digest).to_hex().to_string();
        let sql = "SELECT 1 FROM prompts WHERE at_ms = ?1 AND digest = ?2 LIMIT 1";
        let at_ms = i64::try_from(at_ms).unwrap_or(i64::MAX);
        Ok(self.index.cell::<u8>(sql, (at_ms, digest))?.is_some())
    }

    /// The event that may hold the content of this blake3 inline: the first whose content begins
    /// with the same eight bytes of it. To be checked against the journal.
    pub fn content(&self, hash: &[u8; 32]) -> Result<Option<Sequence>, QueryError> {
        let sql = "SELECT seq FROM contents WHERE key = ?1";
        Ok(self.index.cell(sql, [content_key(hash)])?)
    }

    /// How much is on record of an agent's message.
    pub fn message(&self, native_id: &str) -> Result<Option<MessageFact>, QueryError> {
        let sql = "SELECT text_bytes, thinking_bytes, input, output, cache_read, cache_write \
                   FROM messages WHERE native_id = ?1";
        let fact = |row: &Row<'_>| {
            let count =
                |at: usize| row.get::<_, Option<i64>>(at).map(|it| it.map(i64::unsigned_abs));
            let (input, output) = (count(2)?, count(3)?);
            let usage = Usage { input, output, cache_read: count(4)?, cache_write: count(5)? };
            let [text_bytes, thinking_bytes] =
                [count(0)?, count(1)?].map(Option::unwrap_or_default);
            Ok(MessageFact { text_bytes, thinking_bytes, usage })
        };
        Ok(self.index.rows(sql, [native_id], fact)?.pop())
    }

    pub fn mark_known(&self, kind: &str, native_id: &str) -> Result<bool, QueryError> {
        let sql = "SELECT 1 FROM marks WHERE kind = ?1 AND native_id = ?2 LIMIT 1";
        Ok(self.index.cell::<u8>(sql, (kind, native_id))?.is_some())
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
        Ok(self.index.cell::<u8>(sql, (file, line, flaw, detail))?.is_some())
    }

    /// The first event of a session; `None` where the index knows none.
    pub fn first_of_session(&self, session: SessionId) -> Result<Option<Sequence>, QueryError> {
        let sql = "SELECT first_seq FROM sessions WHERE id = ?1";
        Ok(self.index.cell(sql, [session])?)
    }

    /// What was counted before an event, which the index has read up to or just behind.
    pub fn counted_before(&self, before: Sequence) -> Result<Counted, QueryError> {
        let before = i64::try_from(before.0).unwrap_or(i64::MAX);
        let sql = "SELECT name FROM tools WHERE seq < ?1 ORDER BY number";
        let tools = self.index.column(sql, [before])?;
        let sql = "SELECT e.id, e.call_key, s.id, iif(e.closed_seq < ?1, e.ordinal, NULL), \
             coalesce(e.closed_seq < ?1, 0) FROM executions e LEFT JOIN sessions s ON s.number = e.session \
             WHERE e.seq < ?1 ORDER BY e.seq DESC LIMIT ?2";
        let mut newest = self.index.rows(
            sql,
            (before, NEWEST_MAX),
            |row| columns!(row => IndexedRow { id, call_key, session, ordinal, has_ended }),
        )?;
        newest.reverse();
        let sql = "SELECT v.id, e.id FROM void_starts v JOIN executions e ON e.seq = v.execution \
             WHERE v.seq < ?1 ORDER BY v.seq DESC LIMIT ?2";
        let mut void_starts = self.index.all(sql, (before, VOID_STARTS_MAX))?;
        void_starts.reverse();
        Ok(Counted { ordinals: self.ordinals_before(before)?, tools, newest, void_starts })
    }

    /// The project's own checks as they were declared before an event; `None` where none were.
    pub fn checks_before(&self, before: Sequence) -> Result<Option<CheckList>, QueryError> {
        let before = i64::try_from(before.0).unwrap_or(i64::MAX);
        Ok(self.index.cell::<String>(LIST_BEFORE, [before])?.map(|it| list(Some(it))))
    }

    /// The root that the journal was made in.
    pub fn root(&self) -> Result<Option<String>, QueryError> {
        Ok(self.index.cell(ROOT, [])?)
    }

    /// Ordinals are given in order of closing events: halved, not counted.
    fn ordinals_before(&self, before: i64) -> Result<u64, QueryError> {
        let last = "SELECT coalesce(max(ordinal), 0) FROM executions WHERE ordinal IS NOT NULL";
        let (mut low, mut high) = (0, self.index.cell::<u64>(last, [])?.unwrap_or(0));
        while low < high {
            let middle = low + (high - low).div_ceil(2);
            let sql = "SELECT closed_seq FROM executions WHERE ordinal = ?1";
            match self.index.cell::<Option<i64>>(sql, [middle])?.flatten() {
                Some(closed) if closed < before => low = middle,
                _ => high = middle - 1,
            }
        }
        Ok(low)
    }
}

/// What was counted of a journal before an event.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counted {
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

const NEWEST_MAX: u64 = 256;
const VOID_STARTS_MAX: u64 = 64;

/// An execution that has a start, an end, or both.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownExecution {
    pub id: ExecutionId,
    /// The start's sequence; `None` where it was lost.
    pub sequence: Option<u64>,
    pub closed: Option<u64>,
    pub session: Option<SessionId>,
    pub tool: String,
    /// The door its first event came by.
    pub source: Source,
    /// `None` while it is open.
    pub outcome: Option<Outcome>,
    /// Its place in `execution_log.db`, if it has one.
    pub ordinal: Option<u64>,
    pub started_ms: Option<u64>,
    pub closed_ms: Option<u64>,
    pub corrected_by: Option<ExecutionId>,
}

/// A session, with what all its SessionStarted events told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownSession {
    pub agent: String,
    pub native_id: String,
    pub agent_version: Option<String>,
    pub model: Option<String>,
    pub parent: Option<SessionId>,
    pub cwd: Option<String>,
    pub branch: Option<String>,
    pub title: Option<String>,
    /// The last event's time: what the next one may not be behind (I3).
    pub last_ms: u64,
    pub last_seq: u64,
    pub ended: bool,
}
