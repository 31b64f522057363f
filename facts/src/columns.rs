//! How ids and words stand in a column of SQL, whoever asks.

use rusqlite::ToSql;
use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSqlOutput, ValueRef};

use crate::event::{ExecutionId, Outcome, Sequence, SessionId, Source};
use crate::parse::check::{Basis, Kind, Verdict};

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
