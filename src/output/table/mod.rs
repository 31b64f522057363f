//! Tables for people: columns two spaces apart, no lines drawn, cut to the terminal.

use std::io;

use crate::output::escape;
use crate::output::stream::{Colour, Output};

#[cfg(test)]
mod tests;

pub struct Table {
    titles: Vec<String>,
    right: Vec<bool>,
    rows: Vec<(Option<Colour>, Vec<String>)>,
}

impl Table {
    /// A table with these column titles; one that begins with `>` is aligned right.
    pub fn new(titles: &[&'static str]) -> Self {
        Self {
            titles: titles.iter().map(|title| title.trim_start_matches('>').to_owned()).collect(),
            right: titles.iter().map(|title| title.starts_with('>')).collect(),
            rows: Vec::new(),
        }
    }

    /// As [`Self::new`], of several journals with a column first that names a row's.
    pub fn of_journals(several: bool, titles: &[&'static str]) -> Self {
        let first = several.then_some("journal");
        Self::new(&first.into_iter().chain(titles.iter().copied()).collect::<Vec<_>>())
    }

    /// A table with titles of any origin, escaped here; `right` says which are aligned right.
    pub fn of(titles: &[String], right: Vec<bool>) -> Self {
        let titles = titles.iter().map(|title| escape::line(title).into_owned()).collect();
        Self { titles, right, rows: Vec::new() }
    }

    /// Adds a row; the cells are escaped here.
    pub fn row<S: AsRef<str>>(&mut self, colour: Option<Colour>, cells: &[S]) {
        let cells = cells.iter().map(|cell| escape::line(cell.as_ref()).into_owned()).collect();
        self.rows.push((colour, cells));
    }

    /// Adds a row of the journal that is named, of several.
    pub fn row_of(
        &mut self,
        journal: Option<String>,
        colour: Option<Colour>,
        cells: impl IntoIterator<Item = String>,
    ) {
        self.row(colour, &journal.into_iter().chain(cells).collect::<Vec<_>>());
    }

    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Prints it. The last column is cut where the terminal ends.
    pub fn print(&self, output: &mut Output) -> io::Result<()> {
        let line = self.format(&self.titles, &self.widths(), columns(output));
        output.coloured(Colour::Dim, &line)?;
        self.print_rows(output)
    }

    /// Prints it without the titles, which stand above already.
    pub fn print_rows(&self, output: &mut Output) -> io::Result<()> {
        let widths = self.widths();
        for (colour, cells) in &self.rows {
            output.coloured(*colour, self.format(cells, &widths, columns(output)))?;
        }
        Ok(())
    }

    fn widths(&self) -> Vec<usize> {
        let mut widths = vec![0; self.titles.len()];
        let rows = self.rows.iter().map(|(_, cells)| cells.as_slice());
        for cells in rows.chain([self.titles.as_slice()]) {
            for (width, cell) in widths.iter_mut().zip(cells) {
                *width = (*width).max(cell.chars().count());
            }
        }
        widths
    }

    fn format(&self, cells: &[String], widths: &[usize], columns: usize) -> String {
        let mut line = String::new();
        for (at, cell) in cells.iter().enumerate() {
            if at > 0 {
                line.push_str("  ");
            }
            let pad = widths[at].saturating_sub(cell.chars().count());
            if self.right[at] {
                line.extend(std::iter::repeat_n(' ', pad));
            }
            line.push_str(cell);
            if !self.right[at] && at + 1 < cells.len() {
                line.extend(std::iter::repeat_n(' ', pad));
            }
        }
        cut(line.trim_end(), columns)
    }
}

fn columns(output: &Output) -> usize {
    output.columns.unwrap_or(usize::MAX)
}

/// The text, cut to that many characters with an ellipsis as the last.
pub fn cut(text: &str, chars_max: usize) -> String {
    if text.chars().count() <= chars_max {
        return text.to_owned();
    }
    let mut short: String = text.chars().take(chars_max.saturating_sub(1)).collect();
    short.push('…');
    short
}
