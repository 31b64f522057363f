//! The sessions, the latest first.

use ratatui::style::Style;

use super::super::text::{brief, columns, fit};
use super::super::{SessionRow, State, Tone};
use super::rows::{CHOSEN, clock};
use super::{Canvas, Seen, viewport};

/// From so many columns on the counts and the time are told.
const COUNTS_COLUMNS: usize = 56;
const AGENT_COLUMNS: usize = 11;

pub fn draw(state: &State, canvas: &mut Canvas<'_>) -> Seen {
    let theme = state.shown.theme;
    let list = &state.sessions;
    let count = list.items.len().saturating_sub(1);
    canvas.line(&format!("SESSIONS ({count}, the latest first):"), theme.tone(Tone::Title));
    let is_wide = canvas.columns() >= COUNTS_COLUMNS;
    if is_wide {
        let head =
            format!("  {:8} {:AGENT_COLUMNS$} last       calls failed title", "session", "agent");
        canvas.line(&head, theme.tone(Tone::Dim));
    }
    let heights = vec![1; list.items.len()];
    let seen = viewport::seen(&heights, list.at, canvas.left());
    for at in seen.clone() {
        let is_chosen = at == list.at;
        let sign = if is_chosen { CHOSEN } else { " " };
        let line = match &list.items[at] {
            None => format!("{sign} all sessions"),
            Some(row) => format!("{sign} {}", told(state, row, is_wide)),
        };
        let over = if is_chosen { theme.chosen() } else { Style::new() };
        canvas.bar(&[(&line, theme.tone(Tone::Plain))], over);
    }
    Seen { page_lines: seen.len(), scroll_max: 0 }
}

fn told(state: &State, row: &SessionRow, is_wide: bool) -> String {
    let session = &row.session;
    let name = row.name.as_ref().map(|name| format!("[{}] ", brief(name))).unwrap_or_default();
    let title = format!("{name}{}", brief(row.title()));
    let agent = brief(&session.agent);
    if !is_wide {
        let agent = if columns(&agent) == 0 { String::new() } else { format!("{agent} ") };
        return format!("{} {agent}{title}", row.short_id());
    }
    let last = clock(session.last_ms, state.now_ms, &state.shown.zone);
    let (calls, failed) = (session.calls, session.failed);
    let (id, agent) = (row.short_id(), fit(&agent, AGENT_COLUMNS));
    format!("{id:8} {agent} {last} {calls:>5} {failed:>6} {title}")
}
