//! The log: the newest executions that a filter lets through.

use super::execution::EXECUTIONS;
use super::{Asked, ExecutionSummary, QueryError, Stores, number, text};
use crate::event::Sequence;
use crate::store::Ask;

/// Which executions a list is of. The default: the last 20 of all that were not corrected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogFilter {
    /// At most this many, the newest.
    pub last: usize,
    /// Not the newest: so many newer ones are left out.
    pub skip: usize,
    /// A session's id, its beginning, or the agent's own name for it.
    pub session: Option<String>,
    /// The contract's name of a tool, or the agent's.
    pub tool: Option<String>,
    /// A path, the end of one, or a folder.
    pub path: Option<String>,
    /// Only those that ran and failed.
    pub failed: bool,
    /// A text in target, arguments, output or error; case counts only beyond ASCII.
    pub grep: Option<String>,
    /// Unix milliseconds, inclusive.
    pub since_ms: Option<u64>,
    /// Unix milliseconds, inclusive.
    pub until_ms: Option<u64>,
    /// Nothing after this event.
    pub through: Option<Sequence>,
    /// Nothing up to this event: for following.
    pub after: Option<Sequence>,
    /// Also executions that count by their correction.
    pub corrected: bool,
}

impl Default for LogFilter {
    fn default() -> Self {
        Self {
            last: 20,
            skip: 0,
            session: None,
            tool: None,
            path: None,
            failed: false,
            grep: None,
            since_ms: None,
            until_ms: None,
            through: None,
            after: None,
            corrected: false,
        }
    }
}

const PATH: &str = "e.seq IN (SELECT x.execution FROM execution_paths x JOIN paths p \
     ON p.number = x.path WHERE p.path = ?1 OR p.path LIKE '%/' || ?2 ESCAPE '\\' \
     OR p.path LIKE ?2 || '/%' ESCAPE '\\' OR p.path LIKE '%/' || ?2 || '/%' ESCAPE '\\')";

const GREP: &str = "(e.target LIKE ?1 ESCAPE '\\' OR e.error LIKE ?1 ESCAPE '\\' \
     OR e.diagnostic LIKE ?1 ESCAPE '\\' OR e.tool LIKE ?1 ESCAPE '\\' \
     OR e.native_tool LIKE ?1 ESCAPE '\\' \
     OR EXISTS (SELECT 1 FROM log.executions l WHERE l.rowid = e.ordinal \
       AND (l.arguments_json LIKE ?2 ESCAPE '\\' OR l.error_message LIKE ?1 ESCAPE '\\')) \
     OR EXISTS (SELECT 1 FROM log.execution_artifacts a WHERE a.execution_id = e.id \
       AND a.content_json LIKE ?2 ESCAPE '\\'))";

impl LogFilter {
    pub(crate) fn conditions(&self) -> Asked {
        let mut asked = Asked { sql: String::from("1"), values: Vec::new() };
        if !self.corrected {
            asked.and("e.corrected_by IS NULL", []);
        }
        if self.failed {
            asked.and("e.outcome = 'failed'", []);
        }
        if let Some(session) = &self.session {
            let is = "(s.id = ?1 OR s.native_id = ?1 OR s.id LIKE ?2 || '%' ESCAPE '\\')";
            asked.and(is, [session.clone(), literal(session)].map(Ask::Text));
        }
        if let Some(tool) = &self.tool {
            asked.and("(e.tool = ?1 OR e.native_tool = ?1)", [text(tool)]);
        }
        if let Some(path) = &self.path {
            let path = path.strip_prefix("./").unwrap_or(path).trim_end_matches('/');
            asked.and(PATH, [path.to_owned(), literal(path)].map(Ask::Text));
        }
        if let Some(grep) = &self.grep {
            // Inside of JSON a quotation mark, a backslash, a line feed are written otherwise.
            let json = serde_json::to_string(grep).unwrap_or_default();
            let inside = json.get(1..json.len().saturating_sub(1)).unwrap_or_default();
            let anywhere = |text: &str| Ask::Text(format!("%{}%", literal(text)));
            asked.and(GREP, [anywhere(grep), anywhere(inside)]);
        }
        let bounds = [
            ("e.at_ms >= ?1", self.since_ms),
            ("e.at_ms <= ?1", self.until_ms),
            ("e.at_seq <= ?1", self.through.map(|at| at.0)),
            ("e.at_seq > ?1", self.after.map(|at| at.0)),
        ];
        for (condition, bound) in bounds {
            if let Some(bound) = bound {
                asked.and(condition, [number(bound)]);
            }
        }
        asked
    }
}

/// A text that LIKE takes as it is.
pub(crate) fn literal(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        if matches!(c, '%' | '_' | '\\') {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogPage {
    /// The oldest first.
    pub executions: Vec<ExecutionSummary>,
    pub more: bool,
}

impl Stores {
    /// The newest executions that a filter lets through, the oldest of them first.
    pub fn log(&self, filter: &LogFilter) -> Result<LogPage, QueryError> {
        let Asked { sql, values } = filter.conditions();
        let mut asked = Asked { sql: format!("{EXECUTIONS} WHERE {sql}"), values };
        let page = [number(filter.last.saturating_add(1) as u64), number(filter.skip as u64)];
        asked.push(" ORDER BY e.at_ms DESC, e.at_seq DESC LIMIT ?1 OFFSET ?2", page);
        let mut executions = self.summaries(&asked.sql, &asked.values)?;
        let more = executions.len() > filter.last;
        executions.truncate(filter.last);
        executions.reverse();
        Ok(LogPage { executions, more })
    }

    /// How many executions a filter lets through, `last` and `skip` aside.
    pub fn log_count(&self, filter: &LogFilter) -> Result<u64, QueryError> {
        let Asked { sql, values } = filter.conditions();
        let sql = format!("SELECT count(*) FROM {EXECUTIONS} WHERE {sql}");
        Ok(self.index.answer(&sql, &values, |row| row.get(0))?.pop().unwrap_or(0))
    }
}
