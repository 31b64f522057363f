//! Where a command's words go: two handles, never a print macro (those panic on a closed pipe).

use std::io::{self, BufWriter, IsTerminal, Write};

use rustix::fs::FileType;
use serde::Serialize;

use crate::output::escape;
use crate::output::json::{self, Layout};

/// What a command prints in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// For people: tables and sentences, local time.
    Table,
    /// One JSON document, UTC.
    Json,
    /// One JSON document a line, for lists.
    Jsonl,
}

pub struct Output {
    out: Box<dyn Write>,
    err: Box<dyn Write>,
    pub format: Format,
    /// Colours are wanted: a terminal, and `NO_COLOR` is not set.
    pub colour: bool,
    pub terminal: bool,
    /// Standard output is a regular file: nobody looks at it now.
    pub file: bool,
    /// The terminal's width in columns; `None` where there is no terminal.
    pub columns: Option<usize>,
    /// What the journals lack that an answer is made from: documents say so.
    pub incomplete: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colour {
    Red,
    Green,
    Yellow,
    Dim,
    Bold,
}

impl Output {
    pub fn standard(format: Format, no_colour: bool) -> Self {
        let stdout = io::stdout();
        let terminal = stdout.is_terminal();
        let file = rustix::fs::fstat(&stdout)
            .is_ok_and(|about| FileType::from_raw_mode(about.st_mode) == FileType::RegularFile);
        let columns = terminal
            .then(|| rustix::termios::tcgetwinsize(&stdout).ok()) // no size: as if no terminal
            .flatten()
            .map(|size| usize::from(size.ws_col))
            .filter(|columns| *columns >= 40);
        Self {
            out: Box::new(BufWriter::new(stdout)),
            err: Box::new(io::stderr()),
            format,
            colour: terminal && !no_colour,
            terminal,
            file,
            columns,
            incomplete: Vec::new(),
        }
    }

    pub fn is_json(&self) -> bool {
        self.format != Format::Table
    }

    /// Writes one line that the program itself composed; texts in it are already escaped.
    pub fn line(&mut self, text: impl std::fmt::Display) -> io::Result<()> {
        writeln!(self.out, "{text}")
    }

    pub fn blank(&mut self) -> io::Result<()> {
        writeln!(self.out)
    }

    /// Writes one JSON document: indented for `--json`, on one line for `jsonl`. An object says what
    /// its journals lack.
    pub fn json<T: Serialize>(&mut self, value: &T) -> io::Result<()> {
        let layout = match self.format {
            Format::Jsonl => Layout::Line,
            Format::Table | Format::Json => Layout::Indented,
        };
        let text = json::text(value, layout)?;
        self.document(text)
    }

    fn document(&mut self, text: String) -> io::Result<()> {
        let text = self.with_incomplete(text)?;
        writeln!(self.out, "{}", escape::json(&text))
    }

    /// Notes what a journal lacks that an answer is made from.
    pub fn lacks(&mut self, what: &str) {
        if !self.incomplete.iter().any(|known| known == what) {
            self.incomplete.push(what.to_owned());
        }
    }

    /// A document with what the journals lack: put into its text, since what is in it is kept byte
    /// for byte.
    fn with_incomplete(&self, text: String) -> io::Result<String> {
        let Some(body) = text.strip_suffix('}').filter(|_| text.starts_with('{')) else {
            return Ok(text);
        };
        if self.incomplete.is_empty() {
            return Ok(text);
        }
        let list = serde_json::to_string(&self.incomplete)?;
        let (gap, end) = if text.contains('\n') { ("\n  ", "\n") } else { ("", "") };
        let comma = if body.trim_end() == "{" { "" } else { "," };
        Ok(format!("{}{comma}{gap}\"incomplete\":{list}{end}}}", body.trim_end()))
    }

    /// Writes one JSON document on one line.
    pub fn json_line<T: Serialize>(&mut self, value: &T) -> io::Result<()> {
        let text = json::text(value, Layout::Line)?;
        writeln!(self.out, "{}", escape::json(&text))
    }

    /// Writes a list: an array for `--json`, a document a line for `jsonl`.
    pub fn json_list<T: Serialize>(&mut self, values: &[T]) -> io::Result<()> {
        if self.format == Format::Jsonl {
            return values.iter().try_for_each(|value| self.json_line(value));
        }
        self.json(&values)
    }

    /// Writes what one journal answered, or the list of what several did.
    pub fn json_of_journals<T: Serialize>(&mut self, values: &[T]) -> io::Result<()> {
        match values {
            [one] => self.json(one),
            several => self.json_list(several),
        }
    }

    /// As [`Self::json`], where JSON was asked for; says whether.
    pub fn as_json<T: Serialize>(&mut self, value: &T) -> io::Result<bool> {
        if self.is_json() { self.json(value).map(|()| true) } else { Ok(false) }
    }

    /// As [`Self::json_list`], where JSON was asked for; says whether.
    pub fn as_json_list<T: Serialize>(&mut self, values: &[T]) -> io::Result<bool> {
        if self.is_json() { self.json_list(values).map(|()| true) } else { Ok(false) }
    }

    /// As [`Self::json_of_journals`], where JSON was asked for; says whether.
    pub fn as_json_of_journals<T: Serialize>(&mut self, values: &[T]) -> io::Result<bool> {
        if self.is_json() { self.json_of_journals(values).map(|()| true) } else { Ok(false) }
    }

    /// Writes bytes as they are: only for what is not shown on a terminal (man pages, completions).
    pub fn raw(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.out.write_all(bytes)
    }

    /// Writes lines of CSV: as they are into a file, else escaped, whoever reads the pipe. The ends of
    /// lines stay.
    pub fn csv(&mut self, text: &str) -> io::Result<()> {
        if self.file {
            return self.raw(text.as_bytes());
        }
        let end = if self.terminal { "\n" } else { "\r\n" };
        let pieces: Vec<_> = text.split("\r\n").map(escape::block).collect();
        self.raw(pieces.join(end).as_bytes())
    }

    /// Writes a line on standard error.
    pub fn note(&mut self, text: impl std::fmt::Display) {
        // Where that fails nobody is left to be told.
        let _ = writeln!(self.err, "annals: {text}");
    }

    /// Writes a line on standard error as it is: a document, where standard output is somebody else's.
    pub fn error_line(&mut self, text: impl std::fmt::Display) {
        // Where that fails nobody is left to be told.
        let _ = writeln!(self.err, "{text}");
    }

    /// Hands everything written so far to the operating system.
    pub fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }

    /// As [`Self::line`], in a colour where there is one.
    pub fn coloured(
        &mut self,
        colour: impl Into<Option<Colour>>,
        text: impl std::fmt::Display,
    ) -> io::Result<()> {
        let text = self.paint(colour, text);
        self.line(text)
    }

    /// The text in that colour, where there is one and colours are wanted.
    pub fn paint(&self, colour: impl Into<Option<Colour>>, text: impl std::fmt::Display) -> String {
        let Some(colour) = colour.into().filter(|_| self.colour) else { return text.to_string() };
        let code = match colour {
            Colour::Red => "31",
            Colour::Green => "32",
            Colour::Yellow => "33",
            Colour::Dim => "2",
            Colour::Bold => "1",
        };
        format!("\u{1b}[{code}m{text}\u{1b}[0m")
    }
}
