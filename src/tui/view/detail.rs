//! One execution, whole, scrolled; or, beside the history, the chosen one in short.

use super::super::text::{brief, wrap};
use super::super::{Line, Row, State, Tone};
use super::{Canvas, Seen, rows};
use crate::output::time;

pub fn draw(state: &State, canvas: &mut Canvas<'_>) -> Seen {
    let Some(detail) = &state.detail else { return Seen::default() };
    let theme = state.shown.theme;
    let mut drawn: Vec<(&Line, String)> = Vec::new();
    for line in &detail.lines {
        drawn.extend(wrap(&line.text, canvas.columns()).into_iter().map(|part| (line, part)));
    }
    let page_lines = canvas.left().saturating_sub(1);
    let scroll_max = drawn.len().saturating_sub(page_lines);
    let scroll = state.scroll.min(scroll_max);
    let where_it_is = match scroll_max {
        0 => String::new(),
        _ => format!("   lines {}–{} of {}", scroll + 1, scroll + page_lines, drawn.len()),
    };
    title(state, &detail.row, &where_it_is, canvas);
    for (line, part) in drawn.iter().skip(scroll).take(page_lines) {
        canvas.line(part, theme.tone(line.tone));
    }
    Seen { page_lines, scroll_max }
}

fn title(state: &State, row: &Row, besides: &str, canvas: &mut Canvas<'_>) {
    let theme = state.shown.theme;
    let outcome = row.execution.outcome;
    canvas.parts(&[
        (&format!("{} {} ", row.no(), brief(&row.execution.tool)), theme.tone(Tone::Title)),
        (rows::word(outcome, row.execution.is_redacted()), theme.outcome(outcome)),
        (besides, theme.tone(Tone::Dim)),
    ]);
}

/// The chosen execution in short: what the list had no room for.
pub fn chosen(state: &State, canvas: &mut Canvas<'_>) {
    let Some(row) = state.history.chosen() else { return };
    let theme = state.shown.theme;
    title(state, row, "", canvas);
    let one = &row.execution;
    let at = |at_ms: u64| time::local(at_ms, &state.shown.zone);
    for (name, value, tone) in [
        ("target", one.target.clone(), Tone::Plain),
        ("why", one.why().map(str::to_owned), Tone::Bad),
        ("exit code", one.exit_code.map(|code| code.to_string()), Tone::Plain),
        (if one.outcome.is_some() { "ended" } else { "began" }, Some(at(one.at_ms)), Tone::Plain),
        ("took", one.took().map(time::took), Tone::Plain),
        ("agent", one.agent.clone(), Tone::Plain),
        ("actor", one.actor.clone(), Tone::Plain),
        ("native tool", one.native_tool.clone(), Tone::Plain),
        ("session", one.session.map(|id| id.to_string()), Tone::Plain),
        ("folder", one.cwd.clone(), Tone::Plain),
        ("branch", one.branch.clone(), Tone::Plain),
        ("event", Some(format!("@{}", one.sequence)), Tone::Plain),
    ] {
        if let Some(value) = value {
            canvas.wrapped(&format!("{name:<12} {}", brief(&value)), theme.tone(tone));
        }
    }
    canvas.line("", theme.tone(Tone::Plain));
    canvas.line("⏎ arguments, output, diagnostics", theme.tone(Tone::Dim));
}
