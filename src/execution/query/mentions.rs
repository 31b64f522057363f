//! Which executions mention a file or a symbol, where they were closed, and how the last one went.

use std::collections::BTreeSet;
use std::path::Path;

use serde::Serialize;

use super::{ExecutionSummary, QueryError, Stores};
use crate::event::{Ordered, Sequence};
use crate::execution::index::{IndexReader, LIST_BEFORE, list};
use crate::parse::check::CheckRules;
use crate::store::StoreError;

/// Questions to `index.db` about executions that have a row in `execution_log.db`. Executions are
/// told by the sequence of the event that made their row.
#[derive(Debug)]
pub struct Mentions {
    index: IndexReader,
}

impl Mentions {
    pub fn open(index: &Path) -> Result<Self, StoreError> {
        Ok(Self { index: IndexReader::open(index)? })
    }

    /// How many executions there are.
    pub fn count(&self) -> Result<u64, StoreError> {
        Ok(self.index.found_rows()?.others)
    }

    /// Executions that named or changed a path of which `may_be` holds and, told in the folder where
    /// the execution ran, `is`.
    pub fn of_paths(
        &self,
        may_be: impl Fn(&str) -> bool,
        is: impl Fn(&str, Option<&str>) -> bool,
    ) -> Result<BTreeSet<u64>, StoreError> {
        let mut found = BTreeSet::new();
        for (number, path) in self.names("SELECT number, path FROM paths")? {
            if !may_be(&path) {
                continue;
            }
            let sql = "SELECT e.seq, e.cwd FROM execution_paths x \
                       JOIN executions e ON e.seq = x.execution WHERE x.path = ?1";
            let rows: Vec<(u64, Option<String>)> = self.index.all(sql, [number])?;
            let meant = rows.into_iter().filter(|(_, cwd)| is(&path, cwd.as_deref()));
            found.extend(meant.map(|(seq, _)| seq));
        }
        Ok(found)
    }

    /// Executions about a symbol of which `is` holds.
    pub fn of_symbols(&self, is: impl Fn(&str) -> bool) -> Result<BTreeSet<u64>, StoreError> {
        let mut found = BTreeSet::new();
        for (number, symbol) in self.names("SELECT number, name FROM symbols")? {
            if is(&symbol) {
                let sql = "SELECT execution FROM execution_symbols WHERE symbol = ?1";
                found.extend(self.index.column::<u64>(sql, [number])?);
            }
        }
        Ok(found)
    }

    pub fn of_id(&self, id: &str) -> Result<Option<u64>, StoreError> {
        self.index.cell("SELECT seq FROM executions WHERE id = ?1", [id])
    }

    /// The sequence of the event that closed an execution; `None` where it is open, or has no row.
    pub fn closing(&self, execution: u64) -> Result<Option<Sequence>, StoreError> {
        let sql = "SELECT closed_seq FROM executions \
                   WHERE seq = ?1 AND ordinal IS NOT NULL AND closed_seq IS NOT NULL";
        self.index.cell(sql, [execution])
    }

    /// The project's own checks in force at an event.
    pub fn checks_at(&self, at: Sequence) -> Result<CheckRules, StoreError> {
        let before = i64::try_from(at.0).unwrap_or(i64::MAX);
        Ok(list(self.index.cell(LIST_BEFORE, [before])?).into())
    }

    /// The execution that corrects this one: it is about the same files and symbols.
    pub fn correction(&self, execution: u64) -> Result<Option<u64>, StoreError> {
        let sql = "SELECT c.seq FROM executions e JOIN executions c ON c.id = e.corrected_by \
                   WHERE e.seq = ?1";
        self.index.cell(sql, [execution])
    }

    fn names(&self, sql: &str) -> Result<Vec<(i64, String)>, StoreError> {
        self.index.all(sql, [])
    }
}

/// Files of one name that are told, the ones touched last.
const FILES_MAX: usize = 50;

/// How the last thing went that had to do with a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FileOutcome {
    /// As it was recorded.
    pub path: String,
    /// The newest execution that has ended.
    pub last: ExecutionSummary,
    /// The newest that changed or created it.
    pub last_change: Option<ExecutionSummary>,
}

impl Stores {
    /// How the last thing went that had to do with a file, given by its path or the end of it. One
    /// answer a path, since a file may have been named in several ways; the newest first.
    pub fn latest_outcome_for_file(&self, file: &str) -> Result<Vec<FileOutcome>, QueryError> {
        let mut found = Vec::new();
        for path in self.file_numbers(file)?.into_iter().take(FILES_MAX) {
            let Some(last) = self.newest(path, LAST)? else { continue };
            let last_change = self.newest(path, LAST_CHANGE)?;
            let sql = "SELECT path FROM paths WHERE number = ?1";
            let path = self.index.cell(sql, [path])?.unwrap_or_default();
            found.push(FileOutcome { path, last, last_change });
        }
        found.order_by_key(|one| std::cmp::Reverse((one.last.at_ms, one.last.sequence)));
        Ok(found)
    }

    fn newest(&self, path: i64, sql: &str) -> Result<Option<ExecutionSummary>, QueryError> {
        let found = self.index.cell(sql, [path])?;
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
