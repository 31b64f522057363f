//! The state, drawn: a pure function into a buffer of cells.

mod canvas;
mod chain;
mod detail;
mod footer;
mod header;
mod help;
mod history;
mod outline;
mod rows;
mod seen;
mod sessions;
pub(super) mod viewport;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::{Screen, State, Tone};
use canvas::Canvas;
pub use seen::Seen;

/// Below this nothing can be told.
const COLUMNS_MIN: u16 = 20;
const LINES_MIN: u16 = 5;
/// From here on an outline is drawn.
const OUTLINE_COLUMNS: u16 = 60;
const OUTLINE_LINES: u16 = 16;
/// From here on the history stays beside what is opened.
const BESIDE_COLUMNS: u16 = 110;

/// Draws the state; answers what the screen had room for.
pub fn draw(state: &State, area: Rect, buffer: &mut Buffer) -> Seen {
    let theme = state.shown.theme;
    if area.width < COLUMNS_MIN || area.height < LINES_MIN {
        let mut canvas = Canvas::new(area, buffer);
        canvas.line("too small", theme.tone(Tone::Warning));
        return Seen::default();
    }
    let [above, last] = canvas::split_last_line(area);
    footer::draw(state, &mut Canvas::new(last, buffer));
    let is_outlined = area.width >= OUTLINE_COLUMNS && area.height >= OUTLINE_LINES;
    let inner = match is_outlined {
        true => outline::draw(state, above, buffer),
        false => outline::bar(state, above, buffer),
    };
    if state.help {
        help::draw(theme, &mut Canvas::new(inner, buffer));
        return state.seen;
    }
    let mut canvas = Canvas::new(inner, buffer);
    header::draw(state, is_outlined, &mut canvas);
    let body = canvas.rest();
    if area.width < BESIDE_COLUMNS {
        return opened(state, body, buffer);
    }
    let [left, right] = canvas::split_beside(body, buffer, theme.tone(Tone::Dim));
    match state.screen {
        Screen::Sessions => {
            let seen = sessions::draw(state, &mut Canvas::new(left, buffer));
            detail::chosen(state, &mut Canvas::new(right, buffer));
            seen
        }
        Screen::History => {
            let seen = history::draw(state, &mut Canvas::new(left, buffer));
            detail::chosen(state, &mut Canvas::new(right, buffer));
            seen
        }
        Screen::Detail | Screen::Chain => {
            history::draw(state, &mut Canvas::new(left, buffer));
            opened(state, right, buffer)
        }
    }
}

/// The screen that is open, in the room it has.
fn opened(state: &State, area: Rect, buffer: &mut Buffer) -> Seen {
    let canvas = &mut Canvas::new(area, buffer);
    match state.screen {
        Screen::History => history::draw(state, canvas),
        Screen::Sessions => sessions::draw(state, canvas),
        Screen::Detail => detail::draw(state, canvas),
        Screen::Chain => chain::draw(state, canvas),
    }
}
