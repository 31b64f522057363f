//! A journal's stores, open for questions.

use std::path::PathBuf;

use crate::event::Sequence;
use crate::execution::query::Stores;
use crate::journal::Reading;
use crate::store::evidence::BuiltStores;
use crate::stores::StorePlaces;

/// A journal's stores, open for questions.
pub struct Opened {
    /// What the rows of this journal are told from others' by; `None` where it is the only one.
    pub name: Option<String>,
    /// The folder, the segment or the bundle that the stores were built from.
    pub journal: PathBuf,
    pub places: StorePlaces,
    pub stores: Stores,
    /// Nothing of the source was or will be written: the stores are a copy's, in a cache.
    pub evidence: bool,
    /// The last event that the stores know, where they were asked for as of then (`--at`).
    pub at: Option<Sequence>,
    /// Keeps them from being cleared away; after the stores, which are closed first.
    pub built: Option<BuiltStores>,
}

impl Opened {
    /// How its journal is read.
    pub fn reading(&self) -> Reading {
        if self.evidence { Reading::Evidence } else { Reading::Live }
    }
}
