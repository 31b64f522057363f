//! Reading events without taking part: no lock is held, no byte is changed.

use std::path::{Path, PathBuf};

use annals_journal_format::bundle::is_bundle;
use annals_journal_format::frame::Flags;
use annals_journal_format::reader::{Entries, OwnedEntry, ReadError, Reader};
use annals_journal_format::storage::SourceStorage;
use annals_journal_format::{Position, Sequence as FormatSequence};

use super::archive::is_out_of_reach;
use super::replay::event_of;
use super::{Blobs, Bookmark, JournalError, Mark, Replay};
use crate::event::{Body, Content, JournalCreated, Kind, Recorded, Sequence};

/// What a journal says of itself whose first page cannot be read.
pub const NO_JOURNAL: [u8; 16] = [0; 16];

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

    pub fn id(&self) -> [u8; 16] {
        self.reader.id().0
    }

    /// What its first event says of where it was begun; `None` where that is damaged or redacted.
    pub fn created(&self) -> Option<JournalCreated> {
        match self.get(Sequence(1)).ok()??.event.body {
            Body::JournalCreated(created) => Some(created),
            _ => None,
        }
    }

    /// The chain before its first commit.
    pub(super) fn genesis(&self) -> [u8; 32] {
        annals_journal_format::chain::genesis(self.reader.id()).0
    }

    pub fn mark(&self) -> Mark {
        self.reader.mark().into()
    }

    /// Where the last commit ends; `None` before the first.
    pub fn end(&self) -> Option<Bookmark> {
        let extent =
            self.reader.extents().into_iter().rev().find_map(|it| Some((it.name.number, it.end?)));
        let ((segment, end), mark) = (extent?, self.mark());
        let journal = self.id();
        (mark.sequence > Sequence(0)).then_some(Bookmark { journal, segment: segment.0, end, mark })
    }

    /// The commit that ends at exactly this event; `None` where none does.
    pub fn mark_at(&self, at: Sequence) -> Result<Option<Mark>, JournalError> {
        let found = self.reader.mark_at(FormatSequence(at.0)).map_err(|it| self.unread(it))?;
        Ok(found.map(Mark::from))
    }

    /// Whether a whole commit with that mark ends where it says, or elsewhere in this journal; also where that lies in
    /// an archive that is out of reach, since nothing says otherwise.
    pub fn has(&self, at: &Bookmark) -> bool {
        self.id() == at.journal
            && (is_there(self.storage.clone(), &self.path, at)
                || match self.mark_at(at.mark.sequence) {
                    Ok(found) => found == Some(at.mark),
                    Err(JournalError::Read { source, .. }) => is_out_of_reach(&source),
                    Err(_) => false,
                })
    }

    /// Whether a whole commit with that mark ends where it says, in a journal's folder that is not open.
    pub fn has_in(folder: &Path, reading: Reading, at: &Bookmark) -> bool {
        reading.storage(folder).is_ok_and(|storage| is_there(storage, folder, at))
    }

    /// Looks again for what was written since; answers the last whole commit there is now.
    pub fn refresh(&self) -> Result<Mark, JournalError> {
        self.reader.refresh().map(Mark::from).map_err(|it| self.unread(it))
    }

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
        let found = self.reader.seek_time(time_ms).map_err(|it| self.unread(it))?;
        Ok(found.map_or(self.mark().sequence, |at| Sequence(at.0.saturating_sub(1))))
    }

    /// The events from `from` on, up to the commit that ends at `through` (or all there are).
    pub fn replay(&self, from: Sequence, through: Option<Sequence>) -> Replay {
        let entries = self.reader.entries(FormatSequence(from.0));
        Replay::new(entries, &self.path, self.reader.id(), from, through)
    }

    pub fn get(&self, at: Sequence) -> Result<Option<Recorded>, JournalError> {
        let entry = self.reader.get(FormatSequence(at.0)).map_err(|it| self.unread(it))?;
        entry.map(decoded).transpose()
    }

    pub fn place(&self, at: Sequence) -> Result<Option<(PathBuf, u64)>, JournalError> {
        let entry = self.reader.get(FormatSequence(at.0)).map_err(|it| self.unread(it))?;
        let segments = self.reader.segments();
        Ok(entry.and_then(|entry| {
            let number = entry.position.segment;
            let segment = segments.into_iter().find(|segment| segment.number == number)?;
            Some((segment.path, entry.position.offset.0))
        }))
    }

    /// Where a record stands, of what kind it is, and whether it is redacted; `None` where it is not here.
    pub(super) fn stands(
        &self,
        at: Sequence,
    ) -> Result<Option<(Position, Kind, bool)>, JournalError> {
        let entry = self.reader.get(FormatSequence(at.0)).map_err(|it| self.unread(it))?;
        Ok(entry.map(|it| (it.position, Kind(it.kind), it.flags.has(Flags::REDACTED))))
    }

    pub(crate) fn unread(&self, source: ReadError) -> JournalError {
        JournalError::Read { path: self.path.clone(), source }
    }

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

/// How a journal is read. Neither way changes a byte of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// Somebody may be writing: a bad frame at the tail is read again under a shared lock.
    Live,
    /// As it lies: no lock is taken. A bundle is always read so.
    Evidence,
}

fn is_there(storage: SourceStorage, folder: &Path, at: &Bookmark) -> bool {
    // What cannot be read is not there.
    let there = || Entries::since(storage, folder, &at.place()).is_ok_and(|found| found.is_some());
    folder.is_dir() && there()
}

impl Reading {
    pub(super) fn storage(self, source: &Path) -> Result<SourceStorage, JournalError> {
        match self {
            Self::Live if !is_bundle(source) => Ok(SourceStorage::open()),
            Self::Live | Self::Evidence => Ok(SourceStorage::guarding(source)?),
        }
    }
}

impl JournalReader {
    /// A content's bytes, wherever they lie; of a truncated one its head, a line that says what is
    /// missing, and its tail.
    pub fn bytes(&self, content: &Content) -> Result<Vec<u8>, JournalError> {
        match content {
            Content::Inline(bytes) => Ok(bytes.clone()),
            Content::Blob { hash, len } => self.blobs().get(hash, *len),
            Content::Truncated { head, tail, len } => {
                let missing = len.saturating_sub((head.len() + tail.len()) as u64);
                let line = format!("\n[… {missing} bytes not recorded …]\n");
                Ok([head.as_slice(), line.as_bytes(), tail].concat())
            }
            Content::Repeated { sequence, hash, len } => {
                let sequence = Sequence(*sequence);
                let lost = JournalError::RepeatedLost { sequence, len: *len };
                match self.inline(sequence, hash)? {
                    Some(bytes) => Ok(bytes),
                    // It may have been lifted out of that event when it was redacted.
                    None => self.blobs().get(hash, *len).map_err(|_| lost),
                }
            }
        }
    }

    /// The inline content of this blake3 in an event. One that only refers on counts as none: no
    /// chain of references is ever followed.
    pub fn inline(&self, at: Sequence, hash: &[u8; 32]) -> Result<Option<Vec<u8>>, JournalError> {
        let found = match self.get(at) {
            // A redacted or unknown event has no content to give.
            Err(JournalError::Undecodable { .. }) => None,
            found => found?,
        };
        let Some(mut recorded) = found else { return Ok(None) };
        for content in recorded.event.body.contents_mut() {
            if let Content::Inline(bytes) = content
                && blake3::hash(bytes).as_bytes() == hash
            {
                return Ok(Some(std::mem::take(bytes)));
            }
        }
        Ok(None)
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub path: PathBuf,
    /// Where its frame begins, a byte offset in the file.
    pub offset: u64,
}

pub fn place(journal: &Path, at: Sequence) -> Result<Option<Place>, JournalError> {
    JournalReader::open(journal)?
        .place(at)
        .map(|found| found.map(|(path, offset)| Place { path, offset }))
}
