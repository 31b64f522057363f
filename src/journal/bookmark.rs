//! Where a reader of a journal stopped, to read on from.

use std::path::Path;

use annals_journal_format::reader::{self, CommitEnd, Entries};
use annals_journal_format::storage::SourceStorage;
use annals_journal_format::{
    Chain, JournalId, Offset, Position, SegmentNumber, Sequence as FormatSequence,
};

use super::{JournalError, JournalReader, Mark, Replay};
use crate::event::Sequence;

/// Where a reader of a journal stopped. A hint: believed only if a commit with that mark ends there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bookmark {
    /// The journal's id.
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
}

/// The events behind a bookmark, at a cost that does not depend on what lies before it; where its
/// place is wrong and its mark is not, by a search for the sequence. `None`
/// where the bookmark is not of this journal, or ahead of it.
pub fn since(folder: &Path, bookmark: &Bookmark) -> Result<Option<Replay>, JournalError> {
    let read = |source| JournalError::Read { path: folder.to_owned(), source };
    let Mark { sequence, chain } = bookmark.mark;
    let mark =
        annals_journal_format::Mark { sequence: FormatSequence(sequence.0), chain: Chain(chain) };
    let end = Position { segment: SegmentNumber(bookmark.segment), offset: Offset(bookmark.end) };
    let journal = JournalId(bookmark.journal);
    let place = reader::Bookmark { journal, end, mark };
    let from = Sequence(sequence.0 + 1);
    if let Some(entries) = Entries::since(SourceStorage::open(), folder, &place).map_err(read)? {
        return Ok(Some(Replay::new(entries, folder, journal, from, None)));
    }
    // It may stand in another segment by now: looked for by its sequence.
    let reader = JournalReader::open(folder)?;
    let known = reader.reader.id() == journal
        && reader.reader.mark_at(mark.sequence).map_err(read)? == Some(mark);
    Ok(known.then(|| reader.replay(from, None)))
}
