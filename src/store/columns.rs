//! Rows and columns: named once.

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
