//! Reads a Claude Code transcript: line by line, in bounded memory, over every damage.

use std::collections::VecDeque;
use std::io::{self, BufRead};

use super::loose::parsed;
use super::pieces::{Piece, pieces};
use super::read_record::read_record;
use super::record::Record;
use super::surrogates;
use crate::surface::import::flaw::Flaw;
use crate::surface::import::item::{Item, TranscriptRecord};
use crate::surface::import::lines::Lines;

/// The items of one transcript, in file order. Pure: it knows no journal and no other file.
pub struct Transcript<R> {
    lines: Lines<R>,
    ready: VecDeque<Item>,
}

/// The items of a transcript.
pub fn parse<R: BufRead>(reader: R) -> Transcript<R> {
    Transcript { lines: Lines::new(reader), ready: VecDeque::new() }
}

impl<R> Transcript<R> {
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
                    Some(bytes) => read_line(line.number, bytes, &mut self.ready),
                    None => {
                        let flaw = Flaw::TooLong { bytes: line.len };
                        self.ready.push_back(Item::Unreadable { line: line.number, flaw });
                    }
                },
                Ok(None) => return None,
                Err(error) => return Some(Err(error)),
            }
        }
    }
}

/// The items of one line; a line that is one record, as nearly all are, is parsed once.
fn read_line(number: u64, line: &[u8], out: &mut VecDeque<Item>) {
    if line.first() == Some(&b'{')
        && let Some(record) = parsed::<Record<'_>>(line)
    {
        out.push_back(Item::Record(Box::new(read_record(number, &record))));
        return;
    }
    let (mut records, mut lost) = (Vec::new(), None);
    for piece in pieces(line) {
        match piece {
            Piece::Record(range) => match read_piece(number, &line[range.clone()]) {
                Some(record) => records.push(Item::Record(Box::new(record))),
                None => lost = lost.or(Some(Flaw::NotJson { at: range.start as u64 })),
            },
            Piece::Lost(_, flaw) => lost = lost.or(Some(flaw)),
        }
    }
    if records.len() > 1 {
        out.push_back(Item::Glued { line: number, records: records.len() });
    }
    out.extend(lost.map(|flaw| Item::Unreadable { line: number, flaw }));
    out.extend(records);
}

/// A whole JSON object that did not parse as it stands may do so once its text is mended.
fn read_piece(number: u64, bytes: &[u8]) -> Option<TranscriptRecord> {
    if let Some(record) = parsed::<Record<'_>>(bytes) {
        return Some(read_record(number, &record));
    }
    let mended = surrogates::mended(bytes)?;
    let record: Record<'_> = parsed(&mended)?;
    Some(read_record(number, &record))
}
