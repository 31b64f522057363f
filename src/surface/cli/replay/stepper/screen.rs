//! The terminal while a replay has it: taken at the beginning, given back whatever happens.

use std::io::{self, Stdout, Write};

use crossterm::cursor::{Hide, MoveTo, Show};
use crossterm::queue;
use crossterm::style::Print;
use crossterm::terminal::{
    self, Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode,
    enable_raw_mode,
};

use super::wrap::cut;

/// The terminal, in raw mode and on its second screen.
pub struct Screen {
    out: Stdout,
}

impl Screen {
    /// Takes the terminal.
    pub fn enter() -> io::Result<Self> {
        enable_raw_mode()?;
        // From here on dropping it gives the terminal back.
        let mut screen = Self { out: io::stdout() };
        queue!(screen.out, EnterAlternateScreen, Hide)?;
        screen.out.flush()?;
        Ok(screen)
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

impl Drop for Screen {
    fn drop(&mut self) {
        // Where the terminal has gone nobody is left to be told.
        let _ = queue!(self.out, Show, LeaveAlternateScreen);
        let _ = self.out.flush();
        let _ = disable_raw_mode();
    }
}
