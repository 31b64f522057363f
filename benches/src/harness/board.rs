//! What was measured against what was to be reached, kept until all of it is printed as one table.

use std::io::Write;
use std::sync::{Mutex, PoisonError};

use crate::BenchError;

/// One row of the table.
pub struct Row {
    pub what: String,
    /// What it is held against: a floor, or nothing for a limit.
    pub against: String,
    pub measured: String,
    pub wanted: String,
    pub is_met: bool,
}

static BOARD: Mutex<Vec<Row>> = Mutex::new(Vec::new());

pub fn note(row: Row) {
    BOARD.lock().unwrap_or_else(PoisonError::into_inner).push(row);
}

/// A figure that may not be above a limit.
pub fn note_limit(what: impl Into<String>, measured: f64, limit: f64, unit: &str) {
    note(Row {
        what: what.into(),
        against: String::new(),
        measured: format!("{measured:.2} {unit}"),
        wanted: format!("≤ {limit} {unit}"),
        is_met: measured <= limit,
    });
}

/// Prints what was noted, as Markdown, and forgets it.
pub fn print(out: &mut dyn Write) -> Result<(), BenchError> {
    let rows = std::mem::take(&mut *BOARD.lock().unwrap_or_else(PoisonError::into_inner));
    let met = rows.iter().filter(|row| row.is_met).count();
    let mut text =
        String::from("\n| work | held against | measured | wanted | |\n|---|---|---|---|---|\n");
    for Row { what, against, measured, wanted, is_met } in &rows {
        let met = if *is_met { "met" } else { "not met" };
        text += &format!("| {what} | {against} | {measured} | {wanted} | {met} |\n");
    }
    text += &format!("\n{met} of {} met\n", rows.len());
    out.write_all(text.as_bytes()).map_err(BenchError::io("printing"))
}
