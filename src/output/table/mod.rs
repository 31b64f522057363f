//! Tables for people: columns two spaces apart, no lines drawn, cut to the terminal.

use std::io;

use crate::output::escape;
use crate::output::stream::{Colour, Output};

mod fit;
#[cfg(test)]
mod tests;

pub use fit::{shortened, told};

/// Of what the last column needs, so much it has at least, where others may go for it.
const LAST_CHARS_MIN: usize = 40;
/// What any other has at most where that does not do.
const NARROW_CHARS_MAX: usize = 8;

pub struct Table {
    titles: Vec<String>,
    right: Vec<bool>,
    rows: Vec<Row>,
    /// Columns that go where the terminal is narrow, in this order.
    optional: &'static [&'static str],
}

struct Row {
    colour: Option<Colour>,
    cells: Vec<String>,
    /// Of the last cell, the bytes of a target, behind which stands why it failed.
    target: Option<usize>,
}

impl Table {
    /// A table with these column titles; one that begins with `>` is aligned right.
    pub fn new(titles: &[&'static str]) -> Self {
        Self {
            titles: titles.iter().map(|title| title.trim_start_matches('>').to_owned()).collect(),
            right: titles.iter().map(|title| title.starts_with('>')).collect(),
            rows: Vec::new(),
            optional: &[],
        }
    }

    /// Leaves these columns away where there is no room for the last one, the first of them first.
    pub fn narrowing(self, optional: &'static [&'static str]) -> Self {
        Self { optional, ..self }
    }

    /// As [`Self::new`], of several journals with a column first that names a row's.
    pub fn of_journals(several: bool, titles: &[&'static str]) -> Self {
        let first = several.then_some("journal");
        Self::new(&first.into_iter().chain(titles.iter().copied()).collect::<Vec<_>>())
    }

    /// A table with titles of any origin, escaped here; `right` says which are aligned right.
    pub fn of(titles: &[String], right: Vec<bool>) -> Self {
        let titles = titles.iter().map(|title| escape::line(title).into_owned()).collect();
        Self { titles, right, rows: Vec::new(), optional: &[] }
    }

    /// Adds a row; the cells are escaped here.
    pub fn row<S: AsRef<str>>(&mut self, colour: Option<Colour>, cells: &[S]) {
        let cells = cells.iter().map(|cell| escape::line(cell.as_ref()).into_owned()).collect();
        self.rows.push(Row { colour, cells, target: None });
    }

    /// Adds a row whose last cell is a target and why it failed.
    pub fn row_of_failure(
        &mut self,
        colour: Option<Colour>,
        cells: &[String],
        target: &str,
        why: &str,
    ) {
        self.row(colour, cells);
        if let Some(row) = self.rows.last_mut() {
            let target = escape::line(target);
            row.cells.push(format!("{target}{}", escape::line(why)));
            row.target = Some(target.len());
        }
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
        let line = self.format(&self.titles, None, &self.widths(columns(output)), columns(output));
        output.coloured(Colour::Dim, &line)?;
        self.print_rows(output)
    }

    /// Prints it without the titles, which stand above already.
    pub fn print_rows(&self, output: &mut Output) -> io::Result<()> {
        let widths = self.widths(columns(output));
        for Row { colour, cells, target } in &self.rows {
            output.coloured(*colour, self.format(cells, *target, &widths, columns(output)))?;
        }
        Ok(())
    }

    /// The width of each column; of one that goes, none.
    fn widths(&self, columns: usize) -> Vec<Option<usize>> {
        let mut widths: Vec<usize> = self.titles.iter().map(|it| it.chars().count()).collect();
        for row in &self.rows {
            for (width, cell) in widths.iter_mut().zip(&row.cells) {
                *width = (*width).max(cell.chars().count());
            }
        }
        let last = widths.last().map_or(0, |it| (*it).min(LAST_CHARS_MIN));
        let mut widths: Vec<Option<usize>> = widths.into_iter().map(Some).collect();
        let is_narrow = |widths: &[Option<usize>]| {
            let others = &widths[..widths.len().saturating_sub(1)];
            let taken: usize = others.iter().flatten().map(|it| it + 2).sum();
            !self.optional.is_empty() && taken.saturating_add(last) > columns
        };
        for name in self.optional {
            if let Some(at) = self.titles.iter().position(|it| it == name)
                && is_narrow(&widths)
            {
                widths[at] = None;
            }
        }
        if is_narrow(&widths) {
            let others = widths.len().saturating_sub(1);
            widths[..others].iter_mut().flatten().for_each(|it| *it = (*it).min(NARROW_CHARS_MAX));
        }
        widths
    }

    fn format(
        &self,
        cells: &[String],
        target: Option<usize>,
        widths: &[Option<usize>],
        columns: usize,
    ) -> String {
        let mut line = String::new();
        for (at, (cell, width)) in cells.iter().zip(widths).enumerate() {
            let Some(width) = width else { continue };
            if at + 1 == cells.len() {
                let room = columns.saturating_sub(line.chars().count());
                match target.and_then(|it| cell.split_at_checked(it)) {
                    Some((target, why)) => line.push_str(&told(target, why, room)),
                    None => line.push_str(cell),
                }
                break;
            }
            let cell = cut(cell, *width);
            let pad = " ".repeat(width.saturating_sub(cell.chars().count()));
            match self.right[at] {
                true => line.extend([pad.as_str(), &cell, "  "]),
                false => line.extend([cell.as_str(), &pad, "  "]),
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
