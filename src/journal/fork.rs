//! Two journals of one id that do not tell the same story.

use annals_journal_format::reader::{CommitEnd, Entries, Item};
use annals_journal_format::storage::SourceStorage;

use super::{JournalError, JournalReader};
use crate::event::Sequence;

/// Where two journals of one id part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fork {
    /// The last event that both have: 0 where there is none.
    pub after: Sequence,
}

/// Where two journals of one id part; `None` where one is the beginning of the other, or their ids
/// differ. A commit that is damaged in one of them is no fork.
pub fn fork(one: &JournalReader, other: &JournalReader) -> Result<Option<Fork>, JournalError> {
    if one.id() != other.id() {
        return Ok(None);
    }
    let (short, long) = match one.mark().sequence <= other.mark().sequence {
        true => (one, other),
        false => (other, one),
    };
    let end = short.mark();
    // A chain vouches for all that lies before it.
    if end.sequence == Sequence(0) || long.mark_at(end.sequence)? == Some(end) {
        return Ok(None);
    }
    let begin = |it: &JournalReader| it.reader.entries(annals_journal_format::Sequence(1));
    let (mut left, mut right) = (begin(one), begin(other));
    let (mut a, mut b) = (next(one, &mut left)?, next(other, &mut right)?);
    let mut after = Sequence(0);
    while let (Some(x), Some(y)) = (&a, &b) {
        let same_end = x.mark.sequence == y.mark.sequence;
        let same_begin = x.first == y.first && x.whole && y.whole;
        if (same_end || same_begin) && x.mark != y.mark {
            return Ok(Some(Fork { after }));
        }
        if same_end {
            after = Sequence(x.mark.sequence.0);
        }
        let (ahead, behind) = (x.mark.sequence, y.mark.sequence);
        if ahead <= behind {
            a = next(one, &mut left)?;
        }
        if behind <= ahead {
            b = next(other, &mut right)?;
        }
    }
    Ok(None)
}

fn next(
    of: &JournalReader,
    entries: &mut Entries<SourceStorage>,
) -> Result<Option<CommitEnd>, JournalError> {
    while let Some(item) = entries.next() {
        let failed = |source| JournalError::Read { path: of.path.clone(), source };
        if let Item::Commit(end) = item.map_err(failed)? {
            return Ok(Some(end));
        }
    }
    Ok(None)
}
