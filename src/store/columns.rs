//! Rows and columns: named once, and of the types that facts have.

use rusqlite::ToSql;
use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSqlOutput, ValueRef};

use crate::event::{ExecutionId, Outcome, Sequence, SessionId, Source};
use crate::parse::check::{Basis, Kind, Verdict};

/// Inserts a row, its columns named as the fields of a literal: `insert!(store, table { a, b: 2 })`. What
/// is not `INSERT INTO` says so before the table.
macro_rules! insert {
    ($store:expr, $table:ident { $($row:tt)* }) => {
        $crate::store::columns::insert!($store, "INSERT INTO", $table { $($row)* })
    };
    ($store:expr, $verb:literal, $table:ident {
        $first:ident $(: $value:expr)? $(, $column:ident $(: $values:expr)?)* $(,)?
    }) => {
        $store.write(
            concat!("inserting into ", stringify!($table)),
            concat!(
                $verb, " ", stringify!($table),
                " (", stringify!($first), $(", ", stringify!($column),)*
                ") VALUES (?", $($crate::store::columns::insert!(@mark $column),)* ")"
            ),
            rusqlite::params![
                $crate::store::columns::insert!(@value $first $(, $value)?),
                $($crate::store::columns::insert!(@value $column $(, $values)?)),*
            ],
        )
    };
    (@mark $column:ident) => { ", ?" };
    (@value $column:ident) => { $column };
    (@value $column:ident, $value:expr) => { $value };
}

/// Reads a row's columns, in their order, into a struct's fields: `columns!(row => Named { a, b })`; what is
/// no column's stands behind a semicolon: `columns!(row => Named { a, b; c: 2 })`.
macro_rules! columns {
    ($row:expr => $named:ident { $($field:ident),* $(,)? $(; $($more:tt)*)? }) => {{
        let mut place = 0..;
        let mut next = || place.next().unwrap_or(usize::MAX);
        Ok($named { $($field: $row.get(next())?,)* $($($more)*)? })
    }};
}

pub(crate) use {columns, insert};

/// A name as SQL takes it.
pub(crate) fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// Ids are stored as text. The stores hold whatever sixteen bytes the journal does; zeros stand for what
/// somebody wrote over one by hand.
macro_rules! ids {
    ($($id:ident)*) => {$(
        impl FromSql for $id {
            fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
                Ok(Self(SessionId::parse(value.as_str()?).map_or([0; 16], |id| id.0)))
            }
        }

        impl ToSql for $id {
            fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
                Ok(self.to_string().into())
            }
        }
    )*};
}

ids!(ExecutionId SessionId);

impl FromSql for Sequence {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        u64::column_result(value).map(Self)
    }
}

macro_rules! words {
    ($($word:ident)*) => {$(
        impl FromSql for $word {
            fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
                Self::parse(value.as_str()?).ok_or(FromSqlError::InvalidType)
            }
        }
    )*};
}

words!(Outcome Kind Verdict Basis);

impl FromSql for Source {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        Ok(Self::parse(value.as_str()?).unwrap_or(Self::Live))
    }
}
