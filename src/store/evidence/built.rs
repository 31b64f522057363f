//! Stores built from a journal, in the cache.

use super::entry::Entry;
use crate::journal::Mark;
use crate::stores::StorePlaces;

/// Stores built from a journal, in the cache; kept from being cleared away while this is held.
#[derive(Debug)]
pub struct BuiltStores {
    /// The journal's identity.
    pub journal: [u8; 16],
    /// The last event that they have.
    pub through: Mark,
    pub places: StorePlaces,
    /// Why a store is not there that queries can do without.
    pub lag: Option<String>,
    /// Events that they were to be made of are lost, as building them met.
    pub met_losses: bool,
    pub(super) entry: Entry,
}

impl BuiltStores {
    /// Whether they are in no cache, and go when this does.
    pub fn is_private(&self) -> bool {
        self.entry.is_private()
    }
}
