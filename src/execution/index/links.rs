//! Ties between executions and paths, symbols, diagnostics; and how many executions of a session had
//! each diagnostic's label.
//!
//! The tables lie in order of executions, so that a load only appends; the indexes by path and
//! symbol are made when the rows are there.

use rusqlite::types::{FromSql, FromSqlResult, ToSqlOutput, ValueRef};
use rusqlite::{ToSql, params};

use super::Index;
use super::open::OpenRow;
use crate::event::words;
use crate::parse::check::diagnostic::Diagnostic;
use crate::store::StoreError;
use crate::store::columns::insert;

words! {
    /// What an execution had to do with a path, the stronger the later.
    pub enum PathRole {
        Named = "named",
        Changed = "changed",
        Created = "created",
    }
}

impl ToSql for PathRole {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok((*self as u8).into())
    }
}

impl FromSql for PathRole {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        let role = usize::from(u8::column_result(value)?);
        Ok(Self::ALL.get(role).copied().unwrap_or(Self::Created))
    }
}

/// An execution, and the time that its ties are ordered by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct At {
    pub execution: u64,
    pub at_ms: i64,
    pub at_seq: u64,
}

impl Index {
    /// Ties a path to an execution; the strongest role it had stays.
    pub(super) fn add_path(
        &mut self,
        at: At,
        path: &str,
        role: PathRole,
    ) -> Result<(), StoreError> {
        let find = "SELECT number FROM paths WHERE path = ?1";
        let insert = "INSERT INTO paths (path, name) VALUES (?1, ?2)";
        let name = path.rsplit('/').find(|part| !part.is_empty()).unwrap_or(path);
        let number = self.number_of(find, path, insert, &[&path, &name])?;
        if let Some(open) = self.open.get_mut(at.execution) {
            let strongest = open.paths.entry(number).or_insert(role);
            *strongest = role.max(*strongest);
            return Ok(());
        }
        self.write_path(at, number, role)
    }

    /// Gives every path of an execution at least this role.
    pub(super) fn strengthen_paths(
        &mut self,
        execution: u64,
        role: PathRole,
    ) -> Result<(), StoreError> {
        if let Some(open) = self.open.get_mut(execution) {
            open.paths.values_mut().for_each(|had| *had = role.max(*had));
            return Ok(());
        }
        let sql = "UPDATE execution_paths SET role = max(role, ?2) WHERE execution = ?1";
        self.write("marking changed paths", sql, params![execution, role]).map(drop)
    }

    pub(super) fn add_symbol(&mut self, at: At, symbol: &str) -> Result<(), StoreError> {
        let find = "SELECT number FROM symbols WHERE name = ?1";
        let insert = "INSERT INTO symbols (name) VALUES (?1)";
        let number = self.number_of(find, symbol, insert, &[&symbol])?;
        if let Some(open) = self.open.get_mut(at.execution) {
            open.symbols.insert(number);
            return Ok(());
        }
        self.write_symbol(at, number)
    }

    /// Gives the ties of an execution that ended, and was no longer kept, the time of its end.
    pub(super) fn close_links(&mut self, at: At) -> Result<(), StoreError> {
        for table in ["execution_paths", "execution_symbols"] {
            let sql = format!("UPDATE {table} SET at_ms = ?2, at_seq = ?3 WHERE execution = ?1");
            let values = params![at.execution, at.at_ms, at.at_seq];
            self.write("moving an execution's ties", &sql, values)?;
        }
        Ok(())
    }

    /// Writes the ties of what is open, with the time of its beginning.
    pub(super) fn write_open(&mut self) -> Result<(), StoreError> {
        for (execution, open) in self.open.take_all() {
            self.write_begun(&open.known, &open.begun)?;
            let at = At { execution, at_ms: open.known.at_ms, at_seq: execution };
            self.write_links(at, &open)?;
        }
        Ok(())
    }

    pub(super) fn write_links(&self, at: At, open: &OpenRow) -> Result<(), StoreError> {
        let (session, At { execution, at_ms, at_seq }) = (open.known.session, at);
        for (path, role) in &open.paths {
            insert!(self, execution_paths { execution, path, role, session, at_ms, at_seq })?;
        }
        open.symbols.iter().try_for_each(|symbol| self.write_symbol(at, *symbol))
    }

    fn write_path(&self, at: At, number: i64, role: PathRole) -> Result<(), StoreError> {
        let sql = "INSERT INTO execution_paths (execution, path, role, session, at_ms, at_seq) \
                   VALUES (?1, ?2, ?3, (SELECT session FROM executions WHERE seq = ?1), ?4, ?5) ON CONFLICT (execution, path) \
                   DO UPDATE SET role = max(role, excluded.role)";
        let values = params![at.execution, number, role, at.at_ms, at.at_seq];
        self.write("inserting a path", sql, values).map(drop)
    }

    fn write_symbol(&self, at: At, symbol: i64) -> Result<(), StoreError> {
        let At { execution, at_ms, at_seq } = at;
        insert!(
            self,
            "INSERT OR IGNORE INTO",
            execution_symbols { execution, symbol, at_ms, at_seq }
        )
        .map(drop)
    }

    pub(super) fn copy_links(&mut self, seq: u64, at_ms: i64, from: u64) -> Result<(), StoreError> {
        if self.open.get_mut(from).is_some() {
            self.write_open()?;
        }
        for sql in [
            "INSERT OR IGNORE INTO execution_paths (execution, path, role, session, at_ms, at_seq) \
             SELECT ?1, path, role, session, ?2, ?1 FROM execution_paths WHERE execution = ?3",
            "INSERT OR IGNORE INTO execution_symbols (execution, symbol, at_ms, at_seq) \
             SELECT ?1, symbol, ?2, ?1 FROM execution_symbols WHERE execution = ?3",
        ] {
            self.write("copying an execution's ties", sql, params![seq, at_ms, from])?;
        }
        Ok(())
    }

    /// Ties an execution's diagnostics to it, and counts it for each label.
    pub(super) fn add_diagnostics(
        &mut self,
        at: At,
        found: &[Diagnostic],
    ) -> Result<(), StoreError> {
        let At { execution, at_ms, at_seq } = at;
        for one in found {
            let find = "SELECT number FROM labels WHERE label = ?1";
            let insert = "INSERT INTO labels (label) VALUES (?1)";
            let label = self.number_of(find, one.label(), insert, &[&one.label()])?;
            let mut digest = [0; 16];
            digest.copy_from_slice(&one.identity()[..16]);
            let find = "SELECT number FROM diagnostics WHERE digest = ?1";
            let insert = "INSERT INTO diagnostics (digest, label, code, level, file_name, line, \
                          message) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
            let Diagnostic { code, level, file_name, line_start, message, .. } = one;
            let row: [&dyn ToSql; 7] =
                [&digest, &label, code, level, file_name, line_start, message];
            let diagnostic = self.number_of(find, digest, insert, &row)?;
            insert!(
                self,
                "INSERT OR IGNORE INTO",
                execution_diagnostics { execution, diagnostic, at_ms, at_seq }
            )?;
            insert!(
                self,
                "INSERT OR IGNORE INTO",
                execution_labels { execution, label, at_ms, at_seq }
            )?;
        }
        if found.is_empty() { Ok(()) } else { self.count_labels(execution, 1) }
    }

    /// Takes an execution's diagnostics away: it was closed again.
    pub(super) fn forget_diagnostics(&mut self, execution: u64) -> Result<(), StoreError> {
        self.count_labels(execution, -1)?;
        for table in ["execution_diagnostics", "execution_labels"] {
            let sql = format!("DELETE FROM {table} WHERE execution = ?1");
            self.write("taking diagnostics away", &sql, [execution])?;
        }
        Ok(())
    }

    /// Counts an execution's labels, or, by -1, no longer: unless its correction counts instead.
    /// A load counts them at its end.
    pub(super) fn count_labels(&mut self, execution: u64, by: i64) -> Result<(), StoreError> {
        if self.is_load() {
            return Ok(());
        }
        for sql in if by > 0 { COUNT } else { DISCOUNT } {
            self.write("counting diagnostics", sql, [execution])?;
        }
        Ok(())
    }

    /// The number of a row in a table of distinct ones; it is given one where it has none.
    fn number_of(
        &self,
        find: &str,
        key: impl ToSql,
        insert: &str,
        row: &[&dyn ToSql],
    ) -> Result<i64, StoreError> {
        let doing = "looking a name up";
        if let Some(number) = self.find(doing, find, [key], |row| row.get(0))? {
            return Ok(number);
        }
        self.write(doing, insert, row)?;
        Ok(self.conn.last_insert_rowid())
    }
}

impl Index {
    /// Counts what was loaded, before there are indexes.
    pub(super) fn load_labels(&self) -> Result<(), StoreError> {
        LOADED.iter().try_for_each(|sql| self.conn.run(sql, "counting diagnostics"))
    }
}

const LOADED: &[&str] = &[
    "INSERT INTO session_labels (session, label, executions) \
     SELECT coalesce(e.session, 0), x.label, count(*) FROM execution_labels x \
     JOIN executions e ON e.seq = x.execution WHERE e.corrected_by IS NULL GROUP BY 1, 2",
    "UPDATE labels SET executions = counted.executions, sessions = counted.sessions FROM \
     (SELECT label, sum(executions) AS executions, sum(session > 0) AS sessions \
     FROM session_labels GROUP BY label) AS counted WHERE counted.label = number",
];

/// The label is new to a session when its count becomes 1.
const COUNT: &[&str] = &[
    "INSERT INTO session_labels (session, label, executions) \
     SELECT coalesce(e.session, 0), x.label, 1 FROM execution_labels x \
     JOIN executions e ON e.seq = x.execution WHERE x.execution = ?1 AND e.corrected_by IS NULL \
     ON CONFLICT (session, label) DO UPDATE SET executions = executions + 1",
    "UPDATE labels SET executions = executions + 1, sessions = sessions + (SELECT \
     s.session > 0 AND s.executions = 1 FROM executions e JOIN session_labels s \
     ON s.session = coalesce(e.session, 0) AND s.label = number WHERE e.seq = ?1) \
     WHERE number IN (SELECT label FROM execution_labels WHERE execution = ?1) \
     AND (SELECT corrected_by IS NULL FROM executions WHERE seq = ?1)",
];

const DISCOUNT: &[&str] = &[
    "UPDATE labels SET executions = executions - 1, sessions = sessions - (SELECT \
     s.session > 0 AND s.executions = 1 FROM executions e JOIN session_labels s \
     ON s.session = coalesce(e.session, 0) AND s.label = number WHERE e.seq = ?1) \
     WHERE number IN (SELECT label FROM execution_labels WHERE execution = ?1) \
     AND (SELECT corrected_by IS NULL FROM executions WHERE seq = ?1)",
    "UPDATE session_labels SET executions = executions - 1 WHERE session = \
     (SELECT coalesce(session, 0) FROM executions WHERE seq = ?1) AND label IN \
     (SELECT label FROM execution_labels WHERE execution = ?1) \
     AND (SELECT corrected_by IS NULL FROM executions WHERE seq = ?1)",
    "DELETE FROM session_labels WHERE executions = 0 AND session = \
     (SELECT coalesce(session, 0) FROM executions WHERE seq = ?1) AND label IN \
     (SELECT label FROM execution_labels WHERE execution = ?1)",
];
