//! How the last thing went that had to do with a file.

use super::{ExecutionSummary, QueryError, Stores};
use crate::store::Ask;

/// How the last thing went that had to do with a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileOutcome {
    /// As it was recorded.
    pub path: String,
    /// The newest execution that has ended.
    pub last: ExecutionSummary,
    /// The newest that changed or created it.
    pub last_change: Option<ExecutionSummary>,
}

/// Files of one name that are told, the ones touched last.
const FILES_MAX: usize = 50;

impl Stores {
    /// How the last thing went that had to do with a file, given by its path or the end of it. One
    /// answer a path, since a file may have been named in several ways; the newest first.
    pub fn latest_outcome_for_file(&self, file: &str) -> Result<Vec<FileOutcome>, QueryError> {
        let mut found = Vec::new();
        for path in self.file_numbers(file)?.into_iter().take(FILES_MAX) {
            let Some(last) = self.newest(path, LAST)? else { continue };
            let last_change = self.newest(path, LAST_CHANGE)?;
            let sql = "SELECT path FROM paths WHERE number = ?1";
            let name = self.index.rows(sql, [path], |row| row.get(0))?.pop();
            found.push(FileOutcome { path: name.unwrap_or_default(), last, last_change });
        }
        found.sort_by_key(|one| std::cmp::Reverse((one.last.at_ms, one.last.sequence)));
        Ok(found)
    }

    fn newest(&self, path: i64, sql: &str) -> Result<Option<ExecutionSummary>, QueryError> {
        let found: Option<i64> =
            self.index.answer(sql, &[Ask::Number(path)], |row| row.get(0))?.pop();
        found.map_or(Ok(None), |execution| self.judged("1", &[], execution))
    }
}

pub(crate) const LAST: &str = "SELECT x.execution FROM execution_paths x CROSS JOIN executions e \
     ON e.seq = x.execution WHERE x.path = ?1 AND e.corrected_by IS NULL AND e.outcome NOTNULL \
     ORDER BY x.at_ms DESC, x.at_seq DESC LIMIT 1";

pub(crate) const LAST_CHANGE: &str = "SELECT x.execution FROM execution_paths x \
     CROSS JOIN executions e ON e.seq = x.execution WHERE x.path = ?1 AND x.role > 0 \
     AND e.corrected_by IS NULL AND e.outcome NOTNULL \
     ORDER BY x.at_ms DESC, x.at_seq DESC LIMIT 1";
