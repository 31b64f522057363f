//! Where a fold that is made anew begins: as far as `index.db` vouches for the past.

use super::cited::usable_index;
use crate::event::{ExecutionId, Sequence, SessionId};
use crate::execution::query::{IndexedRow, QueryError};
use crate::grounding::fold::{Grounding, Hex, Ordinals, Row, RowState, session_tag, tag};
use crate::journal::JournalReader;
use crate::journal::Project;

/// A fold of a session up to where the index knows that nothing of it lies before; `None` where
/// there is no index to ask, and the journal is read from its beginning.
pub(super) fn seed(
    project: &Project,
    reader: &JournalReader,
    session: SessionId,
) -> Option<Grounding> {
    let (index, through) = usable_index(project, reader)?;
    let seeded = || -> Result<Grounding, QueryError> {
        let first = index.first_of_session(session)?;
        let before = first.unwrap_or(Sequence(through.0 + 1));
        let counted = index.counted_before(before)?;
        let rows = counted.newest.iter().map(row);
        let aliases = counted.void_starts.iter().map(|(id, first)| (tag(*id), tag(*first)));
        let ordinals = Ordinals::seeded(counted.ordinals, &counted.tools, rows, aliases);
        Ok(Grounding::seeded(session, Sequence(before.0.saturating_sub(1)), ordinals))
    };
    // An index that cannot be asked is passed over: the journal is read instead.
    seeded().ok()
}

fn row(row: &IndexedRow) -> Row {
    let state = match (row.ordinal, row.has_ended) {
        (Some(_), _) => RowState::Numbered,
        (None, true) => RowState::Ended,
        (None, false) => RowState::Open,
    };
    // As `call_tag` has it: the index keeps the very text.
    let call = row.call_key.as_deref().map_or(0, |key| Hex::of_text("call", key).call_tag());
    let session = row.session.map_or(0, session_tag);
    let id: ExecutionId = row.id;
    Row { id: tag(id), call, session, state }
}
