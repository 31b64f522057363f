//! What a screen shows: a title, a step's text, the stores, the keys; cut to the terminal's columns, and the
//! terminal itself, taken at the beginning and given back whatever happens.

use std::io;
use std::io::{Stdout, Write};
use std::path::Path;

use crossterm::cursor::MoveTo;
use crossterm::style::Print;
use crossterm::terminal::{Clear, ClearType};
use crossterm::{queue, terminal};

use super::keys::KEYS;
use crate::cli::replay::Line;
use crate::cli::replay::end::Ended;
use crate::cli::replay::text::Told;
use crate::output::stream::{Colour, Output};
use crate::output::terminal_screen::TerminalScreen;

#[derive(Debug, Default)]
pub struct Page {
    head: Option<Line>,
    lines: Vec<Line>,
    stores: String,
}

/// Lines that are not the step's text: title, head, a blank one, two of the stores, note, keys.
const OTHER_LINES: usize = 6;

impl Page {
    pub fn step(told: Told) -> Self {
        Self { head: Some(told.head), lines: told.lines, stores: told.stores }
    }

    /// The last page: whether the journal holds, and what could not be shown.
    pub fn end(ended: &Ended, journal: &Path) -> Self {
        let line = |(colour, text)| Line { colour, margin: " ", text };
        let lines = ended.lines(journal).into_iter().map(line).collect();
        let text = " END".to_owned();
        Self {
            head: Some(Line { colour: Some(Colour::Bold), margin: "", text }),
            lines,
            stores: String::new(),
        }
    }

    /// The screen's lines, and how far it is really scrolled.
    pub fn lines(
        &self,
        title: &str,
        note: &str,
        columns: usize,
        rows: usize,
        scroll: usize,
        output: &Output,
    ) -> (Vec<String>, usize) {
        let paint = |colour: Option<Colour>, text: &str| output.paint(colour, text);
        let room = rows.saturating_sub(OTHER_LINES).max(1);
        let mut text = Vec::new();
        for line in &self.lines {
            let margin = line.margin.chars().map(width).sum::<usize>();
            for part in wrap(&line.text, columns.saturating_sub(margin)) {
                text.push(format!("{}{}", line.margin, paint(line.colour, &part)));
            }
        }
        let last = text.len().saturating_sub(room);
        let scroll = scroll.min(last);
        let mut drawn = vec![paint(Some(Colour::Dim), &cut(title, columns))];
        let head = self.head.as_ref();
        drawn.push(
            head.map_or_else(String::new, |line| paint(line.colour, &cut(&line.text, columns))),
        );
        drawn.extend(text.iter().skip(scroll).take(room).cloned());
        drawn.resize(2 + room, String::new());
        let stores = wrap(&self.stores, columns);
        let stores = stores.iter().take(2).map(|part| paint(Some(Colour::Dim), part));
        drawn.extend(stores);
        drawn.resize(rows - 2, String::new());
        let below = last - scroll;
        let more = if below > 0 { format!("↓ {below} more lines") } else { String::new() };
        let note = [note, more.as_str()].into_iter().find(|text| !text.is_empty());
        drawn.push(paint(Some(Colour::Yellow), &cut(note.unwrap_or_default(), columns)));
        // The last column of the last line would scroll some terminals.
        drawn.push(paint(Some(Colour::Dim), &cut(KEYS, columns - 1)));
        (drawn, scroll)
    }
}

/// The terminal, in raw mode and on its second screen.
pub struct Screen {
    out: Stdout,
    _taken: TerminalScreen,
}

impl Screen {
    pub fn enter() -> io::Result<Self> {
        let taken = TerminalScreen::enter()?;
        Ok(Self { out: io::stdout(), _taken: taken })
    }

    /// Columns and rows; those of the oldest terminal where nobody tells.
    pub fn size(&self) -> (usize, usize) {
        let (columns, rows) = terminal::size().unwrap_or((80, 24));
        (usize::from(columns).max(20), usize::from(rows).max(6))
    }

    /// Draws lines from the top; each is already cut and escaped.
    pub fn draw(&mut self, lines: &[String]) -> io::Result<()> {
        for (row, line) in (0_u16..).zip(lines) {
            queue!(self.out, MoveTo(0, row), Clear(ClearType::CurrentLine), Print(line))?;
        }
        queue!(self.out, Clear(ClearType::FromCursorDown))?;
        self.out.flush()
    }

    pub fn say(&mut self, text: &str) -> io::Result<()> {
        let (columns, rows) = self.size();
        let row = u16::try_from(rows - 1).unwrap_or(u16::MAX);
        let text = cut(text, columns - 1);
        queue!(self.out, MoveTo(0, row), Clear(ClearType::CurrentLine), Print(text))?;
        self.out.flush()
    }

    pub fn ask(&mut self, prompt: &str, text: &str) -> io::Result<()> {
        self.say(&format!("{prompt}{text}▏"))
    }
}

/// A text in parts of at most this many columns. Tabs become four spaces.
pub fn wrap(text: &str, columns: usize) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut used = 0;
    for c in text.chars() {
        let (c, times) = if c == '\t' { (' ', 4) } else { (c, 1) };
        for _ in 0..times {
            let wide = width(c);
            if used + wide > columns.max(2) {
                parts.push(String::new());
                used = 0;
            }
            used += wide;
            if let Some(last) = parts.last_mut() {
                last.push(c);
            }
        }
    }
    parts
}

/// The first part alone, with an ellipsis where more would follow.
pub fn cut(text: &str, columns: usize) -> String {
    let mut parts = wrap(text, columns);
    if parts.len() == 1 {
        return parts.pop().unwrap_or_default();
    }
    let mut first = wrap(text, columns.saturating_sub(1)).swap_remove(0);
    first.push('…');
    first
}

/// Columns that a terminal gives a character: none to marks that join the one before, two to the
/// wide ones of East Asia and to most pictures.
pub fn width(c: char) -> usize {
    match u32::from(c) {
        0x300..=0x36f | 0x483..=0x489 | 0x591..=0x5bd | 0x610..=0x61a | 0x64b..=0x65f => 0,
        0x1ab0..=0x1aff | 0x1dc0..=0x1dff | 0x200b..=0x200f | 0x20d0..=0x20ff => 0,
        0xfe00..=0xfe0f | 0xfe20..=0xfe2f | 0xe0100..=0xe01ef => 0,
        0x1100..=0x115f | 0x2e80..=0x303e | 0x3041..=0x33ff | 0x3400..=0x4dbf => 2,
        0x4e00..=0x9fff | 0xa000..=0xa4cf | 0xa960..=0xa97f | 0xac00..=0xd7a3 => 2,
        0xf900..=0xfaff | 0xfe30..=0xfe6f | 0xff00..=0xff60 | 0xffe0..=0xffe6 => 2,
        0x1f300..=0x1f64f | 0x1f680..=0x1f6ff | 0x1f900..=0x1f9ff | 0x20000..=0x3fffd => 2,
        _ => 1,
    }
}
