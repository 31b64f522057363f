//! Rows of the stores, written as they are read.

use std::borrow::Cow;

use serde_json::value::RawValue;

use super::Format;
use super::destination::Destination;
use crate::cli::CliError;
use crate::cli::journals::Opened;
use crate::cli::sql::AskError;
use crate::execution::query::export::{ExportFilter, ExportKind, Form, export};
use crate::execution::replay::Window;
use crate::output::cells::{Cell, JsonRow};
use crate::output::time;
use crate::store::free_sql as sql;
use crate::store::sql::{Limits, SqlError, TakeRows, Value};

struct Rows<'d, 'o> {
    destination: &'d mut Destination<'o>,
    journal: Option<String>,
    names: Vec<String>,
    forms: Vec<Form>,
}

/// Every row of a kind in one journal's stores.
pub fn write(
    kind: ExportKind,
    opened: &Opened,
    window: &Window,
    destination: &mut Destination<'_>,
) -> Result<(), CliError> {
    let places = [(String::new(), &opened.places)];
    let stores = sql::open(&places, Limits::default())?;
    let journal = opened.name.clone();
    let mut names: Vec<String> = kind.columns().map(|(name, _)| name.to_owned()).collect();
    if journal.is_some() {
        names.insert(0, "journal".to_owned());
    }
    let forms = kind.columns().map(|(_, form)| form).collect();
    let filter = ExportFilter {
        from: window.from,
        through: window.through,
        from_ms: window.from_ms,
        through_ms: window.through_ms,
        sessions: window.sessions.clone(),
    };
    let mut rows = Rows { destination, journal, names, forms };
    export(&stores, kind, &filter, &mut rows).map_err(|error| match error {
        SqlError::Taken(error) => error,
        SqlError::Failed { source } => AskError::Sql(SqlError::Failed { source }).into(),
        other => AskError::Store { message: other.to_string() }.into(),
    })
}

impl TakeRows for Rows<'_, '_> {
    type Error = CliError;

    fn begin(&mut self, _names: &[String]) -> Result<(), CliError> {
        let names: Vec<&str> = self.names.iter().map(String::as_str).collect();
        self.destination.head(&names)
    }

    fn row(&mut self, values: &[Value<'_>]) -> Result<bool, CliError> {
        let mut cells = Vec::with_capacity(self.names.len());
        if let Some(journal) = &self.journal {
            cells.push(Cell::Text(Cow::Borrowed(journal.as_str())));
        }
        cells.extend(values.iter().zip(&self.forms).map(|(value, form)| cell(*value, *form)));
        match self.destination.format() {
            Format::Csv => self.destination.csv(&cells)?,
            Format::Jsonl => {
                self.destination.json(&JsonRow { names: &self.names, cells: &cells })?;
            }
        }
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
