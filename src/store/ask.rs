//! A value that a question is asked with.

use rusqlite::ToSql;
use rusqlite::types::{ToSqlOutput, ValueRef};

/// A value that a question is asked with: it never becomes part of the SQL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ask {
    Text(String),
    Number(i64),
    /// A digest.
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
