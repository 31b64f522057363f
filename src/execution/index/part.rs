//! What of the index is another noun's than executions.

use super::Index;
use crate::event::Recorded;
use crate::store::StoreError;

/// What a noun writes into the index of its events.
pub trait IndexPart: std::fmt::Debug {
    /// Writes the rows of an event; of one that is another's, none.
    fn apply(
        &mut self,
        index: &mut Index,
        recorded: &Recorded,
        session: Option<u64>,
    ) -> Result<(), StoreError>;

    /// Writes what was kept back, before the transaction ends.
    fn settle(&mut self, _index: &mut Index) -> Result<(), StoreError> {
        Ok(())
    }

    /// Forgets what was kept back: the transaction was none.
    fn forget(&mut self) {}
}
