//! Where a fold that is made anew begins: as far as `index.db` can vouch for the past.

use super::Grounding;
use crate::command::Project;
use crate::event::SessionId;
use crate::journal::JournalReader;

/// A fold of a session up to where the index knows that nothing of it lies before; `None` where
/// there is no index to ask, and the journal is read from its beginning.
pub(super) fn seed(
    _project: &Project,
    _reader: &JournalReader,
    _session: SessionId,
) -> Option<Grounding> {
    None
}
