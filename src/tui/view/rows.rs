//! Executions as lines: ordinal, tool, target, outcome, time, and why it failed below it.

use jiff::tz::TimeZone;
use ratatui::style::Style;

use super::super::text::{brief, columns, fit};
use super::super::{Row, State, Tone};
use super::Canvas;
use crate::event::Outcome;
use crate::output::table::{shortened, told};
use crate::output::time;

/// The sign of the chosen line: no colour is needed to see it.
pub const CHOSEN: &str = "›";
/// From so many columns on the time is told.
const TIME_COLUMNS: usize = 60;
const TOOL_COLUMNS_MAX: usize = 18;
const NAME_COLUMNS_MAX: usize = 14;
const OUTCOME_COLUMNS: usize = 11;

#[derive(Clone, Copy, Debug)]
pub struct Widths {
    no: usize,
    tool: usize,
    name: usize,
}

impl Widths {
    pub fn of<'r>(rows: impl Iterator<Item = &'r Row>) -> Self {
        let mut widths = Self { no: 4, tool: 6, name: 0 };
        for row in rows {
            widths.no = widths.no.max(row.no().len());
            widths.tool = widths.tool.max(columns(&row.execution.tool));
            let name = row.name.as_ref().map_or(0, |name| columns(name));
            widths.name = widths.name.max(name);
        }
        widths.tool = widths.tool.min(TOOL_COLUMNS_MAX);
        widths.name = widths.name.min(NAME_COLUMNS_MAX);
        widths
    }
}

/// An outcome in spec 001's words.
pub fn word(outcome: Option<Outcome>, is_redacted: bool) -> &'static str {
    match outcome {
        Some(Outcome::Interrupted) if is_redacted => "REDACTED",
        Some(Outcome::Ok) => "SUCCESS",
        Some(Outcome::Failed) => "FAILED",
        Some(Outcome::Refused) => "REFUSED",
        Some(Outcome::Interrupted) => "INTERRUPTED",
        None => "RUNNING",
    }
}

/// Why it did not succeed: its first diagnostic, else its error.
pub fn why(row: &Row) -> Option<String> {
    let execution = &row.execution;
    let failed = execution.outcome.is_some_and(|outcome| outcome != Outcome::Ok);
    let why = execution.why();
    why.filter(|_| failed).map(|why| format!("\"{}\"", brief(why)))
}

/// Writes an execution, and a second line where there is something to say of it.
pub fn draw(
    state: &State,
    row: &Row,
    below: Option<&str>,
    is_chosen: bool,
    widths: Widths,
    canvas: &mut Canvas<'_>,
) {
    let theme = state.shown.theme;
    let over = if is_chosen { theme.chosen() } else { Style::new() };
    let wide = canvas.columns();
    let execution = &row.execution;
    let at = match wide >= TIME_COLUMNS {
        true => format!(" {}", clock(execution.at_ms, state.now_ms, &state.shown.zone)),
        false => String::new(),
    };
    let name = match (widths.name, &row.name) {
        (0, _) => String::new(),
        (room, name) => format!("{} ", fit(&brief(name.as_deref().unwrap_or_default()), room)),
    };
    let begin = format!(
        "{}{} {name}{} ",
        if is_chosen { CHOSEN } else { " " },
        fit(&row.no(), widths.no),
        fit(&brief(&execution.tool), widths.tool)
    );
    let taken = columns(&begin) + columns(&at) + OUTCOME_COLUMNS + 1;
    let target = brief(execution.target.as_deref().unwrap_or_default());
    let room = wide.saturating_sub(taken);
    let target = format!("{} ", fit(&shortened(&target, room), room));
    let outcome = fit(word(execution.outcome, execution.is_redacted()), OUTCOME_COLUMNS);
    let plain = theme.tone(Tone::Plain);
    canvas.bar(
        &[
            (&begin, plain),
            (&target, plain),
            (&outcome, theme.outcome(execution.outcome)),
            (&at, theme.tone(Tone::Dim)),
        ],
        over,
    );
    if let Some(below) = below {
        let indent = " ".repeat(widths.no.min(6) + 2);
        let below = told("", below, wide.saturating_sub(indent.len() + 2));
        canvas.line(&format!("{indent}→ {below}"), theme.tone(Tone::Dim));
    }
}

/// The time of the same day, else the day; always of the same width.
pub fn clock(at_ms: u64, now_ms: u64, zone: &TimeZone) -> String {
    let at = time::local(at_ms, zone);
    let day = |text: &str| text.split(' ').next().map(str::to_owned);
    match at.split_once(' ') {
        Some((_, clock)) if day(&time::local(now_ms, zone)) == day(&at) => fit(clock, 10),
        Some((day, _)) => fit(day, 10),
        None => fit("", 10),
    }
}
