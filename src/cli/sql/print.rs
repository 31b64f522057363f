//! A result as it is printed: a table, JSON, or CSV.

use std::io;

use super::Args;
use crate::cli::Exit;
use crate::output::cells::{Cell, JsonRow, csv_line, distinct};
use crate::output::escape;
use crate::output::stream::{Colour, Format, Output};
use crate::output::table::{Table, cut};
use crate::store::sql::{TakeRows, Value};

/// Of a cell, a table shows this much.
const CELL_CHARS_MAX: usize = 120;

/// Prints a result as it comes.
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

    /// What comes after the last row.
    pub fn end(&mut self) -> io::Result<Exit> {
        if self.is_table() {
            let mut table = Table::of(&self.names, self.numbers.clone());
            for row in &self.held {
                table.row(None, row);
            }
            table.print(self.output)?;
            if self.more {
                let more = format!("There are more rows than {}: --limit, or --csv", self.limit);
                let more = self.output.paint(Colour::Dim, &more);
                self.output.line(more)?;
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
