//! The rows of a database that a fresh one does not have.

use std::path::Path;

use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, Error, ErrorCode, Row, Statement, params_from_iter};

use super::tables::{self, Table};
use super::{Bound, CELL_BYTES_MAX, Otherwise, RemainsError, Remnant, RemnantCount, TakeRemnant};
use crate::store::columns::quoted;
use crate::store::sql::Value;
use crate::store::{StoreError, StoreName};

pub(super) type Fresh<'f> = (&'f Connection, &'f Path);

enum Stopped {
    /// The rest of the store can be read nevertheless.
    Unread(String),
    Whole(RemainsError),
}

impl From<Error> for Stopped {
    fn from(error: Error) -> Self {
        match error.sqlite_error_code() {
            Some(ErrorCode::OperationInterrupted) => Self::Unread(ENDLESS.to_owned()),
            _ => Self::Unread(error.to_string()),
        }
    }
}

impl From<RemainsError> for Stopped {
    fn from(error: RemainsError) -> Self {
        Self::Whole(error)
    }
}

/// What is wrong with a file whose pages stand for more than it has room for.
const ENDLESS: &str = "it tells more than it holds";

pub(super) fn beyond(
    store: StoreName,
    conn: &Connection,
    bound: &Bound,
    fresh: Option<Fresh<'_>>,
    take: &mut TakeRemnant<'_>,
) -> Result<RemnantCount, RemainsError> {
    let mut count = RemnantCount::default();
    let there = tables::ordinary(conn).unwrap_or_default(); // each is told below
    for table in tables::of(store) {
        let read = match there.contains(table.of) {
            true => one(table, conn, bound, fresh, take, &mut count),
            false => Err(Stopped::Unread("there is no such table".to_owned())),
        };
        match read {
            Ok(()) => {}
            Err(Stopped::Unread(why)) => count.unread.push(format!("{}: {why}", table.of)),
            Err(Stopped::Whole(error)) => return Err(error),
        }
    }
    Ok(count)
}

fn one(
    table: &Table,
    conn: &Connection,
    bound: &Bound,
    fresh: Option<Fresh<'_>>,
    take: &mut TakeRemnant<'_>,
    count: &mut RemnantCount,
) -> Result<(), Stopped> {
    let names = columns(conn, table)?;
    let mut known = match fresh {
        Some(fresh) => Some(Known::of(table, &names, fresh)?),
        None => None,
    };
    let key: Vec<String> = table.key.iter().map(|name| (*name).to_owned()).collect();
    let mut rows = conn.prepare(&bounded(table, &names))?;
    let mut rows = rows.query([])?;
    while let Some(row) = rows.next()? {
        let (values, left_out) = cells(row, &names)?;
        let bytes = values.iter().map(|value| 16 + length(*value)).sum();
        if bound.is_over(bytes) {
            return Err(Stopped::Unread(ENDLESS.to_owned()));
        }
        let differs_in = match &mut known {
            Some(known) => known.differs_in(&values, &left_out)?,
            None => None,
        };
        let journal_has = match &differs_in {
            Some(columns) if columns.is_empty() => continue,
            Some(_) => Otherwise::Another,
            None => Otherwise::Nothing,
        };
        count.add(journal_has);
        let values: Vec<Value<'_>> = values.into_iter().map(Value::from).collect();
        let remnant = Remnant {
            table: table.of,
            journal_has,
            key: &key,
            differs_in: &differs_in.unwrap_or_default(),
            names: &names,
            values: &values,
            left_out: &left_out,
        };
        take(&remnant).map_err(RemainsError::Taken)?;
    }
    Ok(())
}

/// What a fresh store has under a key.
struct Known<'f> {
    table: &'f Table,
    statement: Statement<'f>,
    path: &'f Path,
    names: &'f [String],
    /// Where the key's columns stand in a row, and those that both have.
    key: Vec<usize>,
    shared: Vec<usize>,
}

impl<'f> Known<'f> {
    fn of(table: &'f Table, names: &'f [String], fresh: Fresh<'f>) -> Result<Self, Stopped> {
        let (conn, path) = fresh;
        let failed = |source| RemainsError::from(StoreError::sql(path, COMPARING, source));
        let ours = columns(conn, table).map_err(failed)?;
        let at = |name: &str| names.iter().position(|known| known == name);
        let Some(key) = table.key.iter().map(|name| at(name)).collect::<Option<Vec<_>>>() else {
            return Err(Stopped::Unread("its rows have no key".to_owned()));
        };
        let shared: Vec<usize> = match table.is_known_by_key {
            true => key.clone(),
            false => (0..names.len()).filter(|at| ours.contains(&names[*at])).collect(),
        };
        let asked: Vec<String> = shared.iter().map(|at| quoted(&names[*at])).collect();
        let is_it = |(number, name): (usize, &&str)| format!("{} IS ?{}", quoted(name), number + 1);
        let is_it: Vec<String> = table.key.iter().enumerate().map(is_it).collect();
        let (asked, is_it) = (asked.join(", "), is_it.join(" AND "));
        let from = source(table, &ours);
        let sql = format!("SELECT {asked} FROM ({from}) WHERE {is_it} LIMIT 1");
        let statement = conn.prepare(&sql).map_err(failed)?;
        Ok(Self { table, statement, path, names, key, shared })
    }

    /// In which columns its row of the same key differs; `None` where it has none.
    fn differs_in(
        &mut self,
        values: &[ValueRef<'_>],
        left_out: &[String],
    ) -> Result<Option<Vec<String>>, RemainsError> {
        let path = self.path;
        let failed = |source| StoreError::sql(path, COMPARING, source);
        let key = self.key.iter().map(|at| ToSqlOutput::Borrowed(values[*at]));
        let mut rows = self.statement.query(params_from_iter(key)).map_err(failed)?;
        let Some(row) = rows.next().map_err(failed)? else { return Ok(None) };
        let mut differs_in = Vec::new();
        if self.table.is_known_by_key {
            return Ok(Some(differs_in));
        }
        for (number, at) in self.shared.iter().enumerate() {
            let name = &self.names[*at];
            let ours = row.get_ref(number).map_err(failed)?;
            if ours != values[*at] || left_out.contains(name) {
                differs_in.push(name.clone());
            }
        }
        Ok(Some(differs_in))
    }
}

const COMPARING: &str = "comparing with it";

fn columns(conn: &Connection, table: &Table) -> rusqlite::Result<Vec<String>> {
    let found: Vec<String> = match table.asked {
        Some(sql) => conn.prepare(sql)?.column_names().into_iter().map(str::to_owned).collect(),
        None => conn
            .prepare("SELECT name FROM pragma_table_info(?1)")?
            .query_map([table.of], |row| row.get(0))?
            .collect::<rusqlite::Result<_>>()?,
    };
    Ok(found.into_iter().filter(|name| !table.passed.contains(&name.as_str())).collect())
}

fn source(table: &Table, names: &[String]) -> String {
    if let Some(sql) = table.asked {
        return sql.to_owned();
    }
    let columns: Vec<String> = names.iter().map(|name| column(table, name)).collect();
    format!("SELECT {} FROM {} AS t", columns.join(", "), quoted(table.of))
}

fn column(table: &Table, name: &str) -> String {
    match name {
        "session" if table.is_numbered => {
            "(SELECT id FROM sessions WHERE number = t.session) AS session".to_owned()
        }
        "repo" if table.is_numbered => {
            "(SELECT hash FROM repos WHERE number = t.repo) AS repo".to_owned()
        }
        name => format!("t.{}", quoted(name)),
    }
}

/// The same with what is too large left out before it is read, and behind it whether that is so.
fn bounded(table: &Table, names: &[String]) -> String {
    let is_large = |name: &String| format!("octet_length({}) > {CELL_BYTES_MAX}", quoted(name));
    let cells = names.iter().map(|name| format!("iif({}, NULL, {})", is_large(name), quoted(name)));
    let marks = names.iter().map(|name| format!("ifnull({}, 0)", is_large(name)));
    let columns: Vec<String> = cells.chain(marks).collect();
    format!("SELECT {} FROM ({})", columns.join(", "), source(table, names))
}

fn cells<'r>(
    row: &'r Row<'_>,
    names: &[String],
) -> rusqlite::Result<(Vec<ValueRef<'r>>, Vec<String>)> {
    let cells: rusqlite::Result<Vec<_>> = (0..names.len()).map(|at| row.get_ref(at)).collect();
    let mut left_out = Vec::new();
    for (at, name) in names.iter().enumerate() {
        if row.get::<_, bool>(names.len() + at)? {
            left_out.push(name.clone());
        }
    }
    Ok((cells?, left_out))
}

fn length(value: ValueRef<'_>) -> u64 {
    match value {
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => bytes.len() as u64,
        ValueRef::Null | ValueRef::Integer(_) | ValueRef::Real(_) => 8,
    }
}
