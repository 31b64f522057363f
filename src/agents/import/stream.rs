//! A session's transcript with its subagents' beside it, as one stream in order of time.

use std::collections::{HashMap, VecDeque};
use std::io;
use std::panic::resume_unwind;
use std::sync::mpsc::sync_channel;
use std::thread;

use super::growth::Growth;
use super::item::Item;
use super::limits::{AHEAD_BYTES_MAX, AHEAD_ITEMS_MAX, BESIDE_MAX, NEIGHBOURS_MAX};
use super::log::Log;
use super::log_source::Reads;
use super::odd::is_of_no_zone;
use super::rests::Rests;
use super::source_file::{SourceFile, can_be};
use super::transcript::Transcript;
use crate::event::wire;

/// A session's transcript and those of its subagents.
///
/// Each file keeps its own order; a subagent's record is given before the first record of the
/// session that is later than it. Else a subagent's calls would all be moved to the end of their
/// session, for no event may lie behind an earlier one of its session (I3).
pub struct Feed {
    main: Reading,
    beside: Vec<Reading>,
}

struct Reading {
    file: usize,
    items: Log,
    /// What was read ahead of its turn.
    ahead: VecDeque<Item>,
    until_ms: u64,
    /// When the file was last written, where that is the time of records without one.
    file_ms: Option<u64>,
    /// Records so far, and whether one had no time in a file that had told none.
    records: u64,
    is_untimed: bool,
    next: Option<Item>,
    at_ms: u64,
    told: u64,
    ended: bool,
}

pub struct Fed {
    pub file: usize,
    pub item: Item,
    pub bytes: u64,
}

impl Feed {
    pub fn open(files: &[SourceFile], main: usize, beside: &[usize]) -> Result<Self, OpenFailed> {
        let open =
            |file: usize| Reading::open(files, file).map_err(|source| OpenFailed { file, source });
        Ok(Self {
            main: open(main)?,
            beside: beside.iter().copied().map(open).collect::<Result<_, _>>()?,
        })
    }

    /// One file's growth.
    pub fn grown(files: &[SourceFile], growth: Growth) -> io::Result<Self> {
        let source = files.first().ok_or(io::ErrorKind::NotFound)?;
        let Reads::Lines(dialect) = source.source.reads else {
            return Err(io::ErrorKind::Unsupported.into());
        };
        let lines = Transcript::grown(source.open()?, dialect(), growth)?;
        let items = Log::Lines(Box::new(lines));
        Ok(Self { main: Reading::of(0, source, items)?, beside: Vec::new() })
    }

    /// How far the growth was read.
    pub fn growth(self) -> Option<Growth> {
        self.main.items.growth()
    }

    /// Gives `take` what is read, by a thread of its own that is a batch ahead. The inner error ended the
    /// reading.
    pub fn ahead<E>(
        &mut self,
        take: impl FnOnce(&mut dyn Iterator<Item = Fed>) -> Result<(), E>,
    ) -> Result<Result<(), OpenFailed>, E> {
        thread::scope(|scope| {
            let (full, batches) = sync_channel(0);
            // Who takes no more has an error of their own to tell.
            let reader = scope.spawn(move || self.read(|batch| full.send(batch).is_ok()));
            take(&mut batches.into_iter().flatten())?;
            Ok(reader.join().unwrap_or_else(|panicked| resume_unwind(panicked)))
        })
    }

    /// Gives it all in batches, as long as they are taken.
    pub fn read(&mut self, give: impl Fn(Vec<Fed>) -> bool) -> Result<(), OpenFailed> {
        loop {
            let (mut batch, mut bytes) = (Vec::new(), 0);
            let mut ended = None;
            while ended.is_none() && batch.len() < AHEAD_ITEMS_MAX && bytes < AHEAD_BYTES_MAX {
                match self.next() {
                    Some(Ok(fed)) => {
                        bytes += fed.bytes;
                        batch.push(fed);
                    }
                    Some(Err(failed)) => ended = Some(Err(failed)),
                    None => ended = Some(Ok(())),
                }
            }
            let is_gone = !give(batch);
            if let Some(ended) = ended.or(is_gone.then_some(Ok(()))) {
                return ended;
            }
        }
    }

    fn next(&mut self) -> Option<Result<Fed, OpenFailed>> {
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

    pub fn lines(&self) -> u64 {
        let lines = |it: &Reading| it.items.place().0;
        lines(&self.main) + self.beside.iter().map(lines).sum::<u64>()
    }

    /// From where each file may be read on; none where its text is another than its bytes.
    pub fn rests(&self) -> impl Iterator<Item = (usize, &Rests)> {
        let all = std::iter::once(&self.main).chain(&self.beside);
        all.filter_map(|it| Some((it.file, it.items.rests()?)))
    }

    /// The files whose records had no time of their own.
    pub fn untimed(&self) -> impl Iterator<Item = usize> {
        let all = std::iter::once(&self.main).chain(&self.beside);
        all.filter(|it| it.is_untimed).map(|it| it.file)
    }
}

#[derive(Debug)]
pub struct OpenFailed {
    pub file: usize,
    pub source: io::Error,
}

impl Reading {
    fn open(files: &[SourceFile], file: usize) -> io::Result<Self> {
        let source = files.get(file).ok_or(io::ErrorKind::NotFound)?;
        Self::of(file, source, Log::open(source)?)
    }

    fn of(file: usize, source: &SourceFile, items: Log) -> io::Result<Self> {
        let (told, records) = items.from();
        let file_ms = source.source.untimed.then_some(source.modified_ms);
        let mut reading = Self {
            file,
            items,
            ahead: VecDeque::new(),
            until_ms: source.until_ms(),
            file_ms,
            records,
            is_untimed: false,
            next: None,
            at_ms: 0,
            told,
            ended: false,
        };
        reading.advance()?;
        Ok(reading)
    }

    /// Reads the item to give next; one without a time comes right after the one before it.
    fn advance(&mut self) -> io::Result<()> {
        self.next = self.read()?;
        if self.next.is_none() && !std::mem::replace(&mut self.ended, true) {
            self.next = self.items.break_off();
        }
        if !matches!(self.next, Some(Item::Record(_))) {
            return Ok(());
        }
        let behind_ms = match &self.next {
            Some(Item::Record(record)) if record.head.odd_time.is_some() => self.neighbour_ms()?,
            _ => None,
        };
        if let Some(Item::Record(record)) = &mut self.next {
            self.records += 1;
            let head = &mut record.head;
            if head.at_ms.is_none() && !record.parts.is_empty() {
                // What only the end of a file tells has the time of what stands before it.
                head.is_untimed = self.file_ms.is_some() || record.line > 0;
                head.at_ms = behind_ms;
                let is_first = self.at_ms == 0 || self.is_untimed;
                if let (None, Some(file_ms), true) = (head.at_ms, self.file_ms, is_first) {
                    self.is_untimed = true;
                    head.at_ms = Some(file_ms.saturating_add(self.records));
                }
            }
            self.at_ms = head.at_ms.unwrap_or(self.at_ms);
        }
        Ok(())
    }

    fn read(&mut self) -> io::Result<Option<Item>> {
        match self.ahead.pop_front() {
            Some(item) => Ok(Some(item)),
            None => self.read_ahead(),
        }
    }

    /// Reads an item, and judges its time: one that cannot be is none.
    fn read_ahead(&mut self) -> io::Result<Option<Item>> {
        let mut item = self.items.next().transpose()?;
        if let Some(Item::Record(record)) = &mut item {
            let head = &mut record.head;
            if let Some(at_ms) = head.at_ms.take_if(|at_ms| !can_be(*at_ms, self.until_ms)) {
                let words = wire::utc_text(at_ms).unwrap_or_else(|| at_ms.to_string());
                head.odd_time.get_or_insert(words);
            }
            if self.file_ms.is_some() {
                // Without a zone it tells an order.
                head.odd_time.take_if(|words| is_of_no_zone(words));
            }
        }
        Ok(item)
    }

    /// The time of the record before, or of the next one that has any.
    fn neighbour_ms(&mut self) -> io::Result<Option<u64>> {
        if self.at_ms > 0 {
            return Ok(Some(self.at_ms).filter(|_| !self.is_untimed));
        }
        let at_ms = |item: &Item| match item {
            Item::Record(record) => record.head.at_ms,
            _ => None,
        };
        if let Some(known) = self.ahead.iter().find_map(at_ms) {
            return Ok(Some(known));
        }
        while self.ahead.len() < NEIGHBOURS_MAX {
            let Some(item) = self.read_ahead()? else { break };
            let found = at_ms(&item);
            self.ahead.push_back(item);
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }

    fn give(&mut self) -> Option<io::Result<Fed>> {
        let item = self.next.take()?;
        if let Err(error) = self.advance() {
            return Some(Err(error));
        }
        let offset = self.items.place().1;
        let bytes = offset - std::mem::replace(&mut self.told, offset);
        Some(Ok(Fed { file: self.file, item, bytes }))
    }
}

/// The files to read together, by number: a session's, and its subagents' beside it. A subagent's
/// file whose session is not among the files stands alone; so do those above [`BESIDE_MAX`], for
/// every file that is read at once takes memory.
pub fn groups(files: &[SourceFile]) -> Vec<(usize, Vec<usize>)> {
    let mut groups: Vec<(usize, Vec<usize>)> = Vec::new();
    let mut alone = Vec::new();
    let mut of_session = HashMap::new();
    for (number, file) in files.iter().enumerate() {
        let Some(session_of) = file.source.session_of else {
            groups.push((number, Vec::new()));
            continue;
        };
        if !file.is_subagent() {
            let stem = file.path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            of_session.entry(stem).or_insert(groups.len());
            groups.push((number, Vec::new()));
            continue;
        }
        // A file that cannot be read now is reported when it is opened.
        let session = file.head().ok().and_then(|head| session_of(&head));
        let group = session.and_then(|session| of_session.get(&session).copied());
        match group.and_then(|group| groups.get_mut(group)) {
            Some((_, beside)) if beside.len() < BESIDE_MAX => beside.push(number),
            _ => alone.push((number, Vec::new())),
        }
    }
    groups.append(&mut alone);
    groups
}
