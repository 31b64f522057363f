//! The events of a journal, in order, with where commits end and what is lost.

use std::path::{Path, PathBuf};

use annals_journal_format::JournalId;
use annals_journal_format::frame::Flags;
use annals_journal_format::reader::{CommitEnd, Entries, Entry, Item};
use annals_journal_format::scan::Finding;
use annals_journal_format::storage::SourceStorage;

use super::{Bookmark, JournalError, Mark};
use crate::event::{self, Event, EventError, Kind, Recorded, Sequence};

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
    entries: Entries<SourceStorage>,
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
        let path = path.to_owned();
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
    let (sequence, kind) = (Sequence(entry.sequence.0), Kind(entry.kind));
    match event_of(&entry) {
        Ok(event) => ReplayItem::Event(Recorded { sequence, recorded_ms: entry.time_ms, event }),
        Err(EventError::UnknownKind { .. }) if entry.flags.has(Flags::SKIPPABLE) => {
            ReplayItem::Skipped { sequence, kind }
        }
        Err(error) => ReplayItem::Undecodable { sequence, kind, error },
    }
}

/// The event in an entry.
pub(super) fn event_of(entry: &Entry<'_>) -> Result<Event, EventError> {
    let kind = Kind(entry.kind);
    match entry.flags.has(Flags::REDACTED) {
        true => Err(EventError::Redacted { kind }),
        false => event::decode(kind, entry.version, &entry.payload),
    }
}
