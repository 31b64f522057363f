//! `annals sql`: free SQL over the stores, read-only.

use std::io;
use std::io::Read;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use signal_hook::consts::SIGINT;
use signal_hook::flag;

use super::journals::Opened;
use super::{
    CliError, Context, Exit, Result, catch_up, duckdb, exported_tables, shown, with_causes,
};
use crate::fault::{Class, Fault, Remedy, Sorted};
use crate::output::cells::{Cell, JsonRow, csv_line, distinct};
use crate::output::escape;
use crate::output::stream::{Colour, Format, Output};
use crate::output::table::{Table, cut};
use crate::store::sql;
use crate::store::sql::{FreeSql, Limits, SqlError, TakeRows, Value};

/// Query the stores in SQL, read-only
///
/// One journal: its files are attached as `log` (execution_log.db), `idx` (.annals/index.db), `graph`
/// (codegraph.db), `memory` (.annals/memory.db) and `state` (.annals/state.db); a plain name is looked
/// for in that order. Several (`--dir` repeated): every plain name is a view over all of them, with the
/// column `journal` first. Either way `log_executions`, `idx_executions` and so on name one store's table.
///
/// With `--exported` the tables are those that `annals export parquet` writes, of one journal or of all that are named:
/// `executions`, `sessions`, `messages`, `diagnostics` and so on, as docs/exported.md describes them.
///
/// Nothing can be changed: no statement but a reading one, no ATTACH, no extension. Blobs are
/// printed in hex. In CSV what would drive a terminal is written as `\u{1b}`, except in a file.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// One statement; `-` reads it from standard input
    #[arg(value_name = "SELECT", allow_hyphen_values = true)]
    pub sql: String,
    /// Ask the tables that `annals export parquet` writes, instead of the stores' own
    #[arg(long)]
    pub exported: bool,
    /// Ask a folder that `annals export parquet` wrote, by the `duckdb` that is installed
    #[arg(long, value_name = "DIR", conflicts_with = "exported")]
    pub parquet: Option<PathBuf>,
    /// Who answers: the bundled SQLite, or for a folder of Parquet the DuckDB that is installed
    #[arg(long, value_enum, value_name = "ENGINE")]
    pub engine: Option<Engine>,
    /// Print CSV (RFC 4180; cells are data, also where they begin with `=`)
    #[arg(long, conflicts_with = "json")]
    pub csv: bool,
    /// Rows printed in a table; JSON and CSV have all
    #[arg(long, value_name = "ROWS", default_value_t = 1_000)]
    pub limit: usize,
    /// Seconds after which it is stopped; 0 for never
    #[arg(long, value_name = "SECONDS", default_value_t = TIMEOUT_S)]
    pub timeout: u64,
}

#[derive(clap::ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    Sqlite,
    Duckdb,
}

/// What one question may take where nothing else is said, seconds.
pub const TIMEOUT_S: u64 = 60;
const SQL_BYTES_MAX: u64 = 1 << 20;
/// As a shell tells a process that SIGINT ended.
const INTERRUPTED: i32 = 130;

pub fn run(args: Args, context: &mut Context) -> Result<Exit> {
    let text = match args.sql.as_str() {
        "-" => {
            let mut text = String::new();
            let input = std::io::stdin().lock();
            input.take(SQL_BYTES_MAX).read_to_string(&mut text).map_err(CliError::Input)?;
            text
        }
        text => text.to_owned(),
    };
    let what = match (args.engine, &args.parquet) {
        (Some(Engine::Duckdb), None) => Some("DuckDB asks a folder of Parquet: --parquet DIR"),
        (Some(Engine::Sqlite), Some(_)) => {
            Some("the bundled SQLite reads no Parquet: leave --engine away, or ask --exported")
        }
        _ => None,
    };
    if let Some(what) = what {
        return Err(CliError::Refused { what });
    }
    if let Some(folder) = &args.parquet {
        let mut printer = Printer::new(&args, &mut context.output);
        duckdb::ask(&text, folder, args.timeout, &mut printer)?;
        return Ok(printer.end()?);
    }
    let opened = catch_up::open_all(context)?;
    let stores = match args.exported {
        true => exported_tables::open(&opened, &text, args.timeout, context)?,
        false => open(&opened, args.timeout, context)?,
    };
    let mut printer = Printer::new(&args, &mut context.output);
    stores.ask(&text, &mut printer).map_err(|error| AskError::of(error, &text))?;
    Ok(printer.end()?)
}

/// The stores of every journal, as long as nobody interrupts and there is time.
pub fn open(opened: &[Opened], timeout_seconds: u64, context: &mut Context) -> Result<FreeSql> {
    let journals: Vec<_> = opened
        .iter()
        .map(|one| (one.name.clone().unwrap_or_else(|| shown(&one.journal)), &one.places))
        .collect();
    let stores = sql::open(&journals, limits(timeout_seconds))?;
    for error in &stores.left_out {
        context.output.note(format_args!("left out: {}", with_causes(error)));
    }
    Ok(stores)
}

pub fn limits(timeout_seconds: u64) -> Limits {
    let time_max = (timeout_seconds > 0).then(|| Duration::from_secs(timeout_seconds));
    Limits { time_max, stop: stopping() }
}

/// Set by Ctrl-C: what was printed stays whole rows. A second one ends the process, also where
/// SQLite looks at nothing for long.
fn stopping() -> Arc<std::sync::atomic::AtomicBool> {
    let stop = Arc::default();
    // In this order: the first finds nothing set yet. Refused by the operating system, the signal
    // ends us at once.
    let _ = flag::register_conditional_shutdown(SIGINT, INTERRUPTED, Arc::clone(&stop));
    let _ = flag::register(SIGINT, Arc::clone(&stop));
    stop
}

const CELL_CHARS_MAX: usize = 120;

pub struct Printer<'a> {
    output: &'a mut Output,
    csv: bool,
    limit: usize,
    names: Vec<String>,
    rows: usize,
    more: bool,
    /// Of a table: widths are known when all is.
    held: Vec<Vec<String>>,
    numbers: Vec<bool>,
}

impl<'a> Printer<'a> {
    pub fn new(args: &Args, output: &'a mut Output) -> Self {
        let (csv, limit) = (args.csv, args.limit);
        let (names, held, numbers) = (Vec::new(), Vec::new(), Vec::new());
        Self { output, csv, limit, names, rows: 0, more: false, held, numbers }
    }

    fn is_table(&self) -> bool {
        !self.csv && self.output.format == Format::Table
    }

    fn csv(&mut self, cells: &[Cell<'_>]) -> io::Result<()> {
        if !self.output.terminal {
            return self.output.csv(&csv_line(cells));
        }
        // A terminal would obey what is in them.
        let line = csv_line(cells);
        self.output.line(escape::line(line.trim_end_matches("\r\n")))
    }

    pub fn end(&mut self) -> io::Result<Exit> {
        if self.is_table() {
            let mut table = Table::of(&self.names, self.numbers.clone());
            for row in &self.held {
                table.row(None, row);
            }
            table.print(self.output)?;
            if self.more {
                let more = format!("There are more rows than {}: --limit, or --csv", self.limit);
                self.output.coloured(Colour::Dim, &more)?;
            }
        } else if !self.csv && self.output.format == Format::Json {
            self.output.line(if self.rows == 0 { "[]" } else { "]" })?;
        }
        Ok(Exit::Fine)
    }
}

impl TakeRows for Printer<'_> {
    type Error = io::Error;

    fn begin(&mut self, names: &[String]) -> io::Result<()> {
        self.numbers = vec![true; names.len()];
        if self.csv {
            let names: Vec<Cell<'_>> = names.iter().map(|name| Cell::Text(name.into())).collect();
            return self.csv(&names);
        }
        self.names = if self.is_table() { names.to_vec() } else { distinct(names) };
        Ok(())
    }

    fn row(&mut self, values: &[Value<'_>]) -> io::Result<bool> {
        let cells: Vec<Cell<'_>> = values.iter().map(|value| Cell::from(*value)).collect();
        if self.csv {
            self.csv(&cells)?;
        } else if self.output.format == Format::Table {
            if self.rows >= self.limit {
                self.more = true;
                return Ok(false);
            }
            for (number, value) in self.numbers.iter_mut().zip(values) {
                *number &= matches!(value, Value::Integer(_) | Value::Real(_) | Value::Null);
            }
            let text = |cell: &Cell<'_>| {
                let text = cell.text();
                let begin = &text[..text.floor_char_boundary(4 * CELL_CHARS_MAX)];
                let cut = cut(begin, CELL_CHARS_MAX);
                if begin.len() < text.len() && !cut.ends_with('…') {
                    format!("{cut}…")
                } else {
                    cut
                }
            };
            self.held.push(cells.iter().map(text).collect());
        } else {
            let row = JsonRow { names: &self.names, cells: &cells };
            if self.output.format == Format::Jsonl {
                self.output.json_line(&row)?;
            } else {
                let text = serde_json::to_string(&row)?;
                let lead = if self.rows == 0 { "[\n" } else { "," };
                self.output.line(format_args!("{lead}{}", escape::json(&text)))?;
            }
        }
        self.rows += 1;
        Ok(true)
    }
}

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

impl Fault for AskError {
    fn sorted(&self) -> Sorted {
        match self {
            Self::Output(_) => Class::Io.alone(),
            Self::Wrong { .. } => {
                let list = "annals sql \"SELECT schema, name FROM pragma_table_list\"";
                Class::Refused.with(Remedy::Do(list))
            }
            Self::Sql(SqlError::TimeIsUp { .. } | SqlError::Memory { .. } | SqlError::Stopped) => {
                Class::Findings.alone()
            }
            Self::Store { .. } | Self::Sql(SqlError::Failed { .. }) => {
                Class::Findings.with(Remedy::Repair)
            }
            Self::Sql(_) => Class::Refused.with(Remedy::Do("annals sql --help")),
        }
    }
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
