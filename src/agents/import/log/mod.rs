//! One log being read, whatever is its form.

use std::collections::VecDeque;
use std::io;

use super::Flaw;
use super::growth::Growth;
use super::item::Item;
use super::lines::Opened;
use super::log_source::Reads;
use super::rests::Rests;
use super::source_file::SourceFile;
use super::transcript::Transcript;
use super::whole::WholeLog;

pub enum Log {
    Lines(Box<Transcript<Opened>>),
    Whole { log: Box<dyn WholeLog>, ready: VecDeque<Item>, ended: bool, is_ongoing: bool },
}

impl Log {
    pub fn open(file: &SourceFile) -> io::Result<Self> {
        Ok(match file.source.reads {
            Reads::Lines(dialect) => {
                let mut lines = Transcript::new(file.open()?, dialect());
                if let Some(rest) = &file.rest
                    && lines.lines.reader.skip_to(rest.offset)?
                {
                    lines.read_on(rest);
                }
                lines.is_ongoing = file.is_ongoing;
                Self::Lines(Box::new(lines))
            }
            Reads::Whole(open) => {
                let (ready, is_ongoing) = (VecDeque::new(), file.is_ongoing);
                Self::Whole { log: open(file)?, ready, ended: false, is_ongoing }
            }
        })
    }

    /// Lines or records that were read, and bytes of the file up to here.
    pub fn place(&self) -> (u64, u64) {
        match self {
            Self::Lines(it) => {
                let offset = it.lines.reader.taken().unwrap_or(it.lines.offset);
                (it.lines.number - it.from.1, offset)
            }
            Self::Whole { log, .. } => log.place(),
        }
    }

    /// The byte and the line that it was read on from.
    pub fn from(&self) -> (u64, u64) {
        match self {
            Self::Lines(it) => it.from,
            Self::Whole { .. } => (0, 0),
        }
    }

    /// From where it may be read on; none where its text is another than its bytes.
    pub fn rests(&self) -> Option<&Rests> {
        match self {
            Self::Lines(it) => (!it.lines.reader.is_packed()).then_some(&it.rests),
            Self::Whole { .. } => None,
        }
    }

    pub fn growth(self) -> Option<Growth> {
        match self {
            Self::Lines(it) => it.growth.map(|growth| *growth),
            Self::Whole { .. } => None,
        }
    }

    /// What tells that its text ended before it should.
    pub fn break_off(&self) -> Option<Item> {
        let (is_broken, line, is_ongoing) = match self {
            Self::Lines(it) => (it.lines.reader.is_broken(), it.lines.number + 1, it.is_ongoing),
            Self::Whole { log, is_ongoing, .. } => {
                (log.is_broken(), log.place().0 + 1, *is_ongoing)
            }
        };
        (is_broken && !is_ongoing).then_some(Item::Unreadable { line, flaw: Flaw::Packed })
    }
}

impl Iterator for Log {
    type Item = io::Result<Item>;

    fn next(&mut self) -> Option<Self::Item> {
        match self {
            Self::Lines(it) => it.next(),
            Self::Whole { log, ready, ended, is_ongoing } => loop {
                if let Some(item) = ready.pop_front() {
                    if *is_ongoing && is_half(&item) {
                        continue;
                    }
                    return Some(Ok(item));
                }
                if *ended {
                    return None;
                }
                match log.read(ready) {
                    Ok(more) => *ended = !more,
                    Err(error) => {
                        *ended = true;
                        return Some(Err(error));
                    }
                }
            },
        }
    }
}

/// Whether it tells what may be whole when more is written: only the end of a file is torn.
fn is_half(item: &Item) -> bool {
    matches!(item, Item::Unreadable { flaw: Flaw::Torn | Flaw::NoMarks, .. })
}

#[cfg(test)]
mod tests;
