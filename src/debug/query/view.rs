//! What the index says of debug sessions.

use super::rows::{SESSION, SESSION_COLUMNS, session};
use super::{DebugRecord, DebugSession, PendingFix};
use crate::event::{DebugDocument, DebugSessionId, Sequence};
use crate::execution::index::IndexReader;
use crate::execution::query::{QueryError, text};
use crate::store::Ask;

/// Digits of an id that are enough of one to look for.
const PREFIX_CHARS_MIN: usize = 4;

/// What the index says of debug sessions.
#[derive(Clone, Copy, Debug)]
pub struct DebugView<'a> {
    pub(super) index: &'a IndexReader,
}

impl<'a> DebugView<'a> {
    /// As this index has it.
    pub fn of(index: &'a IndexReader) -> Self {
        Self { index }
    }

    /// One session; `None` where there is none, or none any more.
    pub fn session(&self, id: DebugSessionId) -> Result<Option<DebugSession>, QueryError> {
        self.one("WHERE s.id = ?1", &[text(&id.to_string())])
    }

    /// The contract's document of a session.
    pub fn document(&self, id: DebugSessionId) -> Result<Option<DebugDocument>, QueryError> {
        Ok(self.record(id)?.map(|record| record.document))
    }

    /// A session with all that is known of it.
    pub fn record(&self, id: DebugSessionId) -> Result<Option<DebugRecord>, QueryError> {
        let sql =
            format!("SELECT {SESSION}, s.document, s.beside FROM debug_sessions s WHERE s.id = ?1");
        let found = self.index.answer(&sql, &[text(&id.to_string())], |row| {
            let document: String = row.get(SESSION_COLUMNS)?;
            let beside: String = row.get(SESSION_COLUMNS + 1)?;
            Ok((session(row)?, document, beside))
        })?;
        let Some((Some(session), document, beside)) = found.into_iter().next() else {
            return Ok(None);
        };
        let unreadable = |source: serde_json::Error| QueryError::DebugDocument {
            session: id,
            why: source.to_string(),
        };
        let document = serde_json::from_str(&document).map_err(unreadable)?;
        let beside = serde_json::from_str(&beside).map_err(unreadable)?;
        Ok(Some(DebugRecord { session, document, beside }))
    }

    /// The session that a text names: an id, the beginning of one that no other has, `last` for the one
    /// that was worked on last, whatever times it has, or what an imported document called itself.
    pub fn resolve(&self, asked: &str) -> Result<DebugSessionId, QueryError> {
        let none = || QueryError::NoDebugSession { text: asked.to_owned() };
        let sole = |found: Vec<Option<DebugSession>>| match found.as_slice() {
            [] => Ok(None),
            [one] => Ok(one.as_ref().map(|session| session.id)),
            several => {
                Err(QueryError::Ambiguous { reference: asked.to_owned(), count: several.len() })
            }
        };
        if asked == "last" {
            let last = self.one("ORDER BY s.last_seq DESC LIMIT 1", &[])?;
            return last.map(|session| session.id).ok_or_else(none);
        }
        let prefix = asked.to_ascii_lowercase();
        let is_plain = |byte: u8| byte.is_ascii_hexdigit() || byte == b'-';
        if (PREFIX_CHARS_MIN..=36).contains(&prefix.len()) && prefix.bytes().all(is_plain) {
            // `g` comes after every digit.
            let tail = "WHERE s.id >= ?1 AND s.id < ?1 || 'g' ORDER BY s.id LIMIT 2";
            if let Some(id) = sole(self.several(tail, &[text(&prefix)])?)? {
                return Ok(id);
            }
        }
        let tail = "WHERE s.native_id = ?1 ORDER BY s.number LIMIT 2";
        sole(self.several(tail, &[text(asked)])?)?.ok_or_else(none)
    }

    /// The newest session of a file on which attempts may follow: in progress or escalated.
    pub fn newest_open(&self, file_path: &str) -> Result<Option<DebugSession>, QueryError> {
        self.one(
            "WHERE s.file_path = ?1 AND s.status IN ('in_progress', 'escalated') \
             ORDER BY s.number DESC LIMIT 1",
            &[text(file_path)],
        )
    }

    /// The last fix of a session, where it is pending.
    pub fn pending_fix(&self, id: DebugSessionId) -> Result<Option<PendingFix>, QueryError> {
        Ok(self.record(id)?.and_then(|record| record.pending_fix()))
    }

    /// Whether a session's document was kept as long as the rules say.
    pub fn is_expired(&self, id: DebugSessionId) -> Result<bool, QueryError> {
        let sql = "SELECT 1 FROM debug_expired WHERE id = ?1";
        Ok(!self.index.answer(sql, &[text(&id.to_string())], |_| Ok(()))?.is_empty())
    }

    /// The last event that imported a session's document; `None` where none did.
    pub fn last_import(&self, id: DebugSessionId) -> Result<Option<Sequence>, QueryError> {
        let sql = "SELECT max(seq) FROM debug_ops \
                   WHERE session = ?1 AND kind = 'DebugSessionImported'";
        let found =
            self.index.answer(sql, &[text(&id.to_string())], |row| row.get::<_, Option<u64>>(0))?;
        Ok(found.into_iter().flatten().next().map(Sequence))
    }

    /// The first and the last event of a session, those that its document does not show included.
    pub fn events(&self, id: DebugSessionId) -> Result<Option<(Sequence, Sequence)>, QueryError> {
        let sql = "SELECT min(seq), max(seq) FROM debug_ops WHERE session = ?1";
        let found = self.index.answer(sql, &[text(&id.to_string())], |row| {
            Ok((row.get::<_, Option<u64>>(0)?, row.get::<_, Option<u64>>(1)?))
        })?;
        Ok(found
            .into_iter()
            .next()
            .and_then(|(first, last)| Some((Sequence(first?), Sequence(last?)))))
    }

    pub(super) fn one(
        &self,
        tail: &str,
        values: &[Ask],
    ) -> Result<Option<DebugSession>, QueryError> {
        Ok(self.several(tail, values)?.into_iter().flatten().next())
    }

    pub(super) fn several(
        &self,
        tail: &str,
        values: &[Ask],
    ) -> Result<Vec<Option<DebugSession>>, QueryError> {
        let sql = format!("SELECT {SESSION} FROM debug_sessions s {tail}");
        Ok(self.index.answer(&sql, values, session)?)
    }
}
