//! Reads a text line by line, of which a reader makes records.

use std::collections::VecDeque;
use std::io;

use super::{WholeLog, items};
use crate::agents::import::Flaw;
use crate::agents::import::item::{Item, TranscriptRecord};
use crate::agents::import::lines::{Lines, Opened};
use crate::agents::import::source_file::SourceFile;

/// How the lines of a source's texts are read, and what that needs to remember.
pub trait TextLines: Send {
    /// Reads a line, without its end.
    fn line(
        &mut self,
        number: u64,
        line: &str,
        out: &mut Vec<TranscriptRecord>,
    ) -> Result<(), Flaw>;

    /// What is left when the text ends.
    fn end(&mut self, _out: &mut Vec<TranscriptRecord>) -> Result<(), Flaw> {
        Ok(())
    }
}

struct TextLog {
    lines: Lines<Opened>,
    text: Box<dyn TextLines>,
}

/// Opens a text.
pub fn read_text(file: &SourceFile, text: Box<dyn TextLines>) -> io::Result<Box<dyn WholeLog>> {
    Ok(Box::new(TextLog { lines: Lines::new(file.open()?), text }))
}

impl WholeLog for TextLog {
    fn read(&mut self, out: &mut VecDeque<Item>) -> io::Result<bool> {
        let mut read = Vec::new();
        let Some(line) = self.lines.next_line()? else {
            let ended = self.text.end(&mut read);
            out.extend(items(read));
            let line = self.lines.number;
            out.extend(ended.err().map(|flaw| Item::Unreadable { line, flaw }));
            return Ok(false);
        };
        let number = line.number;
        let told = match line.bytes {
            // Half a line may be read as another one: it is read once it is whole.
            Some(_) if !line.ended => Err(Flaw::Torn),
            Some(bytes) => {
                let bytes = bytes.strip_suffix(b"\r").unwrap_or(bytes);
                self.text.line(number, &String::from_utf8_lossy(bytes), &mut read)
            }
            None => Err(Flaw::TooLong { bytes: line.len }),
        };
        out.extend(items(read));
        out.extend(told.err().map(|flaw| Item::Unreadable { line: number, flaw }));
        Ok(true)
    }

    fn place(&self) -> (u64, u64) {
        (self.lines.number, self.lines.reader.taken().unwrap_or(self.lines.offset))
    }

    fn is_broken(&self) -> bool {
        self.lines.reader.is_broken()
    }
}
