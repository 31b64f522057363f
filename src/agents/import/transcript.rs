//! Reads a transcript: line by line, in bounded memory, over every damage.

use std::collections::VecDeque;
use std::io;
use std::io::BufRead;
use std::ops::Range;

use serde::de::IgnoredAny;

use super::Flaw;
use super::growth::Growth;
use super::item::{Item, TranscriptRecord};
use super::limits::{PIECES_MAX, RESTARTS_MAX};
use super::lines::Lines;
use super::rests::Rests;

/// The items of one transcript, in file order. Pure: it knows no journal and no other file.
pub struct Transcript<R> {
    pub lines: Lines<R>,
    pub(super) dialect: Box<dyn Dialect>,
    pub(super) ready: VecDeque<Item>,
    ended: bool,
    /// The file goes on.
    pub is_ongoing: bool,
    /// Only the growth is read, within bounds.
    pub growth: Option<Box<Growth>>,
    /// The byte and the line that it was read on from.
    pub from: (u64, u64),
    /// From where it may be read on the next time.
    pub rests: Rests,
}

/// How an agent's records are read, and what that needs to remember.
pub trait Dialect: Send {
    fn grammar(&self) -> &'static Grammar;

    /// Reads a record; `false` where the bytes are none.
    fn record(&mut self, number: u64, bytes: &[u8], out: &mut Vec<TranscriptRecord>) -> bool;

    /// The first line of which something is held until more is told of it.
    fn held_from(&self) -> Option<u64> {
        None
    }

    /// Whether it must know more of what stands before a line than is held; what that is, where nothing is
    /// held, and reading on with it.
    fn has_state(&self) -> bool {
        false
    }

    fn state(&self) -> Option<String> {
        None
    }

    fn resume(&mut self, _state: &str) {}

    /// What is left when the file ends.
    fn end(&mut self, _out: &mut Vec<TranscriptRecord>) {}
}

impl<R> Transcript<R> {
    pub fn new(reader: R, dialect: Box<dyn Dialect>) -> Self {
        let (lines, ready, ended) = (Lines::new(reader), VecDeque::new(), false);
        let rests = Rests::default();
        let is_ongoing = false;
        Self { lines, dialect, ready, ended, is_ongoing, growth: None, from: (0, 0), rests }
    }
}

impl<R: BufRead> Iterator for Transcript<R> {
    type Item = io::Result<Item>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(item) = self.ready.pop_front() {
                self.rests.meet(&item);
                return Some(Ok(item));
            }
            if self.ended {
                return None;
            }
            if let Some(growth) = &mut self.growth {
                if growth.is_spent(self.from.0, self.lines.offset) {
                    self.ended = true;
                    self.end();
                    // What was held is told: it is read on from here, whatever follows.
                    self.rest();
                    continue;
                }
                growth.begin(self.lines.number + 1, self.lines.offset);
            }
            self.begin_line();
            let is_ongoing = self.is_ongoing || self.growth.as_ref().is_some_and(|it| it.ongoing);
            match self.lines.next_line() {
                Ok(Some(line)) => match line.bytes {
                    Some(bytes) if is_ongoing && !line.ended => {
                        // Whole it may be, and else it is still being written.
                        self.rests.stop(&line);
                        let mut read = Vec::new();
                        let is_whole = self.dialect.record(line.number, bytes, &mut read);
                        let read = read.into_iter().map(|record| Item::Record(Box::new(record)));
                        self.ready.extend(read);
                        self.ended = true;
                        if is_whole {
                            self.rest();
                        }
                        self.end();
                    }
                    Some(bytes) => {
                        self.rests.read(&line);
                        self.dialect.line(line.number, bytes, &mut self.ready);
                        self.rest();
                    }
                    None => {
                        self.rests.read(&line);
                        let flaw = Flaw::TooLong { bytes: line.len };
                        self.ready.push_back(Item::Unreadable { line: line.number, flaw });
                        self.rest();
                    }
                },
                Ok(None) => {
                    self.ended = true;
                    self.end_lines();
                    self.end();
                }
                Err(error) => return Some(Err(error)),
            }
        }
    }
}

impl dyn Dialect {
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
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    Record(Range<usize>),
    Lost(Range<usize>, Flaw),
}

/// How an agent writes its records, as far as it is needed to find one inside a damaged line.
#[derive(Debug)]
pub struct Grammar {
    pub beginnings: &'static [&'static str],
    /// Whether a whole record begins here, and not a part of one.
    pub is_record: fn(&[u8]) -> bool,
}

/// The pieces of a line. One whole record is one piece; blank lines have none.
pub fn pieces(line: &[u8], grammar: &Grammar) -> Vec<Piece> {
    let mut found = Vec::new();
    let (mut at, mut restarts) = (0, 0);
    loop {
        let blank = blank_len(&line[at..]);
        let nul = line[at..at + blank].iter().filter(|&&byte| byte == 0).count();
        if nul > 0 {
            push_lost(&mut found, at..at + blank, Flaw::NulFilled { bytes: nul as u64 });
        }
        at += blank;
        if at == line.len() {
            return found;
        }
        if found.len() >= PIECES_MAX {
            found.push(Piece::Lost(at..line.len(), Flaw::TooManyPieces));
            return found;
        }
        match object_len(&line[at..]) {
            Ok(len) => {
                found.push(Piece::Record(at..at + len));
                at += len;
            }
            Err(flaw) => {
                let end = restart(line, at + 1, grammar, &mut restarts).unwrap_or(line.len());
                push_lost(&mut found, at..end, flaw_of(&line[at..end], flaw, at));
                at = end;
            }
        }
    }
}

/// NULs before a torn part and the part itself are one loss.
fn push_lost(found: &mut Vec<Piece>, range: Range<usize>, flaw: Flaw) {
    if let Some(Piece::Lost(before, Flaw::NulFilled { .. })) = found.last_mut()
        && before.end == range.start
    {
        before.end = range.end;
        return;
    }
    found.push(Piece::Lost(range, flaw));
}

fn blank_len(bytes: &[u8]) -> usize {
    const BOM: &[u8] = b"\xEF\xBB\xBF";
    let skipped = if bytes.starts_with(BOM) { BOM.len() } else { 0 };
    let blank = |byte: &u8| matches!(byte, 0 | b' ' | b'\t' | b'\r' | b'\n');
    skipped + bytes[skipped..].iter().take_while(|byte| blank(byte)).count()
}

fn object_len(bytes: &[u8]) -> Result<usize, Flaw> {
    let mut values = serde_json::Deserializer::from_slice(bytes).into_iter::<IgnoredAny>();
    match values.next() {
        Some(Ok(_)) if bytes.first() == Some(&b'{') => Ok(values.byte_offset()),
        Some(Ok(_)) => Err(Flaw::NotARecord),
        Some(Err(error)) if error.is_eof() => Err(Flaw::Torn),
        Some(Err(error)) => Err(Flaw::NotJson { at: error.column() as u64 }),
        None => Err(Flaw::Torn),
    }
}

/// The flaw of a lost part: NULs say more than the place where JSON stopped to parse.
fn flaw_of(lost: &[u8], flaw: Flaw, begins: usize) -> Flaw {
    let nul = lost.iter().filter(|&&byte| byte == 0).count() as u64;
    match flaw {
        _ if nul > 0 => Flaw::NulFilled { bytes: nul },
        Flaw::NotJson { at } => Flaw::NotJson { at: at + begins as u64 },
        other => other,
    }
}

/// Where the next whole record begins inside a damaged line. `tries` bounds the work of a line
/// made of nothing but beginnings.
fn restart(line: &[u8], from: usize, grammar: &Grammar, tries: &mut usize) -> Option<usize> {
    let mut at = from;
    while *tries < RESTARTS_MAX {
        at += line.get(at..)?.windows(2).position(|pair| pair == b"{\"")?;
        if grammar.beginnings.iter().any(|key| line[at..].starts_with(key.as_bytes())) {
            *tries += 1;
            if (grammar.is_record)(&line[at..]) {
                return Some(at);
            }
        }
        at += 1;
    }
    None
}

/// Whether a record stands whole in this beginning of a file, or, where the first line is longer than it,
/// the keys of one.
pub fn holds_record(
    head: &[u8],
    grammar: &Grammar,
    is_record: fn(&[u8]) -> bool,
    has_keys: impl Fn(&str) -> bool,
) -> bool {
    let cut = head.iter().rposition(|&byte| byte == b'\n');
    let whole = cut.map_or(head, |end| &head[..end]);
    let found = whole.split(|&byte| byte == b'\n').any(|line| {
        pieces(line, grammar).into_iter().any(|piece| match piece {
            Piece::Record(range) => is_record(&line[range]),
            Piece::Lost(..) => false,
        })
    });
    found || (cut.is_none() && has_keys(&String::from_utf8_lossy(head)))
}
