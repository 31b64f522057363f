//! The events of a journal, in order, with where commits end and what is lost.

use std::path::{Path, PathBuf};

use annals_journal_format::frame::Flags;
use annals_journal_format::reader::{Ahead, CommitEnd, Entries, Entry, Item};
use annals_journal_format::scan::Finding;
use annals_journal_format::storage::SourceStorage;
use annals_journal_format::{
    Chain, JournalId, Offset, Position, SegmentNumber, Sequence as FormatSequence, reader, writer,
};

use super::{JournalError, JournalReader};
use crate::event;
use crate::event::{Event, EventError, Kind, Recorded, Sequence};

/// One step of a replay.
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "one at a time, and nearly all are events")]
pub enum ReplayItem {
    Event(Recorded),
    /// Everything so far is whole commits; a cursor may stand here.
    CommitEnd(Mark),
    /// Bytes that are not what was written.
    Lost(Finding),
    /// A whole frame whose payload this build cannot read.
    Undecodable {
        sequence: Sequence,
        kind: Kind,
        error: EventError,
    },
    /// A whole frame of a kind that this build does not know and need not.
    Skipped {
        sequence: Sequence,
        kind: Kind,
    },
}

/// The events of a journal, in order. After an error it ends.
pub struct Replay {
    entries: Ahead,
    path: PathBuf,
    journal: JournalId,
    /// The end of the last commit that was given.
    end: Option<CommitEnd>,
    from: Sequence,
    through: Option<Sequence>,
    ended: bool,
}

impl Replay {
    pub(super) fn new(
        entries: Entries<SourceStorage>,
        path: &Path,
        journal: JournalId,
        from: Sequence,
        through: Option<Sequence>,
    ) -> Self {
        let ended = through.is_some_and(|through| from > through);
        let (entries, path) = (Ahead::of(entries), path.to_owned());
        Self { entries, path, journal, end: None, from, through, ended }
    }

    /// Where the last commit that was given ends, to read on from; `None` before the first.
    pub fn bookmark(&self) -> Option<Bookmark> {
        self.end.as_ref().map(|end| Bookmark::of(self.journal, end))
    }

    fn step(&mut self) -> Option<Result<ReplayItem, JournalError>> {
        loop {
            let item = match self.entries.next()? {
                Ok(item) => item,
                Err(source) => {
                    self.ended = true;
                    return Some(Err(JournalError::Read { path: self.path.clone(), source }));
                }
            };
            let past = |at: Sequence| self.through.is_some_and(|through| at > through);
            return Some(Ok(match item {
                Item::Finding(finding) => ReplayItem::Lost(finding),
                Item::Entry(entry) if Sequence(entry.sequence.0) < self.from => continue,
                Item::Entry(entry) if past(Sequence(entry.sequence.0)) => return None,
                Item::Entry(entry) => decoded(entry),
                Item::Commit(end) if Sequence(end.mark.sequence.0) < self.from => continue,
                Item::Commit(end) if past(Sequence(end.mark.sequence.0)) => return None,
                Item::Commit(end) => {
                    self.ended = self.through == Some(Sequence(end.mark.sequence.0));
                    self.end = Some(end);
                    ReplayItem::CommitEnd(end.mark.into())
                }
            }));
        }
    }
}

impl Iterator for Replay {
    type Item = Result<ReplayItem, JournalError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let item = self.step();
        self.ended |= item.is_none();
        item
    }
}

fn decoded(entry: Entry<'_>) -> ReplayItem {
    let sequence = Sequence(entry.sequence.0);
    match event_of(&entry) {
        Ok(event) => ReplayItem::Event(Recorded { sequence, recorded_ms: entry.time_ms, event }),
        Err(error) => ReplayItem::unread(sequence, Kind(entry.kind), entry.flags, error),
    }
}

impl ReplayItem {
    /// What a frame gives whose event this build cannot have.
    pub(super) fn unread(sequence: Sequence, kind: Kind, flags: Flags, error: EventError) -> Self {
        match error {
            EventError::UnknownKind { .. } if flags.has(Flags::SKIPPABLE) => {
                Self::Skipped { sequence, kind }
            }
            error => Self::Undecodable { sequence, kind, error },
        }
    }
}

pub(super) fn event_of(entry: &Entry<'_>) -> Result<Event, EventError> {
    let kind = Kind(entry.kind);
    match entry.flags.has(Flags::REDACTED) {
        true => Err(EventError::Redacted { kind }),
        false => event::decode(kind, entry.version, &entry.payload),
    }
}

/// Where a reader of a journal stopped. A hint: believed only if a commit with that mark ends there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bookmark {
    pub journal: [u8; 16],
    pub segment: u64,
    /// The first byte behind the commit, in the segment's file.
    pub end: u64,
    pub mark: Mark,
}

impl Bookmark {
    pub(super) fn of(journal: JournalId, end: &CommitEnd) -> Self {
        let Position { segment, offset } = end.end;
        let mark = end.mark.into();
        Self { journal: journal.0, segment: segment.0, end: offset.0, mark }
    }

    /// From an earlier one; of segments that lie between them nothing is known.
    pub(super) fn bytes_since(&self, earlier: &Self) -> u64 {
        match self.segment == earlier.segment {
            true => self.end.saturating_sub(earlier.end),
            false => self.end,
        }
    }

    /// As the format has it.
    pub(super) fn place(&self) -> reader::Bookmark {
        let Mark { sequence, chain } = self.mark;
        let sequence = FormatSequence(sequence.0);
        let mark = annals_journal_format::Mark { sequence, chain: Chain(chain) };
        let end = Position { segment: SegmentNumber(self.segment), offset: Offset(self.end) };
        reader::Bookmark { journal: JournalId(self.journal), end, mark }
    }
}

/// The events behind a bookmark, at a cost that does not depend on what lies before it; where its
/// place is wrong and its mark is not, by a search for the sequence. `None`
/// where the bookmark is not of this journal, or ahead of it.
pub fn since(folder: &Path, bookmark: &Bookmark) -> Result<Option<Replay>, JournalError> {
    let read = |source| JournalError::Read { path: folder.to_owned(), source };
    let place = bookmark.place();
    let reader::Bookmark { journal, mark, .. } = place;
    let from = Sequence(bookmark.mark.sequence.0.saturating_add(1));
    if let Some(entries) = Entries::since(SourceStorage::open(), folder, &place).map_err(read)? {
        return Ok(Some(Replay::new(entries, folder, journal, from, None)));
    }
    // It may stand in another segment by now: looked for by its sequence.
    let reader = JournalReader::open(folder)?;
    let known = reader.reader.id() == journal
        && reader.reader.mark_at(mark.sequence).map_err(read)? == Some(mark);
    Ok(known.then(|| reader.replay(from, None)))
}

/// The end of a commit: its last event, and the chain there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    pub sequence: Sequence,
    pub chain: [u8; 32],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Appended {
    pub first: Sequence,
    pub last: Sequence,
    pub mark: Mark,
}

impl From<reader::Bookmark> for Bookmark {
    fn from(place: reader::Bookmark) -> Self {
        let reader::Bookmark { journal, end, mark } = place;
        let Position { segment, offset } = end;
        Self { journal: journal.0, segment: segment.0, end: offset.0, mark: mark.into() }
    }
}

impl From<annals_journal_format::Mark> for Mark {
    fn from(mark: annals_journal_format::Mark) -> Self {
        Self { sequence: Sequence(mark.sequence.0), chain: mark.chain.0 }
    }
}

impl From<writer::Appended> for Appended {
    fn from(appended: writer::Appended) -> Self {
        Self {
            first: Sequence(appended.first.0),
            last: Sequence(appended.last.0),
            mark: appended.mark.into(),
        }
    }
}
