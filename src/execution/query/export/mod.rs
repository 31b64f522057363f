//! Lists as they leave: every row of a kind, streamed in order of time, nothing gathered.

mod list;

pub use list::{ExportKind, Form};

use crate::event::{Sequence, SessionId};
use crate::store::Ask;
use crate::store::sql::{FreeSql, SqlError, TakeRows};

/// Which rows are wanted. The default: all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExportFilter {
    pub from: Option<Sequence>,
    pub through: Option<Sequence>,
    /// Unix milliseconds.
    pub from_ms: Option<u64>,
    pub through_ms: Option<u64>,
    pub sessions: Option<Vec<SessionId>>,
}

/// Gives every row of a kind to `taker`, the oldest first. The stores are one journal's.
///
/// # Errors
/// Where a store cannot be read, or who takes the rows fails.
pub fn export<T: TakeRows>(
    stores: &FreeSql,
    kind: ExportKind,
    filter: &ExportFilter,
    taker: &mut T,
) -> Result<(), SqlError<T::Error>> {
    let mut values = Vec::new();
    let mut conditions = String::from("1");
    let signed = |value: u64| Ask::Number(i64::try_from(value).unwrap_or(i64::MAX));
    let (sequence, at_ms) = kind.place();
    for (column, compare, value) in [
        (sequence, ">=", filter.from.map(|at| at.0)),
        (sequence, "<=", filter.through.map(|at| at.0)),
        (at_ms, ">=", filter.from_ms),
        (at_ms, "<=", filter.through_ms),
    ] {
        if let Some(value) = value {
            values.push(signed(value));
            conditions.push_str(&format!(" AND {column} {compare} ?{}", values.len()));
        }
    }
    if let Some(sessions) = &filter.sessions {
        let mut list = Vec::new();
        for session in sessions {
            values.push(Ask::Text(session.to_string()));
            list.push(format!("?{}", values.len()));
        }
        conditions.push_str(&format!(" AND s.id IN ({})", list.join(", ")));
    }
    stores.ask_with(&kind.sql(&conditions), &values, taker)
}
