//! The contract's queries of failures and templates.

use rusqlite::Row;

use super::rows::{SESSION, session};
use super::{DebugFilter, DebugSession, DebugView, FixTemplate, TEMPLATE_EFFECTIVENESS};
use crate::event::{DebugSessionId, ErrorType};
use crate::execution::query::{QueryError, number, text};

/// Files of the source that are asked one by one; where more match, sessions are gone through from the
/// newest on, and it is not far to one that has some of them.
const FILES_MAX: usize = 256;
/// Sessions that a question gives where nobody says how many.
pub(super) const SIMILAR_MAX: usize = 10;

const TEMPLATE: &str = "SELECT s.id, s.file_path, p.pattern, p.category, p.frequency, \
     p.fix_template, p.effectiveness, p.successes, p.trials, p.updated_ms \
     FROM debug_patterns p JOIN debug_sessions s ON s.number = p.session";

impl DebugView<'_> {
    /// The ten sessions changed last in which a test failed so, in a source file that is `LIKE` a
    /// pattern (`%` any letters, `_` one; case counts only beyond ASCII). `%` alone is any file, and
    /// none too.
    pub fn find_similar_failures(
        &self,
        error_type: ErrorType,
        file_pattern: &str,
    ) -> Result<Vec<DebugSession>, QueryError> {
        if !file_pattern.is_empty() && file_pattern.bytes().all(|byte| byte == b'%') {
            let error_type = Some(error_type);
            let limit = SIMILAR_MAX;
            return self.list(&DebugFilter { error_type, limit, ..DebugFilter::default() });
        }
        let (kind, pattern) = (text(error_type.as_str()), text(file_pattern));
        let limit = number(SIMILAR_MAX as u64);
        let sql = "SELECT file FROM debug_files WHERE error_type = ?1 AND file LIKE ?2 LIMIT ?3";
        let values = [kind.clone(), pattern.clone(), number(FILES_MAX as u64 + 1)];
        let files = self.index.answer(sql, &values, |row| row.get::<_, String>(0))?;
        let place = |row: &Row<'_>| Ok((row.get::<_, u64>(0)?, row.get::<_, u64>(1)?));
        let mut places = Vec::new();
        if files.len() > FILES_MAX {
            let sql = "SELECT DISTINCT updated_ms, session FROM debug_failures \
                       WHERE error_type = ?1 AND file LIKE ?2 \
                       ORDER BY updated_ms DESC, session DESC LIMIT ?3";
            places = self.index.answer(sql, &[kind, pattern, limit], place)?;
        } else {
            for file in &files {
                let sql = "SELECT DISTINCT updated_ms, session FROM debug_failures \
                           WHERE error_type = ?1 AND file = ?2 \
                           ORDER BY updated_ms DESC, session DESC LIMIT ?3";
                let values = [kind.clone(), text(file), limit.clone()];
                places.extend(self.index.answer(sql, &values, place)?);
            }
        }
        places.sort_by(|one, other| other.cmp(one));
        places.dedup();
        places.truncate(SIMILAR_MAX);
        let mut found = Vec::with_capacity(places.len());
        for (_, session_number) in places {
            found.extend(self.numbered(session_number)?);
        }
        Ok(found)
    }

    /// Patterns of a category whose templates helped in more than seven of ten trials, the best first.
    /// One may have no template where only its effectiveness was told.
    pub fn get_fix_templates(
        &self,
        category: &str,
        limit: usize,
    ) -> Result<Vec<FixTemplate>, QueryError> {
        let sql = format!(
            "{TEMPLATE} WHERE p.category = ?1 AND p.effectiveness > {TEMPLATE_EFFECTIVENESS} \
             ORDER BY p.effectiveness DESC, p.trials DESC, p.updated_ms DESC, p.session DESC, \
             p.pattern DESC LIMIT ?2"
        );
        let values = [text(category), number(limit as u64)];
        Ok(self.index.answer(&sql, &values, template)?.into_iter().flatten().collect())
    }

    /// What was learnt in a session, in order of the patterns' names.
    pub fn patterns(&self, id: DebugSessionId) -> Result<Vec<FixTemplate>, QueryError> {
        let sql = format!("{TEMPLATE} WHERE s.id = ?1 ORDER BY p.pattern");
        let found = self.index.answer(&sql, &[text(&id.to_string())], template)?;
        Ok(found.into_iter().flatten().collect())
    }

    pub(super) fn numbered(&self, of: u64) -> Result<Option<DebugSession>, QueryError> {
        let sql = format!("SELECT {SESSION} FROM debug_sessions s WHERE s.number = ?1");
        Ok(self.index.answer(&sql, &[number(of)], session)?.into_iter().flatten().next())
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
        updated_ms: row.get(9)?,
    }))
}
