//! asciinema's casts (v2 and v3) of shells that mark their commands (OSC 133, and 633 as editors write it):
//! a header, then `[time, code, text]` a line.
//!
//! Between the marks C and D a command ran; D tells its exit code. What it was, the mark E or what was typed
//! between B and C tells.

mod marks;
#[cfg(test)]
mod tests;

use std::io;

use serde::Deserialize;

use super::import::Flaw;
use super::import::item::{Head, Part, Title, TranscriptRecord};
use super::import::log_source::{Beginning, LogSource, Reads};
use super::import::loose::{Loose, Number, Text, parsed};
use super::import::odd::Stamp;
use super::import::source_file::SourceFile;
use super::import::told;
use super::import::whole::{TextLines, WholeLog, flaw_of, read_text};
use marks::{Mark, Marks};

pub const SOURCE: LogSource = LogSource {
    name: "asciinema",
    title: "asciinema casts",
    also: None,
    endings: &[".cast"],
    is_of,
    reads: Reads::Whole(open),
    began_ms: None,
    session_of: None,
    untimed: true,
};

fn is_of(beginning: &Beginning<'_>) -> bool {
    let first = beginning.head.split(|&byte| byte == b'\n').next().unwrap_or_default();
    parsed::<Loose<Header<'_>>>(first).and_then(|it| it.0).is_some_and(|it| it.is_known())
}

fn open(file: &SourceFile) -> io::Result<Box<dyn WholeLog>> {
    read_text(file, Box::new(Cast { session: file.whole_name(), ..Cast::default() }))
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Header<'a> {
    version: Number,
    #[serde(borrow)]
    timestamp: Stamp<'a>,
    width: Number,
    term: Loose<Term>,
    title: Text<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Term {
    cols: Number,
}

impl Header<'_> {
    fn is_known(&self) -> bool {
        match self.version.to_count() {
            Some(2) => self.width.0.is_some(),
            Some(3) => self.term.0.as_ref().is_some_and(|term| term.cols.0.is_some()),
            _ => false,
        }
    }
}

#[derive(Debug, Default)]
struct Cast {
    session: String,
    is_begun: bool,
    /// Each time is counted from the one before.
    is_relative: bool,
    began_ms: Option<u64>,
    seconds: f64,
    marks: Marks,
    count: u64,
    /// The command that runs, and when it began.
    running: Option<(String, Option<u64>)>,
    folder: Option<String>,
}

impl TextLines for Cast {
    fn line(
        &mut self,
        number: u64,
        line: &str,
        out: &mut Vec<TranscriptRecord>,
    ) -> Result<(), Flaw> {
        if line.is_empty() || line.starts_with('#') {
            return Ok(());
        }
        if !self.is_begun {
            return self.begin(number, line, out);
        }
        let event: Option<(f64, String, String)> = parsed(line.as_bytes());
        let Some((seconds, code, text)) = event else { return Err(flaw_of(line.as_bytes())) };
        self.seconds = if self.is_relative { self.seconds + seconds } else { seconds };
        if code == "o" {
            for mark in self.marks.read(&text) {
                self.take(number, mark, out);
            }
        }
        Ok(())
    }

    fn end(&mut self, _: &mut Vec<TranscriptRecord>) -> Result<(), Flaw> {
        if self.is_begun && !self.marks.is_met { Err(Flaw::NoMarks) } else { Ok(()) }
    }
}

impl Cast {
    fn begin(
        &mut self,
        number: u64,
        line: &str,
        out: &mut Vec<TranscriptRecord>,
    ) -> Result<(), Flaw> {
        let header = parsed::<Loose<Header<'_>>>(line.as_bytes()).and_then(|it| it.0);
        let header = header.filter(Header::is_known).ok_or_else(|| flaw_of(line.as_bytes()))?;
        self.is_begun = true;
        self.is_relative = header.version.to_count() == Some(3);
        let at = Head::at_number(&header.timestamp, 1000.0);
        self.began_ms = at.at_ms;
        let title = header.title.to_text().map(|text| Part::Title(Title { text, leaf: None }));
        let parts = title.into_iter().collect();
        let head = Head { odd_time: at.odd_time, ..self.head(at.at_ms) };
        out.push(TranscriptRecord { line: number, head, parts });
        Ok(())
    }

    fn head(&self, at_ms: Option<u64>) -> Head {
        let (session, cwd) = (Some(self.session.clone()), self.folder.clone());
        Head { session, at_ms, cwd, ..Head::default() }
    }

    /// Now, as far as the header tells when it began.
    fn now_ms(&self) -> Option<u64> {
        let since = Number(Some(self.seconds)).to_ms(1000.0)?;
        self.began_ms.map(|began| began.saturating_add(since))
    }

    fn take(&mut self, line: u64, mark: Mark, out: &mut Vec<TranscriptRecord>) {
        let scope = Some(self.session.clone());
        match mark {
            Mark::Folder(folder) => self.folder = Some(folder),
            Mark::Began(command) => {
                self.count += 1;
                let (id, at_ms) = (format!("command {}", self.count), self.now_ms());
                let arguments = serde_json::json!({ "command": command }).to_string();
                let call = told::call(id.clone(), scope, "bash", arguments);
                let parts = vec![Part::Call(call)];
                out.push(TranscriptRecord { line, head: self.head(at_ms), parts });
                self.running = Some((id, at_ms));
            }
            Mark::Ended { exit_code, printed } => {
                let Some((id, from_ms)) = self.running.take() else { return };
                let at_ms = self.now_ms();
                let mut result = told::result(id, scope, exit_code, false, Some(printed));
                result.duration_ms = told::lasted(from_ms, at_ms);
                let parts = vec![Part::Result(result)];
                out.push(TranscriptRecord { line: 0, head: self.head(at_ms), parts });
            }
        }
    }
}
