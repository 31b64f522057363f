//! What the screen is about, around it or above it.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::super::text::{brief, columns, cut};
use super::super::{Following, State, Tone};
use super::Canvas;

/// The title, and whether it goes on.
fn words(state: &State, room: usize) -> (String, String) {
    let session = match &state.session {
        None => "all sessions".to_owned(),
        Some(row) => {
            let agent = brief(&row.session.agent);
            let parts = [agent, row.short_id(), brief(row.title())];
            let parts = parts.into_iter().filter(|part| !part.is_empty());
            parts.collect::<Vec<_>>().join(" ")
        }
    };
    let following = brief(state.following.word());
    let title = format!("{} · {session}", brief(&state.shown.title));
    let title = cut(&title, room.saturating_sub(columns(&following) + 8));
    (title, following)
}

fn tone(state: &State) -> Tone {
    match state.following {
        Following::Live => Tone::Good,
        Following::Paused | Following::Standing { .. } => Tone::Warning,
    }
}

/// Draws an outline with the title in it; answers what is inside.
pub fn draw(state: &State, area: Rect, buffer: &mut Buffer) -> Rect {
    let theme = state.shown.theme;
    let (dim, bold) = (theme.tone(Tone::Dim), theme.tone(Tone::Title));
    let wide = usize::from(area.width);
    let (title, following) = words(state, wide);
    let line = "─".repeat(wide.saturating_sub(columns(&title) + columns(&following) + 7));
    let mut canvas = Canvas::new(area, buffer);
    canvas.parts(&[
        ("┌ ", dim),
        (&title, bold),
        (&format!(" {line} "), dim),
        (&following, theme.tone(tone(state))),
        (" ─┐", dim),
    ]);
    for y in area.top() + 1..area.bottom().saturating_sub(1) {
        buffer.set_string(area.x, y, "│", dim);
        buffer.set_string(area.right() - 1, y, "│", dim);
    }
    let bottom = format!("└{}┘", "─".repeat(wide.saturating_sub(2)));
    buffer.set_string(area.x, area.bottom() - 1, bottom, dim);
    let (x, y) = (area.x + 2, area.y + 1);
    Rect { x, y, width: area.width.saturating_sub(4), height: area.height.saturating_sub(2) }
}

/// Writes the title on a line of its own; answers what is below.
pub fn bar(state: &State, area: Rect, buffer: &mut Buffer) -> Rect {
    let theme = state.shown.theme;
    let wide = usize::from(area.width);
    let (title, following) = words(state, wide);
    let gap = " ".repeat(wide.saturating_sub(columns(&title) + columns(&following)));
    let mut canvas = Canvas::new(area, buffer);
    canvas.parts(&[
        (&title, theme.tone(Tone::Title)),
        (&gap, theme.tone(Tone::Plain)),
        (&following, theme.tone(tone(state))),
    ]);
    canvas.rest()
}
