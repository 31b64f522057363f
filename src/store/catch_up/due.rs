//! Up to which event the journal concerns a store.

use crate::event::Sequence;
use crate::execution::index::{IndexReader, Operations};
use crate::store::{Concern, StoreError};
use crate::stores::{StoreName, StorePlaces};

/// Up to which event the journal concerns a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Due {
    /// Any event may.
    Everything,
    /// None after this one, as far as the index has read.
    Through(Sequence),
    /// None has: such a store is not made.
    Nothing,
}

impl Due {
    /// What a caught-up index says of a store.
    pub fn by(operations: Operations, store: StoreName) -> Self {
        match (store.concern(), operations.last(store.concern())) {
            (Concern::Everything, _) => Self::Everything,
            (_, Some(last)) => Self::Through(Sequence(last)),
            (_, None) => Self::Nothing,
        }
    }

    /// As [`Self::by`], by the index at its place. It is not asked where nothing depends on it.
    pub fn of(store: StoreName, places: &StorePlaces) -> Result<Self, StoreError> {
        match store.concern() {
            Concern::Everything => Ok(Self::Everything),
            _ => Ok(Self::by(IndexReader::open(&places.index)?.operations()?, store)),
        }
    }

    /// Whether a store that has everything up to here lacks nothing.
    pub fn is_done(self, at: Sequence) -> bool {
        match self {
            Self::Everything => false,
            Self::Through(last) => at >= last,
            Self::Nothing => true,
        }
    }
}

/// The event after which there is something for a store: what lies between is not read.
pub(super) fn skipped(
    store: StoreName,
    places: &StorePlaces,
    after: Sequence,
) -> Result<Sequence, StoreError> {
    if store.concern() == Concern::Everything {
        return Ok(after);
    }
    let next = IndexReader::open(&places.index)?.next_operation(store.concern(), after.0)?;
    Ok(next.map_or(after, |next| Sequence(next.saturating_sub(1)).max(after)))
}
