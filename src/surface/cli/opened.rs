//! A journal's stores, open for questions.

use std::path::PathBuf;

use crate::command::StorePlaces;
use crate::query::Stores;

/// A journal's stores, open for questions.
pub struct Opened {
    /// What the rows of this journal are told from others' by; `None` where it is the only one.
    pub name: Option<String>,
    /// The folder, or the segment, that the stores were built from.
    pub journal: PathBuf,
    pub places: StorePlaces,
    pub stores: Stores,
    /// Nothing of the source was or will be written: the stores are a copy's, in a cache.
    pub evidence: bool,
}
