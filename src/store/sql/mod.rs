//! Free SQL over stores, read-only: one journal's or several's.
//!
//! One journal: its stores are attached as `log`, `idx` and `graph`, the files themselves, opened
//! for reading. Several: one view a table, over all of them, with the journal's name before the
//! row; where they are more than SQLite attaches, a copy in a temporary database.

mod beside;
pub mod exported;
mod open;
mod rows;
mod tables;
#[cfg(test)]
mod tests;
mod unions;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rusqlite::hooks::{AuthAction, AuthContext, Authorization};
use rusqlite::limits::Limit;
use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, ToSql};

use super::StoreError;
use super::lock::StoreLock;
use crate::event::Ordered;
use crate::store::{StoreName, StorePlaces};

pub use beside::{BESIDE, Beside, BesideError, Making};
pub use rows::{SqlError, TakeRows};
pub use tables::ExportedJournal;

#[derive(Debug)]
pub struct FreeSql {
    conn: Connection,
    limits: Limits,
    /// Views over several journals, in small letters.
    views: BTreeSet<String>,
    /// Stores that are there and cannot be read.
    pub left_out: Vec<StoreError>,
    /// The stores that are attached, by their schemas, where they are one journal's.
    schemas: Vec<&'static str>,
    /// Held so that no store is swapped for another meanwhile (R12).
    _locks: Vec<StoreLock>,
}

/// Instructions of SQLite's machine between two looks at the clock.
const LOOK_EVERY: i32 = 10_000;
/// The largest text, blob or row of a question from outside: a result's or one on the way to it.
const CELL_BYTES_MAX: i32 = 8 << 20;
/// The same of a question of our own: what a store holds.
const OWN_CELL_BYTES_MAX: i32 = 64 << 20;
/// What SQLite takes of memory, in this whole process.
const HEAP_BYTES_MAX: u64 = 512 << 20;
const SQL_BYTES_MAX: i32 = 1 << 20;
const EXPRESSION_DEPTH_MAX: i32 = 200;
const COMPOUND_MAX: i32 = 200;

#[derive(Clone, Debug, Default)]
pub struct Limits {
    pub time_max: Option<Duration>,
    /// Set by whoever wants it to end.
    pub stop: Arc<AtomicBool>,
}

impl Limits {
    fn is_over(&self, begun: Instant) -> bool {
        self.time_max.is_some_and(|max| begun.elapsed() >= max)
    }

    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

/// Pragmas that tell and change nothing, as long as they are given no value; the first ones take a
/// table's or an index's name.
const TELLING_OF: &[&str] =
    &["table_info", "table_xinfo", "index_list", "index_info", "index_xinfo", "foreign_key_list"];
const TELLING: &[&str] = &[
    "table_list",
    "database_list",
    "collation_list",
    "function_list",
    "pragma_list",
    "compile_options",
    "user_version",
    "data_version",
    "schema_version",
    "application_id",
    "encoding",
    "page_size",
    "page_count",
    "freelist_count",
    "journal_mode",
];

/// Functions that load code, or show where this process lies in memory.
const REFUSED: &[&str] = &["load_extension", "fts3_tokenizer"];

/// From here on the connection only reads, and only what was attached.
fn close_to_writers(conn: &Connection, limits: &Limits, begun: Instant) -> rusqlite::Result<()> {
    // Later this would be refused, and nothing else lowers it: the authorizer lets no value through.
    conn.execute_batch(&format!("PRAGMA hard_heap_limit = {HEAP_BYTES_MAX}"))?;
    conn.execute_batch("PRAGMA query_only = ON")?;
    for (limit, value) in [
        (Limit::SQLITE_LIMIT_SQL_LENGTH, SQL_BYTES_MAX),
        (Limit::SQLITE_LIMIT_EXPR_DEPTH, EXPRESSION_DEPTH_MAX),
        (Limit::SQLITE_LIMIT_COMPOUND_SELECT, COMPOUND_MAX),
        (Limit::SQLITE_LIMIT_ATTACHED, 0),
        (Limit::SQLITE_LIMIT_WORKER_THREADS, 0),
    ] {
        conn.set_limit(limit, value)?;
    }
    conn.authorizer(Some(may));
    let limits = limits.clone();
    let over = move || limits.is_stopped() || limits.is_over(begun);
    conn.progress_handler(LOOK_EVERY, Some(over));
    Ok(())
}

/// How large a cell may be, by whose question it is.
fn bound_cells(conn: &Connection, is_own: bool) -> rusqlite::Result<()> {
    let max = if is_own { OWN_CELL_BYTES_MAX } else { CELL_BYTES_MAX };
    conn.set_limit(Limit::SQLITE_LIMIT_LENGTH, max)?;
    Ok(())
}

fn may(asked: AuthContext<'_>) -> Authorization {
    let allowed = match asked.action {
        AuthAction::Select | AuthAction::Read { .. } | AuthAction::Recursive => true,
        AuthAction::Function { function_name } => {
            !REFUSED.iter().any(|name| name.eq_ignore_ascii_case(function_name))
        }
        AuthAction::Pragma { pragma_name, pragma_value } => {
            let is = |name: &&str| name.eq_ignore_ascii_case(pragma_name);
            TELLING_OF.iter().any(is) || pragma_value.is_none() && TELLING.iter().any(is)
        }
        _ => false,
    };
    if allowed { Authorization::Allow } else { Authorization::Deny }
}

/// A value of a result, borrowed from its row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value<'a> {
    Null,
    Integer(i64),
    Real(f64),
    /// Not necessarily UTF-8.
    Text(&'a [u8]),
    Blob(&'a [u8]),
}

impl<'a> From<ValueRef<'a>> for Value<'a> {
    fn from(value: ValueRef<'a>) -> Self {
        match value {
            ValueRef::Null => Self::Null,
            ValueRef::Integer(number) => Self::Integer(number),
            ValueRef::Real(number) => Self::Real(number),
            ValueRef::Text(text) => Self::Text(text),
            ValueRef::Blob(bytes) => Self::Blob(bytes),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SqlSource {
    /// What stands in the column `journal` where there are several.
    pub name: String,
    /// One that does not exist is left out.
    pub stores: Vec<SqlStore>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SqlStore {
    /// What it is called: `log`, `idx`, `graph`, `memory`.
    pub schema: &'static str,
    pub path: PathBuf,
    /// There is always one.
    pub is_needed: bool,
    pub is_shared: bool,
}

/// A value that a question is asked with: it never becomes part of the SQL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ask {
    Text(String),
    Number(i64),
    Bytes([u8; 16]),
}

impl ToSql for Ask {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self {
            Self::Text(text) => ValueRef::Text(text.as_bytes()),
            Self::Number(number) => ValueRef::Integer(*number),
            Self::Bytes(bytes) => ValueRef::Blob(bytes),
        }))
    }
}

/// Opens the stores of journals, each with its name, for free SQL.
pub fn open(journals: &[(String, &StorePlaces)], limits: Limits) -> Result<FreeSql, StoreError> {
    let sources: Vec<SqlSource> = journals
        .iter()
        .map(|(name, places)| SqlSource { name: name.clone(), stores: stores_of(places) })
        .collect();
    FreeSql::open(&sources, limits)
}

/// Those that are databases, the log first: so they are listed.
fn stores_of(places: &StorePlaces) -> Vec<SqlStore> {
    let list = places.list;
    let mut stores: Vec<_> =
        list.stores.iter().filter_map(|it| Some((*it, it.database()?.schema))).collect();
    stores.order_by_key(|(it, _)| (!it.is_needed(), list.is_index(*it), !it.is_shared()));
    let store = |(store, schema): (StoreName, &'static str)| SqlStore {
        schema,
        path: places.path(store).to_owned(),
        is_needed: store.is_needed(),
        is_shared: store.is_shared(),
    };
    stores.into_iter().map(store).collect()
}
