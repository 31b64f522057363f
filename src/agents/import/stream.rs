//! A session's transcript with its subagents' beside it, as one stream in order of time.

use std::io;

use super::Flaw;
use super::item::Item;
use super::opened::Opened;
use super::source_file::SourceFile;
use super::transcript::Transcript;

/// A session's transcript and those of its subagents.
///
/// Each file keeps its own order; a subagent's record is given before the first record of the
/// session that is later than it. Else a subagent's calls would all be moved to the end of their
/// session, for no event may lie behind an earlier one of its session (I3).
pub struct Feed {
    main: Reading,
    beside: Vec<Reading>,
}

/// One file that is read, and the item it will give next.
struct Reading {
    /// Its number among the command's files.
    file: usize,
    items: Transcript<Opened>,
    next: Option<Item>,
    at_ms: u64,
    told: u64,
    /// Its last item was given.
    ended: bool,
}

/// What a feed gives: an item, the file it stands in, and the bytes read for it.
pub struct Fed {
    pub file: usize,
    pub item: Item,
    pub bytes: u64,
}

impl Feed {
    /// Opens a session's file and its subagents'.
    pub fn open(files: &[SourceFile], main: usize, beside: &[usize]) -> Result<Self, OpenFailed> {
        let open =
            |file: usize| Reading::open(files, file).map_err(|source| OpenFailed { file, source });
        Ok(Self {
            main: open(main)?,
            beside: beside.iter().copied().map(open).collect::<Result<_, _>>()?,
        })
    }

    /// The next item.
    pub fn next(&mut self) -> Option<Result<Fed, OpenFailed>> {
        let earliest = self.beside.iter().enumerate().filter(|(_, side)| side.next.is_some());
        let earliest = earliest.min_by_key(|(_, side)| side.at_ms).map(|(at, _)| at);
        let due = earliest
            .filter(|&at| self.main.next.is_none() || self.beside[at].at_ms < self.main.at_ms);
        let reading = match due {
            Some(at) => &mut self.beside[at],
            None => &mut self.main,
        };
        let file = reading.file;
        reading.give().map(|given| given.map_err(|source| OpenFailed { file, source }))
    }

    /// Lines read of all its files.
    pub fn lines(&self) -> u64 {
        self.main.items.lines() + self.beside.iter().map(|side| side.items.lines()).sum::<u64>()
    }
}

/// A file of a feed that could not be read.
#[derive(Debug)]
pub struct OpenFailed {
    pub file: usize,
    pub source: io::Error,
}

impl Reading {
    fn open(files: &[SourceFile], file: usize) -> io::Result<Self> {
        let source = files.get(file).ok_or(io::ErrorKind::NotFound)?;
        let items = Transcript::new(source.open()?, source.format.dialect());
        let mut reading = Self { file, items, next: None, at_ms: 0, told: 0, ended: false };
        reading.advance()?;
        Ok(reading)
    }

    /// Reads the item to give next; one without a time comes right after the one before it.
    fn advance(&mut self) -> io::Result<()> {
        self.next = self.items.next().transpose()?;
        if self.next.is_none() && !std::mem::replace(&mut self.ended, true) {
            let broken = self.items.reader().is_broken();
            let line = self.items.lines() + 1;
            self.next = broken.then_some(Item::Unreadable { line, flaw: Flaw::Packed });
        }
        if let Some(Item::Record(record)) = &self.next {
            self.at_ms = record.head.at_ms.unwrap_or(self.at_ms);
        }
        Ok(())
    }

    fn give(&mut self) -> Option<io::Result<Fed>> {
        let item = self.next.take()?;
        if let Err(error) = self.advance() {
            return Some(Err(error));
        }
        let offset = self.items.reader().taken().unwrap_or_else(|| self.items.offset());
        let bytes = offset - std::mem::replace(&mut self.told, offset);
        Some(Ok(Fed { file: self.file, item, bytes }))
    }
}
