//! Tables as they leave: every row, streamed in order of time, nothing gathered.

use crate::execution::window::Window;
use crate::store::Ask;
use crate::store::sql::exported::Exported;
use crate::store::sql::{FreeSql, SqlError, TakeRows};

/// Gives every row of a table to `taker`, the oldest first. The stores are one journal's.
pub fn export<T: TakeRows>(
    stores: &FreeSql,
    table: &Exported,
    window: &Window,
    taker: &mut T,
) -> Result<(), SqlError<T::Error>> {
    if !table.stores.iter().all(|schema| stores.has(schema)) {
        // Of a store that is not there it has no rows.
        return taker.begin(&[]).map_err(SqlError::Taken);
    }
    let mut values = Vec::new();
    let mut conditions = String::from("1");
    let signed = |value: u64| Ask::Number(i64::try_from(value).unwrap_or(i64::MAX));
    let (sequence, at_ms) = table.at;
    for (column, compare, value) in [
        (sequence, ">=", window.from.map(|at| at.0)),
        (sequence, "<=", window.through.map(|at| at.0)),
        (at_ms, ">=", window.from_ms),
        (at_ms, "<=", window.through_ms),
    ] {
        if let Some(value) = value {
            values.push(signed(value));
            conditions.push_str(&format!(" AND {column} {compare} ?{}", values.len()));
        }
    }
    if let Some(sessions) = &window.sessions {
        let mut list = Vec::new();
        for session in sessions {
            values.push(Ask::Text(session.to_string()));
            list.push(format!("?{}", values.len()));
        }
        conditions.push_str(&format!(" AND {} IN ({})", table.session, list.join(", ")));
    }
    stores.ask_with(&table.sql(&conditions), &values, taker)
}
