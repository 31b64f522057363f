//! Which executions mention a file or a symbol, and where they were closed.

use std::collections::BTreeSet;
use std::path::Path;

use super::QueryError;
use crate::event::Sequence;
use crate::execution::index::IndexReader;
use crate::store::Ask;

/// Questions to `index.db` about executions that have a row in `execution_log.db`. Executions are
/// told by the sequence of the event that made their row.
#[derive(Debug)]
pub struct Mentions {
    index: IndexReader,
}

impl Mentions {
    /// Opens the index at this path.
    pub fn open(index: &Path) -> Result<Self, QueryError> {
        Ok(Self { index: IndexReader::open(index)? })
    }

    /// How many executions there are.
    pub fn count(&self) -> Result<u64, QueryError> {
        Ok(self.index.found_rows()?.others)
    }

    /// Executions that named or changed a path of which `may_be` holds and, told in the folder where
    /// the execution ran, `is`.
    pub fn of_paths(
        &self,
        may_be: impl Fn(&str) -> bool,
        is: impl Fn(&str, Option<&str>) -> bool,
    ) -> Result<BTreeSet<u64>, QueryError> {
        let mut found = BTreeSet::new();
        for (number, path) in self.names("SELECT number, path FROM paths")? {
            if !may_be(&path) {
                continue;
            }
            let sql = "SELECT e.seq, e.cwd FROM execution_paths x \
                       JOIN executions e ON e.seq = x.execution WHERE x.path = ?1";
            let rows = self.index.answer(sql, &[Ask::Number(number)], |row| {
                Ok((row.get::<_, u64>(0)?, row.get::<_, Option<String>>(1)?))
            })?;
            let meant = rows.into_iter().filter(|(_, cwd)| is(&path, cwd.as_deref()));
            found.extend(meant.map(|(seq, _)| seq));
        }
        Ok(found)
    }

    /// Executions about a symbol of which `is` holds.
    pub fn of_symbols(&self, is: impl Fn(&str) -> bool) -> Result<BTreeSet<u64>, QueryError> {
        let mut found = BTreeSet::new();
        for (number, symbol) in self.names("SELECT number, name FROM symbols")? {
            if is(&symbol) {
                let sql = "SELECT execution FROM execution_symbols WHERE symbol = ?1";
                found.extend(
                    self.index.answer(sql, &[Ask::Number(number)], |row| row.get::<_, u64>(0))?,
                );
            }
        }
        Ok(found)
    }

    /// The execution of an id.
    pub fn of_id(&self, id: &str) -> Result<Option<u64>, QueryError> {
        let sql = "SELECT seq FROM executions WHERE id = ?1";
        Ok(self.index.answer(sql, &[Ask::Text(id.to_owned())], |row| row.get(0))?.pop())
    }

    /// The sequence of the event that closed an execution; `None` where it is open, or has no row.
    pub fn closing(&self, execution: u64) -> Result<Option<Sequence>, QueryError> {
        let sql = "SELECT closed_seq FROM executions \
                   WHERE seq = ?1 AND ordinal IS NOT NULL AND closed_seq IS NOT NULL";
        let found = self.index.answer(sql, &[number(execution)], |row| row.get(0))?;
        Ok(found.into_iter().next().map(Sequence))
    }

    /// The execution that corrects this one: it is about the same files and symbols.
    pub fn correction(&self, execution: u64) -> Result<Option<u64>, QueryError> {
        let sql = "SELECT c.seq FROM executions e JOIN executions c ON c.id = e.corrected_by \
                   WHERE e.seq = ?1";
        Ok(self.index.answer(sql, &[number(execution)], |row| row.get(0))?.pop())
    }

    fn names(&self, sql: &str) -> Result<Vec<(i64, String)>, QueryError> {
        Ok(self.index.answer(sql, &[], |row| Ok((row.get(0)?, row.get(1)?)))?)
    }
}

fn number(value: u64) -> Ask {
    Ask::Number(i64::try_from(value).unwrap_or(i64::MAX))
}
