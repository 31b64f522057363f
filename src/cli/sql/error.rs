//! Why SQL has no answer, with the place in it.

use std::io;

use crate::cli::{Exit, sort};
use crate::output::escape;
use crate::store::sql::SqlError;

/// Why SQL has no answer.
#[derive(Debug, thiserror::Error)]
pub enum AskError {
    #[error("could not write the output")]
    Output(#[source] io::Error),
    /// `place` shows where, on lines of its own.
    #[error("the SQL is not right: {message}{place}")]
    Wrong { message: String, place: String },
    #[error(transparent)]
    Sql(SqlError<io::Error>),
    /// A question of our own that a store does not answer.
    #[error("a store does not answer: {message}")]
    Store { message: String },
}

/// Characters of the SQL shown before and after the place.
const AROUND_CHARS: usize = 60;

impl AskError {
    pub fn of(error: SqlError<io::Error>, sql: &str) -> Self {
        match error {
            SqlError::Taken(source) => Self::Output(source),
            SqlError::Wrong { message, at } => {
                let place = at.map(|at| place(sql, at)).unwrap_or_default();
                Self::Wrong { message, place }
            }
            other => Self::Sql(other),
        }
    }

    /// Its exit code, and what to do.
    pub fn sorted(&self) -> sort::Sorted {
        match self {
            Self::Output(_) => (Exit::Io, None),
            Self::Wrong { .. } => {
                (Exit::Usage, Some("annals sql \"SELECT schema, name FROM pragma_table_list\""))
            }
            Self::Sql(SqlError::TimeIsUp { .. } | SqlError::Memory { .. } | SqlError::Stopped) => {
                (Exit::Findings, None)
            }
            Self::Store { .. } | Self::Sql(SqlError::Failed { .. }) => {
                (Exit::Findings, Some("annals repair"))
            }
            Self::Sql(_) => (Exit::Usage, Some("annals sql --help")),
        }
    }
}

/// ` near >>>here`: the text around a byte of the SQL, with a mark before it.
fn place(sql: &str, at: usize) -> String {
    let at = sql.floor_char_boundary(at.min(sql.len()));
    let (before, after) = sql.split_at(at);
    let begin = before.char_indices().rev().nth(AROUND_CHARS - 1).map_or(0, |(at, _)| at);
    let after: String = after.chars().take(AROUND_CHARS).collect();
    let (line, column) = (before.matches('\n').count() + 1, before.rsplit('\n').next());
    let column = column.unwrap_or_default().chars().count() + 1;
    let shown = format!("{}>>>{after}", &before[begin..]);
    format!(" (line {line}, column {column}: {})", escape::line(shown.trim()))
}
