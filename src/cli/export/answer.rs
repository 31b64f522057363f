//! What SQL answers, written as it comes.

use std::io;

use super::Format;
use super::destination::Destination;
use crate::cli::CliError;
use crate::cli::sql::AskError;
use crate::output::cells::{Cell, JsonRow, distinct};
use crate::store::sql::{FreeSql, SqlError, TakeRows, Value};

struct Rows<'d, 'o> {
    destination: &'d mut Destination<'o>,
    names: Vec<String>,
}

/// Every row that the SQL gives.
pub fn write(
    stores: &FreeSql,
    text: &str,
    destination: &mut Destination<'_>,
) -> Result<(), CliError> {
    let mut rows = Rows { destination, names: Vec::new() };
    stores.ask(text, &mut rows).map_err(|error| match error {
        SqlError::Taken(error) => error,
        error => AskError::of(error.map_taken(|_| io::Error::other("taken")), text).into(),
    })
}

impl TakeRows for Rows<'_, '_> {
    type Error = CliError;

    fn begin(&mut self, names: &[String]) -> Result<(), CliError> {
        self.names = distinct(names);
        let names: Vec<&str> = self.names.iter().map(String::as_str).collect();
        self.destination.head(&names)
    }

    fn row(&mut self, values: &[Value<'_>]) -> Result<bool, CliError> {
        let cells: Vec<Cell<'_>> = values.iter().map(|value| Cell::from(*value)).collect();
        match self.destination.format() {
            Format::Csv => self.destination.csv(&cells)?,
            Format::Jsonl => {
                self.destination.json(&JsonRow { names: &self.names, cells: &cells })?;
            }
        }
        Ok(true)
    }
}
