//! What was measured against what was to be reached, kept until all of it is printed as one table.

use std::sync::{Mutex, PoisonError};

/// Whether what was to be reached was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Met {
    Yes,
    /// Not what was wanted, and at least [`OF_LIMIT`] of a limit that is less than that.
    AtLimit,
    No,
    /// Nothing was measured; the row says why.
    Unknown,
}

/// So much of what can be had is all that can be had.
pub const OF_LIMIT: f64 = 0.9;

impl From<bool> for Met {
    fn from(is: bool) -> Self {
        if is { Self::Yes } else { Self::No }
    }
}

/// One row of the table.
pub struct Row {
    pub what: String,
    /// What it is held against: a floor, or nothing for a limit.
    pub against: String,
    pub measured: String,
    pub wanted: String,
    /// Peers, and what else was measured with it.
    pub beside: String,
    pub met: Met,
}

static BOARD: Mutex<Vec<Row>> = Mutex::new(Vec::new());

pub fn note(row: Row) {
    BOARD.lock().unwrap_or_else(PoisonError::into_inner).push(row);
}

/// A figure that may not be above a limit.
pub fn note_limit(what: impl Into<String>, measured: f64, limit: f64, unit: &str) {
    note_beside(what, (measured, limit), unit, String::new());
}

/// The same, with what was measured beside it.
pub fn note_beside(
    what: impl Into<String>,
    (measured, limit): (f64, f64),
    unit: &str,
    beside: String,
) {
    note(Row {
        what: what.into(),
        against: String::new(),
        measured: format!("{} {unit}", figure(measured)),
        wanted: format!("≤ {} {unit}", figure(limit)),
        beside,
        met: (measured <= limit).into(),
    });
}

/// A row that could not be measured, and why.
pub fn note_missing(what: impl Into<String>, why: impl std::fmt::Display) {
    note(Row {
        what: what.into(),
        against: String::new(),
        measured: format!("not measured: {why}"),
        wanted: String::new(),
        beside: String::new(),
        met: Met::Unknown,
    });
}

/// What was noted, as Markdown; it is forgotten.
pub fn take() -> String {
    let rows = std::mem::take(&mut *BOARD.lock().unwrap_or_else(PoisonError::into_inner));
    let count = |met| rows.iter().filter(|row| row.met == met).count();
    let mut text = String::from(
        "| work | held against | measured | wanted | | beside it |\n|---|---|---|---|---|---|\n",
    );
    for row in &rows {
        let met = match row.met {
            Met::Yes => "met",
            Met::AtLimit => "at its limit",
            Met::No => "not met",
            Met::Unknown => "not measured",
        };
        let cells: [&str; 6] =
            [&row.what, &row.against, &row.measured, &row.wanted, met, &row.beside];
        // An error's text may be of several lines.
        let cells = cells.map(|it| it.replace(['\n', '\r'], " ").replace('|', "\\|"));
        text += &format!("| {} |\n", cells.join(" | "));
    }
    let (met, not, unknown) = (count(Met::Yes), count(Met::No), count(Met::Unknown));
    let (all, limited) = (rows.len(), count(Met::AtLimit));
    text += &format!(
        "\n{met} of {all} met, {limited} at {OF_LIMIT} or more of what can be had, {not} not met, \
         {unknown} not measured\n"
    );
    text
}

/// Three digits behind the point, as far as they say anything.
fn figure(value: f64) -> String {
    let text = if value >= 100.0 { format!("{value:.0}") } else { format!("{value:.3}") };
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}
