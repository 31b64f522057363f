//! What the index says of debug sessions.

use std::collections::BTreeSet;

use rusqlite::{Params, Row};

use super::{
    DebugFilter, DebugRecord, DebugSession, FixTemplate, PendingFix, Result, TEMPLATE_EFFECTIVENESS,
};
use crate::debug::infer::is_inferred;
use crate::event::{
    DebugBeside, DebugDocument, DebugSessionId, DebugStatus, ErrorType, ExecutionId, Ordered,
    Sequence, SessionId,
};
use crate::execution::closed::signed;
use crate::execution::index::IndexReader;
use crate::execution::query::{QueryError, Stores};

/// Digits of an id that are enough of one to look for.
const PREFIX_CHARS_MIN: usize = 4;

#[derive(Clone, Copy, Debug)]
pub struct DebugView<'a> {
    pub(super) index: &'a IndexReader,
}

impl Stores {
    /// Questions about debug sessions.
    pub fn debug(&self) -> DebugView<'_> {
        DebugView::of(&self.index)
    }
}

impl<'a> DebugView<'a> {
    pub fn of(index: &'a IndexReader) -> Self {
        Self { index }
    }

    pub fn session(&self, id: DebugSessionId) -> Result<Option<DebugSession>> {
        self.one("WHERE s.id = ?1", [id.to_string()])
    }

    pub fn document(&self, id: DebugSessionId) -> Result<Option<DebugDocument>> {
        Ok(self.record(id)?.map(|record| record.document))
    }

    pub fn record(&self, id: DebugSessionId) -> Result<Option<DebugRecord>> {
        let sql =
            format!("SELECT {SESSION}, s.document, s.beside FROM debug_sessions s WHERE s.id = ?1");
        let mut found = self.index.rows(&sql, [id.to_string()], |row| {
            let document: String = row.get(SESSION_COLUMNS)?;
            let beside: String = row.get(SESSION_COLUMNS + 1)?;
            Ok((session(row)?, document, beside))
        })?;
        let Some((Some(session), document, beside)) = found.pop() else { return Ok(None) };
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
    pub fn resolve(&self, asked: &str) -> Result<DebugSessionId> {
        let none = || QueryError::NoDebugSession { text: asked.to_owned() };
        let sole = |found: Vec<DebugSession>| match found.as_slice() {
            [] => Ok(None),
            [one] => Ok(Some(one.id)),
            several => {
                Err(QueryError::Ambiguous { reference: asked.to_owned(), count: several.len() })
            }
        };
        if asked == "last" {
            let last = self.one("ORDER BY s.last_seq DESC LIMIT 1", [])?;
            return last.map(|session| session.id).ok_or_else(none);
        }
        let prefix = asked.to_ascii_lowercase();
        let is_plain = |byte: u8| byte.is_ascii_hexdigit() || byte == b'-';
        if (PREFIX_CHARS_MIN..=36).contains(&prefix.len()) && prefix.bytes().all(is_plain) {
            // `g` comes after every digit.
            let tail = "WHERE s.id >= ?1 AND s.id < ?1 || 'g' ORDER BY s.id LIMIT 2";
            if let Some(id) = sole(self.several(tail, [&prefix])?)? {
                return Ok(id);
            }
        }
        let tail = "WHERE s.native_id = ?1 ORDER BY s.number LIMIT 2";
        sole(self.several(tail, [asked])?)?.ok_or_else(none)
    }

    /// The newest session of a file on which attempts may follow: in progress or escalated.
    pub fn newest_open(&self, file_path: &str) -> Result<Option<DebugSession>> {
        self.one(
            "WHERE s.file_path = ?1 AND s.status IN ('in_progress', 'escalated') \
             ORDER BY s.number DESC LIMIT 1",
            [file_path],
        )
    }

    pub fn pending_fix(&self, id: DebugSessionId) -> Result<Option<PendingFix>> {
        Ok(self.record(id)?.and_then(|record| record.pending_fix()))
    }

    pub fn is_expired(&self, id: DebugSessionId) -> Result<bool> {
        let sql = "SELECT 1 FROM debug_expired WHERE id = ?1";
        Ok(self.index.cell::<u8>(sql, [id.to_string()])?.is_some())
    }

    /// Executions that became attempts after an event, of sessions that were not inferred.
    pub(in crate::debug) fn attempts_of_others(&self, after: u64) -> Result<BTreeSet<ExecutionId>> {
        let sql = "SELECT DISTINCT s.beside, s.id FROM debug_ops o JOIN debug_sessions s ON s.id = o.session \
                   WHERE o.seq > ?1 AND o.kind = 'AttemptRecorded'";
        let mut found = BTreeSet::new();
        for (beside, id) in self.index.all::<(String, String)>(sql, [signed(after)])? {
            // What cannot be read has no attempts.
            let beside: DebugBeside = serde_json::from_str(&beside).unwrap_or_default();
            let executions = beside.executions.values().filter_map(|it| ExecutionId::parse(it));
            let executions: Vec<ExecutionId> = executions.collect();
            if !executions.iter().any(|it| is_inferred(*it, &id)) {
                found.extend(executions);
            }
        }
        Ok(found)
    }

    /// The agent of a session of one's; `None` where nobody said.
    pub(in crate::debug) fn agent_of(&self, session: SessionId) -> Result<Option<String>> {
        let sql = "SELECT agent FROM sessions WHERE id = ?1 AND agent != ''";
        Ok(self.index.cell(sql, [session.to_string()])?)
    }

    /// The last event that imported a session's document; `None` where none did.
    pub fn last_import(&self, id: DebugSessionId) -> Result<Option<Sequence>> {
        let sql = "SELECT max(seq) FROM debug_ops \
                   WHERE session = ?1 AND kind = 'DebugSessionImported'";
        Ok(self.index.cell::<Option<Sequence>>(sql, [id.to_string()])?.flatten())
    }

    /// The first and the last event of a session, those that its document does not show included.
    pub fn events(&self, id: DebugSessionId) -> Result<Option<(Sequence, Sequence)>> {
        let sql = "SELECT min(seq), max(seq) FROM debug_ops WHERE session = ?1";
        let found: Vec<(Option<Sequence>, _)> = self.index.all(sql, [id.to_string()])?;
        Ok(found.into_iter().next().and_then(|(first, last)| first.zip(last)))
    }

    fn one(&self, tail: &str, values: impl Params) -> Result<Option<DebugSession>> {
        Ok(self.several(tail, values)?.into_iter().next())
    }

    pub(super) fn several(&self, tail: &str, values: impl Params) -> Result<Vec<DebugSession>> {
        let sql = format!("SELECT {SESSION} FROM debug_sessions s {tail}");
        Ok(self.index.rows(&sql, values, session)?.into_iter().flatten().collect())
    }
}

/// Files of the source that are asked one by one; where more match, sessions are gone through from the
/// newest on, and it is not far to one that has some of them.
const FILES_MAX: usize = 256;
/// Sessions that a question gives where nobody says how many.
pub(super) const SIMILAR_MAX: usize = 10;

const TEMPLATE: &str = "SELECT s.id, s.file_path, p.pattern, p.category, p.frequency, \
     p.fix_template, p.effectiveness, p.successes, p.trials, p.bound, p.updated_ms \
     FROM debug_patterns p JOIN debug_sessions s ON s.number = p.session";

impl DebugView<'_> {
    /// The ten sessions changed last in which a test failed so, in a source file that is `LIKE` a
    /// pattern (`%` any letters, `_` one; case counts only beyond ASCII). `%` alone is any file, and
    /// none too.
    pub fn find_similar_failures(
        &self,
        error_type: ErrorType,
        file_pattern: &str,
    ) -> Result<Vec<DebugSession>> {
        if !file_pattern.is_empty() && file_pattern.bytes().all(|byte| byte == b'%') {
            let error_type = Some(error_type);
            let limit = SIMILAR_MAX;
            return self.list(&DebugFilter { error_type, limit, ..DebugFilter::default() });
        }
        let (kind, limit) = (error_type.as_str(), SIMILAR_MAX);
        let sql = "SELECT file FROM debug_files WHERE error_type = ?1 AND file LIKE ?2 LIMIT ?3";
        let files: Vec<String> = self.index.column(sql, (kind, file_pattern, FILES_MAX + 1))?;
        let mut places: Vec<(u64, u64)> = Vec::new();
        if files.len() > FILES_MAX {
            let sql = "SELECT DISTINCT updated_ms, session FROM debug_failures \
                       WHERE error_type = ?1 AND file LIKE ?2 \
                       ORDER BY updated_ms DESC, session DESC LIMIT ?3";
            places = self.index.all(sql, (kind, file_pattern, limit))?;
        } else {
            for file in &files {
                let sql = "SELECT DISTINCT updated_ms, session FROM debug_failures \
                           WHERE error_type = ?1 AND file = ?2 \
                           ORDER BY updated_ms DESC, session DESC LIMIT ?3";
                places.extend(self.index.all::<(u64, u64)>(sql, (kind, file, limit))?);
            }
        }
        places.order_by(|one, other| other.cmp(one));
        places.dedup();
        places.truncate(SIMILAR_MAX);
        let mut found = Vec::with_capacity(places.len());
        for (_, session_number) in places {
            found.extend(self.numbered(session_number)?);
        }
        Ok(found)
    }

    /// Patterns of a category whose templates helped in more than seven of ten trials, first those whose
    /// trials prove most.
    /// One may have no template where only its effectiveness was told.
    pub fn get_fix_templates(&self, category: &str, limit: usize) -> Result<Vec<FixTemplate>> {
        let tail = format!(
            "WHERE p.category = ?1 AND p.effectiveness > {TEMPLATE_EFFECTIVENESS} \
             ORDER BY p.bound DESC, p.updated_ms DESC, p.session DESC, p.pattern DESC LIMIT ?2"
        );
        self.templates(&tail, (category, signed(limit as u64)))
    }

    pub fn patterns(&self, id: DebugSessionId) -> Result<Vec<FixTemplate>> {
        self.templates("WHERE s.id = ?1 ORDER BY p.pattern", [id.to_string()])
    }

    fn templates(&self, tail: &str, values: impl Params) -> Result<Vec<FixTemplate>> {
        let sql = format!("{TEMPLATE} {tail}");
        Ok(self.index.rows(&sql, values, template)?.into_iter().flatten().collect())
    }

    pub(super) fn numbered(&self, of: u64) -> Result<Option<DebugSession>> {
        self.one("WHERE s.number = ?1", [of])
    }
}

/// `None`: no session stands there, which nothing of ours wrote.
fn template(row: &Row<'_>) -> rusqlite::Result<Option<FixTemplate>> {
    let id: String = row.get(0)?;
    let Some(session) = DebugSessionId::parse(&id) else { return Ok(None) };
    let tally: (Option<u64>, Option<u64>) = (row.get(7)?, row.get(8)?);
    Ok(Some(FixTemplate {
        session,
        file_path: row.get(1)?,
        pattern: row.get(2)?,
        category: row.get(3)?,
        frequency: row.get(4)?,
        fix_template: row.get(5)?,
        effectiveness: row.get(6)?,
        tally: tally.0.zip(tally.1),
        bound: row.get(9)?,
        updated_ms: row.get(10)?,
    }))
}

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
