//! Rows of the stores, written as they are read.

use std::borrow::Cow;
use std::io;

use serde_json::value::RawValue;

use super::destination::Destination;
use crate::cli::journals::Opened;
use crate::cli::sql::AskError;
use crate::cli::{CliError, Result, exported_tables};
use crate::execution::query::export::export;
use crate::execution::replay::Window;
use crate::output::cells::{Cell, distinct};
use crate::output::time;
use crate::store::sql::exported::{Exported, Form};
use crate::store::sql::{FreeSql, Limits, SqlError, TakeRows, Value};

struct Rows<'d, 'o> {
    destination: &'d mut Destination<'o>,
    journal: Option<String>,
    /// Those that SQL gives, where none are said.
    names: Vec<String>,
    forms: Vec<Form>,
}

/// Every row of a kind in one journal's stores.
pub fn write(
    table: &Exported,
    opened: &Opened,
    window: &Window,
    destination: &mut Destination<'_>,
) -> Result<()> {
    let asked = exported_tables::journal(opened, &[table])?;
    let stores = FreeSql::exported(std::slice::from_ref(&asked), &[], Limits::default())?;
    let journal = opened.name.clone();
    let mut names: Vec<String> = table.columns.iter().map(|it| it.name.to_owned()).collect();
    if journal.is_some() {
        names.insert(0, "journal".to_owned());
    }
    let forms = table.columns.iter().map(|it| it.form).collect();
    let mut rows = Rows { destination, journal, names, forms };
    export(&stores, table, window, &mut rows).map_err(|error| match error {
        SqlError::Taken(error) => error,
        SqlError::Failed { source } => AskError::Sql(SqlError::Failed { source }).into(),
        other => AskError::Store { message: other.to_string() }.into(),
    })
}

pub fn ask(stores: &FreeSql, text: &str, destination: &mut Destination<'_>) -> Result<()> {
    let (names, forms) = (Vec::new(), Vec::new());
    let mut rows = Rows { destination, journal: None, names, forms };
    stores.ask(text, &mut rows).map_err(|error| match error {
        SqlError::Taken(error) => error,
        error => AskError::of(error.map_taken(|_| io::Error::other("taken")), text).into(),
    })
}

impl TakeRows for Rows<'_, '_> {
    type Error = CliError;

    fn begin(&mut self, names: &[String]) -> Result<()> {
        if self.names.is_empty() {
            self.names = distinct(names);
        }
        let names: Vec<&str> = self.names.iter().map(String::as_str).collect();
        self.destination.head(&names)
    }

    fn row(&mut self, values: &[Value<'_>]) -> Result<bool> {
        let mut cells = Vec::with_capacity(self.names.len());
        if let Some(journal) = &self.journal {
            cells.push(Cell::Text(Cow::Borrowed(journal.as_str())));
        }
        match self.forms.is_empty() {
            true => cells.extend(values.iter().map(|value| Cell::from(*value))),
            false => {
                let formed = values.iter().zip(&self.forms);
                cells.extend(formed.map(|(value, form)| cell(*value, *form)));
            }
        }
        self.destination.row(&self.names, &cells)?;
        Ok(true)
    }
}

fn cell(value: Value<'_>, form: Form) -> Cell<'_> {
    match (form, Cell::from(value)) {
        (Form::Time, Cell::Integer(at_ms)) => {
            let utc = u64::try_from(at_ms).ok().and_then(time::utc); // before 1970: no time of ours
            utc.map_or(Cell::Null, |utc| Cell::Text(Cow::Owned(utc)))
        }
        (Form::Flag, Cell::Integer(flag)) => Cell::Bool(flag != 0),
        // What a store holds as JSON and is none stays text.
        (Form::Json, Cell::Text(text)) => match RawValue::from_string(text.into_owned()) {
            Ok(value) if value.get().contains('\n') => {
                Cell::Text(Cow::Owned(value.get().to_owned()))
            }
            Ok(value) => Cell::Json(Cow::Owned(value)),
            Err(_) => Cell::Null,
        },
        (_, cell) => cell,
    }
}
