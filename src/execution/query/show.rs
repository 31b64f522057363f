//! One execution, whole.

use super::summary::{COLUMNS, read};
use super::{ExecutionSummary, QueryError, Reference, Stores};
use crate::store::Ask;

/// One execution, whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExecutionDetail {
    pub summary: ExecutionSummary,
    /// The start's sequence; `None` where it was lost.
    pub started_sequence: Option<u64>,
    /// `None` where `execution_log.db` has no row: it is open, or its tool is undeclared.
    pub arguments_json: Option<String>,
    /// The row's whole `error_message`.
    pub error_message: Option<String>,
    /// Type and JSON: stdout, stderr, diagnostics.
    pub artifacts: Vec<(String, String)>,
    pub paths: Vec<(String, PathRole)>,
    pub parent: Option<String>,
}

/// What an execution had to do with a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PathRole {
    Named,
    Changed,
    Created,
}

impl PathRole {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Named => "named",
            Self::Changed => "changed",
            Self::Created => "created",
        }
    }
}

/// Ids listed before a beginning counts as ambiguous.
const FOUND_MAX: usize = 10;

impl Stores {
    /// The one execution that a reference names.
    pub fn resolve(&self, reference: &Reference) -> Result<ExecutionSummary, QueryError> {
        let (which, value) = match reference {
            Reference::Last => ("?1 = '' ORDER BY e.at_seq DESC LIMIT 1", text("")),
            Reference::Ordinal(ordinal) => ("e.ordinal = ?1", number(*ordinal)),
            Reference::Sequence(at) => (
                "e.seq IN (SELECT ?1 UNION ALL SELECT seq FROM executions WHERE at_seq = ?1) \
                 ORDER BY e.corrects IS NOT NULL LIMIT 1",
                number(at.0),
            ),
            Reference::Id(id) => ("e.id >= ?1 AND e.id < ?1 || 'g'", text(id)),
        };
        let sql = format!(
            "SELECT {COLUMNS} FROM executions e LEFT JOIN sessions s ON s.number = e.session \
             WHERE {which}"
        );
        let sql = if sql.contains("LIMIT") { sql } else { format!("{sql} LIMIT {FOUND_MAX}") };
        let mut found = self.index.answer(&sql, &[value], |row| Ok(read!(row)))?;
        let count = found.len();
        match found.pop() {
            Some(execution) if count == 1 => Ok(execution),
            Some(_) => Err(QueryError::Ambiguous { reference: reference.to_string(), count }),
            None => Err(QueryError::NotFound { reference: reference.to_string() }),
        }
    }

    /// One execution with its arguments, artifacts and paths.
    pub fn show(&self, reference: &Reference) -> Result<ExecutionDetail, QueryError> {
        let summary = self.resolve(reference)?;
        let id = summary.id.to_string();
        let paths = self.index.rows(
            "SELECT p.path, x.role FROM execution_paths x JOIN paths p ON p.number = x.path \
             JOIN executions e ON e.seq = x.execution WHERE e.id = ?1 \
             ORDER BY x.role DESC, p.path",
            [&id],
            |row| Ok((row.get(0)?, role(row.get(1)?))),
        )?;
        let begun = self.index.rows(
            "SELECT started_seq, parent FROM executions WHERE id = ?1",
            [&id],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )?;
        let (started_sequence, parent) = begun.into_iter().next().unwrap_or((None, None));
        let stored = match summary.ordinal {
            Some(ordinal) => self.log.execution(ordinal)?,
            None => None,
        };
        let mut detail = ExecutionDetail {
            summary,
            started_sequence,
            arguments_json: None,
            error_message: None,
            artifacts: Vec::new(),
            paths,
            parent,
        };
        // A log that lags behind the index may have no row yet, or, after a rebuild of one of
        // them, another's.
        if let Some(stored) = stored.filter(|stored| stored.id == id) {
            detail.arguments_json = Some(stored.arguments_json);
            detail.error_message = stored.error_message;
            detail.artifacts = stored.artifacts;
        }
        Ok(detail)
    }
}

fn text(value: &str) -> Ask {
    Ask::Text(value.to_owned())
}

fn number(value: u64) -> Ask {
    Ask::Number(i64::try_from(value).unwrap_or(i64::MAX))
}

pub(crate) fn role(stored: u8) -> PathRole {
    match stored {
        0 => PathRole::Named,
        1 => PathRole::Changed,
        _ => PathRole::Created,
    }
}
