//! The state, drawn: a pure function into a buffer of cells.

mod chain;
mod detail;
mod footer;
mod header;
mod help;
mod history;
mod hits;
mod outline;
mod rows;
mod sessions;
pub(super) mod viewport;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::{Screen, State, Tone, text};

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
    let [above, last] = split_last_line(area);
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
    if area.width < BESIDE_COLUMNS || state.screen == Screen::Found {
        return opened(state, body, buffer);
    }
    let [left, right] = split_beside(body, buffer, theme.tone(Tone::Dim));
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
        Screen::Found | Screen::Said => {
            hits::draw(state, &mut Canvas::new(left, buffer));
            opened(state, right, buffer)
        }
        Screen::Detail if state.before == Screen::Found => {
            hits::draw(state, &mut Canvas::new(left, buffer));
            opened(state, right, buffer)
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
        Screen::Found => hits::draw(state, canvas),
        Screen::Said => hits::said(state, canvas),
    }
}

/// A part of the screen, written line by line from its top. What has no room is left out.
pub struct Canvas<'b> {
    area: Rect,
    buffer: &'b mut Buffer,
    written: u16,
}

impl<'b> Canvas<'b> {
    pub fn new(area: Rect, buffer: &'b mut Buffer) -> Self {
        Self { area, buffer, written: 0 }
    }

    pub fn columns(&self) -> usize {
        usize::from(self.area.width)
    }

    pub fn left(&self) -> usize {
        usize::from(self.area.height - self.written)
    }

    /// What is below the lines that are written.
    pub fn rest(&self) -> Rect {
        let Rect { x, y, width, height } = self.area;
        Rect { x, y: y + self.written, width, height: height - self.written }
    }

    pub fn within(&mut self, area: Rect) -> Canvas<'_> {
        Canvas { area, buffer: self.buffer, written: 0 }
    }

    /// Writes one line, cut to the columns there are.
    pub fn line(&mut self, text: &str, style: Style) {
        self.parts(&[(text, style)]);
    }

    pub fn parts(&mut self, parts: &[(&str, Style)]) {
        if self.left() == 0 {
            return;
        }
        let (mut x, y) = (self.area.x, self.area.y + self.written);
        for (part, style) in parts {
            let room = usize::from(self.area.right().saturating_sub(x));
            x = self.buffer.set_stringn(x, y, text::cut(part, room), room, *style).0;
        }
        self.written += 1;
    }

    /// Writes one line that is all in one style, also where it has no text.
    pub fn bar(&mut self, parts: &[(&str, Style)], over: Style) {
        let y = self.area.y + self.written;
        if self.left() > 0 {
            self.parts(parts);
            self.buffer.set_style(Rect { y, height: 1, ..self.area }, over);
        }
    }

    /// Writes a text over as many lines as it needs.
    pub fn wrapped(&mut self, text: &str, style: Style) {
        for part in text::wrap(text, self.columns()) {
            self.line(&part, style);
        }
    }

    pub fn rule(&mut self, style: Style) {
        self.line(&"─".repeat(self.columns()), style);
    }
}

pub fn split_last_line(area: Rect) -> [Rect; 2] {
    let height = area.height.saturating_sub(1);
    let last = Rect { y: area.y + height, height: area.height - height, ..area };
    [Rect { height, ..area }, last]
}

/// All but the last lines, and so many last lines.
pub fn split_last_lines(area: Rect, lines: usize) -> [Rect; 2] {
    let lines = u16::try_from(lines).unwrap_or(u16::MAX).min(area.height);
    let height = area.height - lines;
    [Rect { height, ..area }, Rect { y: area.y + height, height: lines, ..area }]
}

pub fn split_beside(area: Rect, buffer: &mut Buffer, style: Style) -> [Rect; 2] {
    let width = area.width * 11 / 20;
    for y in area.top()..area.bottom() {
        buffer.set_string(area.x + width, y, "│", style);
    }
    let x = area.x + width + 2;
    let right = area.right().saturating_sub(x);
    [Rect { width: width.saturating_sub(1), ..area }, Rect { x, width: right, ..area }]
}

/// What a drawing had room for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// Lines that a page's key moves by.
    pub page_lines: usize,
    /// How far a detail can be scrolled.
    pub scroll_max: usize,
}
