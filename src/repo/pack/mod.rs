//! Context packs (spec 004): what a repository's memory, its timeline and its map tell a model, in
//! as many characters as there is room for.
//!
//! A pure read: the same stores at the same event give the same text. Items are told whole or not at
//! all, and what is left out is counted at the end, conventions and decisions by name as far as there
//! is room. Nothing that was remembered can look like a heading
//! of ours (`plain.rs`).

mod asked;
mod fit;
mod gather;
mod naming;
mod plain;
mod query;
mod section;
mod touch;

#[cfg(test)]
mod tests;

pub use asked::{PackAsked, PackSession, PackTold};
pub use query::PackQuery;
pub use section::{PackSection, SectionName};

use serde::{Deserialize, Serialize};

use crate::execution::query::{QueryError, Stores};

/// A context pack.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pack {
    /// Never longer than was asked for.
    pub text: String,
    /// Its characters: Unicode scalar values.
    pub chars: usize,
    /// In the order of the text; one that has nothing to tell is not here.
    pub sections: Vec<PackSection>,
}

impl Stores {
    /// A context pack, as the stores stand.
    ///
    /// # Errors
    /// Where a store cannot be read.
    pub fn context_pack(&self, query: &PackQuery) -> Result<Pack, QueryError> {
        Ok(fit::fit(self.pack_sections(query)?, query.chars_max))
    }
}
