//! Reading `index.db`: the connection that queries ask.

use std::collections::BTreeSet;
use std::ops::Deref;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use rusqlite::types::{FromSql, ToSqlOutput, ValueRef};
use rusqlite::{Connection, Params, Row, params_from_iter};

use super::{CURSOR_TABLE, schema};
use crate::journal::enclosure::DatabaseUse;
use crate::parse::check::coverage::{Coverage, layer};
use crate::parse::check::{PassedTests, bare_test};
use crate::store::digest::created;
use crate::store::held::{Held, HeldReader};
use crate::store::{Ask, StoreError, connection, made_by, stamp};

const PAGES_KIB: u32 = 32 << 10;

/// `index.db`, open for reading only.
#[derive(Debug)]
pub struct IndexReader {
    pub(crate) store: HeldReader,
    /// What was asked, for the test that looks at the plans.
    #[cfg(test)]
    asked: std::cell::RefCell<std::collections::BTreeSet<String>>,
}

impl Deref for IndexReader {
    type Target = HeldReader;

    fn deref(&self) -> &HeldReader {
        &self.store
    }
}

/// Of the same tests: those that were counted.
const RAN_FEWER: &str = "SELECT 1 FROM executions f CROSS JOIN executions n \
     WHERE f.seq = ?1 AND n.seq = ?2 AND n.target_key = f.target_key \
     AND (n.tests_ran < f.tests_ran OR n.tests_skipped > f.tests_skipped)";

/// Commands that are looked at for what they did to the tree.
const COMMANDS_MAX: i64 = 64;
/// What a shell ran between two executions in their sessions, the line of the second one too.
const COMMANDS: &str = "SELECT coalesce(e.command, e.target) FROM executions f CROSS JOIN executions n CROSS JOIN executions e \
     WHERE f.seq = ?1 AND n.seq = ?2 AND e.session IN (f.session, n.session) AND e.tool = 'bash_exec' \
     AND e.outcome IN ('ok', 'failed') AND (e.at_ms, e.at_seq) > (f.at_ms, f.at_seq) \
     AND (e.at_ms, e.at_seq) <= (n.at_ms, n.at_seq) AND e.target IS NOT NULL \
     ORDER BY e.at_ms DESC, e.at_seq DESC LIMIT ?3";

/// What a failure needs, what a later run failed for, and the tests that it names as passed.
type NamesRow = (Option<String>, Option<String>, Option<Vec<u8>>);
const NAMES: &str = "SELECT f.need, n.need, n.tests_passed FROM executions f CROSS JOIN executions n \
     WHERE f.seq = ?1 AND n.seq = ?2";

impl IndexReader {
    /// Whether a run that no longer had a failure ran the tests that had it: they are among those that it names as
    /// passed. Where it does not name them all it looked at the same, ran no fewer of them, and left no more out.
    /// `renamed`: tests by their names before and after.
    pub fn ran_again(
        &self,
        failed: i64,
        by: i64,
        renamed: &[(String, String)],
    ) -> Result<bool, StoreError> {
        if self.cell::<i64>(RAN_FEWER, (failed, by))?.is_some() {
            return Ok(false);
        }
        let found: Vec<NamesRow> = self.all(NAMES, (failed, by))?;
        let Some((Some(need), still, Some(passed))) = found.into_iter().next() else {
            return Ok(true);
        };
        let tests = |need: &str| Coverage::parse(need).filter(|it| it.layers == layer::RUN);
        let still = still.as_deref().and_then(tests).map_or(Vec::new(), |it| it.tests);
        let Some(need) = tests(&need) else { return Ok(true) };
        let passed = PassedTests::of_bytes(&passed);
        let has = |test: &String| {
            let (test, old) = (test.trim_end_matches('$'), bare_test(test));
            let mut new = renamed.iter().filter(|(from, _)| from == old);
            passed.has(test) || new.any(|(_, to)| passed.has(to))
        };
        Ok(need.tests.iter().all(|it| has(it) || still.contains(it)))
    }

    /// What a shell ran between two executions, and in the second one: the newest.
    pub fn commands_between(&self, failed: i64, by: i64) -> Result<Vec<String>, StoreError> {
        self.column(COMMANDS, (failed, by, COMMANDS_MAX))
    }

    /// Its lock is held where the folder can be written.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        Self::of(Held::reading(path)?, path)
    }

    /// Opens a store that is only looked at: see [`StillStore`](crate::store::StillStore).
    pub(crate) fn open_still(path: &Path) -> Result<Self, StoreError> {
        Self::of(Held::alone(connection::open_still(path)?, path), path)
    }

    fn of(conn: Held, path: &Path) -> Result<Self, StoreError> {
        check(&conn, path)?;
        let (cursor_table, last_rows) = (CURSOR_TABLE, LAST_ROWS);
        Ok(Self {
            store: HeldReader { conn, cursor_table, last_rows, doing: "reading the index" },
            #[cfg(test)]
            asked: Default::default(),
        })
    }

    /// Attaches the execution log as `log`, so that a question can span both.
    pub fn attach(&self, execution_log: &Path) -> Result<(), StoreError> {
        let real = connection::place(execution_log, DatabaseUse::Read)?;
        let name = ToSqlOutput::Borrowed(ValueRef::Text(real.as_os_str().as_bytes()));
        self.conn
            .execute("ATTACH DATABASE ?1 AS log", [name])
            .map_err(|source| StoreError::sql(execution_log, "opening the store", source))?;
        Ok(())
    }

    /// Keeps more of the file in memory, for who asks again and again: a page of an answer lies on
    /// hundreds of the file's.
    pub fn keep_pages(&self) -> Result<(), StoreError> {
        let sql = format!("PRAGMA main.cache_size = -{PAGES_KIB}");
        self.conn.execute_batch(&sql).map_err(|source| self.failed(source))
    }

    /// As [`Self::rows`], with values counted at run time.
    pub fn answer<T>(
        &self,
        sql: &str,
        values: &[Ask],
        row: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, StoreError> {
        self.rows(sql, params_from_iter(values), row)
    }

    pub fn rows<T>(
        &self,
        sql: &str,
        params: impl Params,
        row: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, StoreError> {
        #[cfg(test)]
        self.asked.borrow_mut().insert(sql.to_owned());
        self.conn.rows(self.doing, sql, params, row)
    }

    /// As [`Self::rows`], each as a tuple of its columns.
    pub fn all<T>(&self, sql: &str, params: impl Params) -> Result<Vec<T>, StoreError>
    where
        T: for<'r> TryFrom<&'r Row<'r>, Error = rusqlite::Error>,
    {
        self.rows(sql, params, |row| row.try_into())
    }

    /// The first column of every row.
    pub fn column<T: FromSql>(&self, sql: &str, params: impl Params) -> Result<Vec<T>, StoreError> {
        self.rows(sql, params, |row| row.get(0))
    }

    /// The first column of the first row.
    pub fn cell<T: FromSql>(
        &self,
        sql: &str,
        params: impl Params,
    ) -> Result<Option<T>, StoreError> {
        Ok(self.column(sql, params)?.into_iter().next())
    }

    #[cfg(test)]
    pub fn plans(&self) -> Result<Vec<(String, Vec<String>)>, StoreError> {
        let asked = self.asked.borrow().clone();
        let plan = |sql: String| {
            let mut explain = self.conn.prepare(&format!("EXPLAIN QUERY PLAN {sql}"))?;
            let plan: Vec<String> = explain
                .raw_query()
                .mapped(|row| row.get("detail"))
                .collect::<rusqlite::Result<_>>()?;
            Ok((sql, plan))
        };
        let plans: rusqlite::Result<_> = asked.into_iter().map(plan).collect();
        plans.map_err(|source| self.failed(source))
    }
}

/// The schema is our own: what an older build made is not migrated but rebuilt.
pub(super) fn check(conn: &Connection, path: &Path) -> Result<(), StoreError> {
    if stamp::is_own(path) {
        return Ok(());
    }
    let failed = |source| StoreError::sql(path, "reading the schema", source);
    let mut find =
        conn.prepare("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL").map_err(failed)?;
    let found: BTreeSet<String> =
        find.query_map([], |row| row.get(0)).and_then(Iterator::collect).map_err(failed)?;
    for sql in schema::tables().chain(schema::indexes()) {
        if !found.contains(sql) {
            let object = created(sql).to_owned();
            return Err(made_by::differs(conn, path, *schema::NUMBER, object));
        }
    }
    Ok(())
}

pub(super) const LAST_ROWS: &str = "SELECT (SELECT coalesce(max(seq), 0) FROM executions), \
     (SELECT coalesce(max(ordinal), 0) FROM executions WHERE ordinal IS NOT NULL)";
