//! The terminal while a replay has it: taken at the beginning, given back whatever happens.

use std::io::{self, Stdout, Write};

use crossterm::cursor::MoveTo;
use crossterm::queue;
use crossterm::style::Print;
use crossterm::terminal::{self, Clear, ClearType};

use super::wrap::cut;
use crate::output::terminal_screen::TerminalScreen;

/// The terminal, in raw mode and on its second screen.
pub struct Screen {
    out: Stdout,
    _taken: TerminalScreen,
}

impl Screen {
    /// Takes the terminal.
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

    /// Says what is being done, on the last line.
    pub fn say(&mut self, text: &str) -> io::Result<()> {
        let (columns, rows) = self.size();
        let row = u16::try_from(rows - 1).unwrap_or(u16::MAX);
        let text = cut(text, columns - 1);
        queue!(self.out, MoveTo(0, row), Clear(ClearType::CurrentLine), Print(text))?;
        self.out.flush()
    }

    /// Shows a line being typed, on the last line.
    pub fn ask(&mut self, prompt: &str, text: &str) -> io::Result<()> {
        self.say(&format!("{prompt}{text}▏"))
    }
}
