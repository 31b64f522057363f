//! Asking, and the rows that come.

use rusqlite::{Error, ErrorCode, params_from_iter};

use super::{FreeSql, Value, open};
use crate::store::Ask;

#[derive(Debug, thiserror::Error)]
pub enum SqlError<E> {
    /// `at` is a byte offset in the SQL.
    #[error("{message}")]
    Wrong { message: String, at: Option<usize> },
    #[error("only reading is allowed: {message}")]
    Refused { message: String },
    #[error("one statement at a time")]
    Several,
    #[error("this gives no rows: ask with SELECT, VALUES or WITH")]
    Nothing,
    #[error("stopped after {seconds} s: `--timeout` gives more time")]
    TimeIsUp { seconds: u64 },
    #[error(
        "stopped: it takes more than {mib} MiB of memory: ask for fewer or shorter columns (substr)"
    )]
    Memory { mib: u64 },
    #[error("stopped")]
    Stopped,
    #[error("asking failed")]
    Failed { source: Error },
    /// Who took the rows could not.
    #[error(transparent)]
    Taken(E),
}

impl<E> SqlError<E> {
    /// The same, with another error of who took the rows.
    pub fn map_taken<F>(self, change: impl FnOnce(E) -> F) -> SqlError<F> {
        match self {
            Self::Wrong { message, at } => SqlError::Wrong { message, at },
            Self::Refused { message } => SqlError::Refused { message },
            Self::Several => SqlError::Several,
            Self::Nothing => SqlError::Nothing,
            Self::TimeIsUp { seconds } => SqlError::TimeIsUp { seconds },
            Self::Memory { mib } => SqlError::Memory { mib },
            Self::Stopped => SqlError::Stopped,
            Self::Failed { source } => SqlError::Failed { source },
            Self::Taken(error) => SqlError::Taken(change(error)),
        }
    }
}

pub trait TakeRows {
    type Error;
    /// The names of the columns, once, before any row.
    fn begin(&mut self, names: &[String]) -> Result<(), Self::Error>;
    /// A row; `false` where no more are wanted.
    fn row(&mut self, values: &[Value<'_>]) -> Result<bool, Self::Error>;
}

impl FreeSql {
    /// Asks, and gives each row as it comes: nothing is gathered.
    pub fn ask<T: TakeRows>(&self, sql: &str, taker: &mut T) -> Result<(), SqlError<T::Error>> {
        crate::store::sql::bound_cells(&self.conn, false).map_err(|error| self.sorted(error))?;
        self.answer(&open::joined(sql, &self.views), &[], taker)
    }

    /// As [`Self::ask`], for a question of our own, with values for its parameters: cells may be as
    /// large as a store keeps them.
    pub fn ask_with<T: TakeRows>(
        &self,
        sql: &str,
        with: &[Ask],
        taker: &mut T,
    ) -> Result<(), SqlError<T::Error>> {
        crate::store::sql::bound_cells(&self.conn, true).map_err(|error| self.sorted(error))?;
        self.answer(sql, with, taker)
    }

    fn answer<T: TakeRows>(
        &self,
        sql: &str,
        with: &[Ask],
        taker: &mut T,
    ) -> Result<(), SqlError<T::Error>> {
        let mut statement = self.conn.prepare(sql).map_err(|error| self.sorted(error))?;
        let names: Vec<String> =
            statement.column_names().iter().map(|name| (*name).to_owned()).collect();
        if !statement.readonly() {
            return Err(SqlError::Refused { message: "this would change something".to_owned() });
        }
        if names.is_empty() {
            return Err(SqlError::Nothing);
        }
        if statement.parameter_count() != with.len() {
            let message = "parameters (?1, :name) have no value here".to_owned();
            return Err(SqlError::Wrong { message, at: None });
        }
        taker.begin(&names).map_err(SqlError::Taken)?;
        let mut rows =
            statement.query(params_from_iter(with)).map_err(|error| self.sorted(error))?;
        while let Some(found) = rows.next().map_err(|error| self.sorted(error))? {
            let values: rusqlite::Result<Vec<Value<'_>>> =
                (0..names.len()).map(|at| found.get_ref(at).map(Value::from)).collect();
            let values = values.map_err(|error| self.sorted(error))?;
            let more = taker.row(&values).map_err(SqlError::Taken)?;
            if !more {
                break;
            }
        }
        Ok(())
    }

    fn sorted<E>(&self, error: Error) -> SqlError<E> {
        if error.sqlite_error_code() == Some(ErrorCode::OperationInterrupted) {
            if self.limits.is_stopped() {
                return SqlError::Stopped;
            }
            let seconds = self.limits.time_max.unwrap_or_default().as_secs();
            return SqlError::TimeIsUp { seconds };
        }
        if error.sqlite_error_code() == Some(ErrorCode::OutOfMemory) {
            return SqlError::Memory { mib: crate::store::sql::HEAP_BYTES_MAX >> 20 };
        }
        let refused = error.sqlite_error_code() == Some(ErrorCode::AuthorizationForStatementDenied);
        let too_big = error.sqlite_error_code() == Some(ErrorCode::TooBig);
        match error {
            Error::MultipleStatement => SqlError::Several,
            error if too_big => SqlError::Wrong { message: error.to_string(), at: None },
            // A refused function is an ordinary error with these words.
            Error::SqlInputError { msg, .. } if refused || msg.starts_with("not authorized") => {
                SqlError::Refused { message: msg }
            }
            Error::SqlInputError { msg, offset, .. } => {
                SqlError::Wrong { message: msg, at: usize::try_from(offset).ok() }
            }
            Error::SqliteFailure(_, message) if refused => {
                SqlError::Refused { message: message.unwrap_or_default() }
            }
            // And a write to a view is one with those.
            Error::SqliteFailure(_, Some(message)) if message.starts_with("cannot modify") => {
                SqlError::Refused { message }
            }
            // An error of the statement, not of the file: without a place.
            Error::SqliteFailure(code, Some(message)) if code.code == ErrorCode::Unknown => {
                SqlError::Wrong { message, at: None }
            }
            source => SqlError::Failed { source },
        }
    }
}
