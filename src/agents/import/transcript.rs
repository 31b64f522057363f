//! Reads a transcript: line by line, in bounded memory, over every damage.

use std::collections::VecDeque;
use std::io::{self, BufRead};

use super::Flaw;
use super::claude_code::{self, Record};
use super::codex::{self, Rollout};
use super::item::{Item, TranscriptRecord};
use super::lines::Lines;
use super::loose::parsed;
use super::pieces::{Grammar, Piece, pieces};

/// The items of one transcript, in file order. Pure: it knows no journal and no other file.
pub struct Transcript<R> {
    lines: Lines<R>,
    dialect: Dialect,
    ready: VecDeque<Item>,
    ended: bool,
}

/// Whose records they are, and what reading them needs to remember.
pub enum Dialect {
    ClaudeCode,
    Codex(Box<Rollout>),
}

impl<R> Transcript<R> {
    pub fn new(reader: R, dialect: Dialect) -> Self {
        Self { lines: Lines::new(reader), dialect, ready: VecDeque::new(), ended: false }
    }

    /// What is read from.
    pub fn reader(&self) -> &R {
        self.lines.reader()
    }

    /// Bytes read so far.
    pub fn offset(&self) -> u64 {
        self.lines.offset()
    }

    /// Lines read so far.
    pub fn lines(&self) -> u64 {
        self.lines.number()
    }
}

impl<R: BufRead> Iterator for Transcript<R> {
    type Item = io::Result<Item>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(item) = self.ready.pop_front() {
                return Some(Ok(item));
            }
            match self.lines.next_line() {
                Ok(Some(line)) => match line.bytes {
                    Some(bytes) => self.dialect.line(line.number, bytes, &mut self.ready),
                    None => {
                        let flaw = Flaw::TooLong { bytes: line.len };
                        self.ready.push_back(Item::Unreadable { line: line.number, flaw });
                    }
                },
                Ok(None) if std::mem::replace(&mut self.ended, true) => return None,
                Ok(None) => self.dialect.end(&mut self.ready),
                Err(error) => return Some(Err(error)),
            }
        }
    }
}

impl Dialect {
    fn grammar(&self) -> &'static Grammar {
        match self {
            Self::ClaudeCode => &claude_code::GRAMMAR,
            Self::Codex(_) => &codex::GRAMMAR,
        }
    }

    /// The items of one line; a line that is one record, as nearly all are, is parsed once.
    fn line(&mut self, number: u64, line: &[u8], out: &mut VecDeque<Item>) {
        let mut read = Vec::new();
        if line.first() == Some(&b'{') && self.record(number, line, &mut read) {
            out.extend(read.into_iter().map(|record| Item::Record(Box::new(record))));
            return;
        }
        let (mut records, mut lost) = (0, None);
        for piece in pieces(line, self.grammar()) {
            match piece {
                Piece::Record(range) => {
                    if self.mended(number, &line[range.clone()], &mut read) {
                        records += 1;
                    } else {
                        lost = lost.or(Some(Flaw::NotJson { at: range.start as u64 }));
                    }
                }
                Piece::Lost(_, flaw) => lost = lost.or(Some(flaw)),
            }
        }
        if records > 1 {
            out.push_back(Item::Glued { line: number, records });
        }
        out.extend(lost.map(|flaw| Item::Unreadable { line: number, flaw }));
        out.extend(read.into_iter().map(|record| Item::Record(Box::new(record))));
    }

    /// A whole JSON object that did not parse as it stands may do so once its text is mended.
    fn mended(&mut self, number: u64, bytes: &[u8], out: &mut Vec<TranscriptRecord>) -> bool {
        self.record(number, bytes, out)
            || crate::agents::import::mended(bytes)
                .is_some_and(|bytes| self.record(number, &bytes, out))
    }

    /// Reads a record; `false` where the bytes are none.
    fn record(&mut self, number: u64, bytes: &[u8], out: &mut Vec<TranscriptRecord>) -> bool {
        match self {
            Self::ClaudeCode => {
                let record = parsed::<Record<'_>>(bytes);
                let record = record.map(|record| claude_code::read_record(number, &record));
                let whole = record.is_some();
                out.extend(record);
                whole
            }
            Self::Codex(rollout) => rollout.read(number, bytes, out),
        }
    }

    /// What was held back until the end of the file.
    fn end(&mut self, out: &mut VecDeque<Item>) {
        if let Self::Codex(rollout) = self {
            let mut read = Vec::new();
            rollout.end(&mut read);
            out.extend(read.into_iter().map(|record| Item::Record(Box::new(record))));
        }
    }
}
