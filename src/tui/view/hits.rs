//! What a search found, the best first; and one of its texts.

use super::super::text::{brief, shown, wrap};
use super::super::{Line, State, Tone};
use super::rows::CHOSEN;
use super::{Canvas, Seen, viewport};
use crate::cli::counted;
use ratatui::style::Style;

pub fn draw(state: &State, canvas: &mut Canvas<'_>) -> Seen {
    let theme = state.shown.theme;
    let found = &state.found;
    let list = &found.hits;
    let (turns, more) =
        (counted(found.turns as u64, "turn"), if found.or_more { " or more" } else { "" });
    let title = format!("SEARCH {} ({turns}{more}):", brief(&found.words));
    canvas.line(&title, theme.tone(Tone::Title));
    if let Some(told) = &found.not_looked_for {
        canvas.line(&shown(told), theme.tone(Tone::Dim));
    }
    if list.items.is_empty() {
        canvas.line("Nothing matches. / searches for something else.", theme.tone(Tone::Plain));
        return Seen::default();
    }
    let seen = viewport::seen(&vec![2; list.items.len()], list.at, canvas.left());
    for at in seen.clone() {
        let (row, is_chosen) = (&list.items[at], at == list.at);
        let sign = if is_chosen { CHOSEN } else { " " };
        let place = format!("{sign} {}", brief(&row.place(&state.shown.zone)));
        let over = if is_chosen { theme.chosen() } else { Style::new() };
        canvas.bar(&[(&place, theme.tone(Tone::Dim))], over);
        canvas.line(&format!("    {}", shown(&row.snippet.text)), theme.tone(Tone::Plain));
    }
    Seen { page_lines: seen.len(), scroll_max: 0 }
}

pub fn said(state: &State, canvas: &mut Canvas<'_>) -> Seen {
    let Some(said) = &state.said else { return Seen::default() };
    let theme = state.shown.theme;
    canvas.line(&shown(&said.title), theme.tone(Tone::Title));
    let wrapped = |line: &Line| {
        let tone = line.tone;
        wrap(&line.text, canvas.columns()).into_iter().map(move |part| (tone, part))
    };
    let drawn: Vec<(Tone, String)> = said.lines.iter().flat_map(wrapped).collect();
    let page_lines = canvas.left();
    let scroll_max = drawn.len().saturating_sub(page_lines);
    for (tone, part) in drawn.iter().skip(state.scroll.min(scroll_max)).take(page_lines) {
        canvas.line(part, theme.tone(*tone));
    }
    Seen { page_lines, scroll_max }
}
