//! The log: the newest executions that a filter lets through.

use super::{ExecutionSummary, QueryError, Stores, number};
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
     ON p.number = x.path WHERE p.path = ?# OR p.path LIKE '%/' || ?@ ESCAPE '\\' \
     OR p.path LIKE ?@ || '/%' ESCAPE '\\' OR p.path LIKE '%/' || ?@ || '/%' ESCAPE '\\')";

const GREP: &str = "(e.target LIKE ?# ESCAPE '\\' OR e.error LIKE ?# ESCAPE '\\' \
     OR e.diagnostic LIKE ?# ESCAPE '\\' OR e.tool LIKE ?# ESCAPE '\\' \
     OR e.native_tool LIKE ?# ESCAPE '\\' \
     OR EXISTS (SELECT 1 FROM log.executions l WHERE l.rowid = e.ordinal \
       AND (l.arguments_json LIKE ?@ ESCAPE '\\' OR l.error_message LIKE ?# ESCAPE '\\')) \
     OR EXISTS (SELECT 1 FROM log.execution_artifacts a WHERE a.execution_id = e.id \
       AND a.content_json LIKE ?@ ESCAPE '\\'))";

impl LogFilter {
    /// The conditions, and the values for their marks.
    pub(crate) fn conditions(&self) -> (String, Vec<Ask>) {
        let mut asked = Asked { sql: String::from("1"), values: Vec::new() };
        if !self.corrected {
            asked.and("e.corrected_by IS NULL", []);
        }
        if self.failed {
            asked.and("e.outcome = 'failed'", []);
        }
        if let Some(session) = &self.session {
            let is = "(s.id = ?# OR s.native_id = ?# OR s.id LIKE ?@ || '%' ESCAPE '\\')";
            asked.and(is, [session.clone(), literal(session)]);
        }
        if let Some(tool) = &self.tool {
            asked.and("(e.tool = ?# OR e.native_tool = ?#)", [tool.clone()]);
        }
        if let Some(path) = &self.path {
            let path = path.strip_prefix("./").unwrap_or(path).trim_end_matches('/');
            asked.and(PATH, [path.to_owned(), literal(path)]);
        }
        if let Some(grep) = &self.grep {
            // Inside of JSON a quotation mark, a backslash, a line feed are written otherwise.
            let json = serde_json::to_string(grep).unwrap_or_default();
            let inside = json.get(1..json.len().saturating_sub(1)).unwrap_or_default();
            let anywhere = |text: &str| format!("%{}%", literal(text));
            asked.and(GREP, [anywhere(grep), anywhere(inside)]);
        }
        let bounds = [
            ("e.at_ms >= ?#", self.since_ms),
            ("e.at_ms <= ?#", self.until_ms),
            ("e.at_seq <= ?#", self.through.map(|at| at.0)),
            ("e.at_seq > ?#", self.after.map(|at| at.0)),
        ];
        for (condition, bound) in bounds {
            if let Some(bound) = bound {
                asked.and_values(condition, [number(bound)]);
            }
        }
        (asked.sql, asked.values)
    }
}

struct Asked {
    sql: String,
    values: Vec<Ask>,
}

impl Asked {
    fn and<const N: usize>(&mut self, condition: &str, values: [String; N]) {
        self.and_values(condition, values.map(Ask::Text));
    }

    /// `?#` stands for the first value, `?@` for the second.
    fn and_values<const N: usize>(&mut self, condition: &str, values: [Ask; N]) {
        let (first, second) = (self.values.len() + 1, self.values.len() + 2);
        let condition =
            condition.replace("?#", &format!("?{first}")).replace("?@", &format!("?{second}"));
        self.sql.push_str(" AND ");
        self.sql.push_str(&condition);
        self.values.extend(values);
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

/// A part of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogPage {
    /// The oldest first.
    pub executions: Vec<ExecutionSummary>,
    /// Whether there are older ones.
    pub more: bool,
}

const FROM: &str = "FROM executions e LEFT JOIN sessions s ON s.number = e.session";

impl Stores {
    /// The newest executions that a filter lets through, the oldest of them first.
    pub fn log(&self, filter: &LogFilter) -> Result<LogPage, QueryError> {
        let (conditions, mut values) = filter.conditions();
        let limit = values.len() + 1;
        let sql = format!(
            "SELECT {{columns}} {FROM} WHERE {conditions} ORDER BY e.at_ms DESC, e.at_seq DESC \
             LIMIT ?{limit} OFFSET ?{}",
            limit + 1
        );
        values.extend([number(filter.last.saturating_add(1) as u64), number(filter.skip as u64)]);
        let mut executions = self.summaries(&sql, &values)?;
        let more = executions.len() > filter.last;
        executions.truncate(filter.last);
        executions.reverse();
        Ok(LogPage { executions, more })
    }

    /// How many executions a filter lets through, `last` and `skip` aside.
    pub fn log_count(&self, filter: &LogFilter) -> Result<u64, QueryError> {
        let (conditions, values) = filter.conditions();
        let sql = format!("SELECT count(*) {FROM} WHERE {conditions}");
        Ok(self.index.answer(&sql, &values, |row| row.get(0))?.pop().unwrap_or(0))
    }
}
