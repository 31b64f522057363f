//! Reading events without taking part: no lock is held, no byte is changed.

use std::path::{Path, PathBuf};

use annals_journal_format::Sequence as FormatSequence;
use annals_journal_format::reader::{OwnedEntry, Reader};
use annals_journal_format::storage::SourceStorage;

use super::replay::event_of;
use super::{Blobs, JournalError, Mark, Reading, Replay};
use crate::event::{Recorded, Sequence};

/// A journal, or one segment of it, open for reading.
pub struct JournalReader {
    pub(super) reader: Reader<SourceStorage>,
    pub(super) storage: SourceStorage,
    pub(super) path: PathBuf,
}

impl JournalReader {
    /// Opens a journal's folder, or one `.seg` file.
    pub fn open(path: &Path) -> Result<Self, JournalError> {
        Self::reading(path, Reading::Live)
    }

    /// As [`Self::open`], live or as evidence.
    pub fn reading(path: &Path, reading: Reading) -> Result<Self, JournalError> {
        let storage = reading.storage(path)?;
        // Who only asks wants what is left of a bad disk; who goes on with it wants the error.
        let open = match reading {
            Reading::Live => Reader::open,
            Reading::Evidence => Reader::open_forgiving,
        };
        let reader = open(storage.clone(), path)
            .map_err(|source| JournalError::Read { path: path.to_owned(), source })?;
        Ok(Self { reader, storage, path: path.to_owned() })
    }

    /// The journal's identity.
    pub fn id(&self) -> [u8; 16] {
        self.reader.id().0
    }

    /// The last whole commit there was when the journal was opened.
    pub fn mark(&self) -> Mark {
        self.reader.mark().into()
    }

    /// The commit that ends at exactly this event; `None` where none does.
    pub fn mark_at(&self, at: Sequence) -> Result<Option<Mark>, JournalError> {
        let found = self.reader.mark_at(FormatSequence(at.0));
        let read = |source| JournalError::Read { path: self.path.clone(), source };
        Ok(found.map_err(read)?.map(Mark::from))
    }

    /// Looks again for what was written since; answers the last whole commit there is now.
    pub fn refresh(&self) -> Result<Mark, JournalError> {
        let read = |source| JournalError::Read { path: self.path.clone(), source };
        self.reader.refresh().map(Mark::from).map_err(read)
    }

    /// How many segments there are.
    pub fn segments(&self) -> u64 {
        self.reader.segments().len() as u64
    }

    /// The sequence before the first that could be here: of one segment alone, what lies in the
    /// segments before it is not lost.
    pub fn begins_after(&self) -> Sequence {
        let segments = self.reader.segments();
        let first = segments.first().filter(|_| self.path.is_file());
        Sequence(first.map_or(0, |segment| segment.first_sequence.0.saturating_sub(1)))
    }

    /// The last event that was recorded before this moment, Unix milliseconds, as long as the clock
    /// did not run backward.
    pub fn before_time(&self, time_ms: u64) -> Result<Sequence, JournalError> {
        let found = self
            .reader
            .seek_time(time_ms)
            .map_err(|source| JournalError::Read { path: self.path.clone(), source })?;
        Ok(found.map_or(self.mark().sequence, |at| Sequence(at.0.saturating_sub(1))))
    }

    /// The events from `from` on, up to the commit that ends at `through` (or all there are).
    pub fn replay(&self, from: Sequence, through: Option<Sequence>) -> Replay {
        let entries = self.reader.entries(FormatSequence(from.0));
        Replay::new(entries, &self.path, self.reader.id(), from, through)
    }

    /// One event.
    pub fn get(&self, at: Sequence) -> Result<Option<Recorded>, JournalError> {
        let entry = self
            .reader
            .get(FormatSequence(at.0))
            .map_err(|source| JournalError::Read { path: self.path.clone(), source })?;
        entry.map(decoded).transpose()
    }

    /// The file of an event's segment and its frame's byte offset there.
    pub fn place(&self, at: Sequence) -> Result<Option<(PathBuf, u64)>, JournalError> {
        let entry = self
            .reader
            .get(FormatSequence(at.0))
            .map_err(|source| JournalError::Read { path: self.path.clone(), source })?;
        let segments = self.reader.segments();
        Ok(entry.and_then(|entry| {
            let number = entry.position.segment;
            let segment = segments.into_iter().find(|segment| segment.number == number)?;
            Some((segment.path, entry.position.offset.0))
        }))
    }

    /// The folder of content too large to travel inline.
    pub fn blobs(&self) -> Blobs {
        match self.storage.bundle() {
            Some(_) => Blobs::within(&self.path, &self.storage),
            None => Blobs::files_of(&self.path),
        }
    }
}

fn decoded(entry: OwnedEntry) -> Result<Recorded, JournalError> {
    let sequence = Sequence(entry.sequence.0);
    let event =
        event_of(&entry).map_err(|source| JournalError::Undecodable { sequence, source })?;
    Ok(Recorded { sequence, recorded_ms: entry.time_ms, event })
}
