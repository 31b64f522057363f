//! Lists of executions, ordered by time, then sequence.

use super::summary::{COLUMNS, read};
use super::{ExecutionSummary, LogFilter, QueryError, Stores};
use crate::store::Ask;

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
            "SELECT {COLUMNS} {FROM} WHERE {conditions} ORDER BY e.at_ms DESC, e.at_seq DESC \
             LIMIT ?{limit} OFFSET ?{}",
            limit + 1
        );
        let number = |count: usize| Ask::Number(i64::try_from(count).unwrap_or(i64::MAX));
        values.extend([number(filter.last.saturating_add(1)), number(filter.skip)]);
        let mut executions = self.index.answer(&sql, &values, |row| Ok(read!(row)))?;
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
