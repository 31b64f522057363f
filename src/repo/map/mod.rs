//! The map of a repository's tree: what `indexes/repo-map.json` and `indexes/symbols.json` hold.
//!
//! Made by `command/tree_map`, read here. A map may come from another machine or another build: what
//! cannot be read is no map, and nothing that is read is believed to be short or one line.

mod folder;
mod left_out;
mod lines;
mod outlined;
mod symbols;

#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};

pub use folder::{LanguageCount, MappedFolder};
pub use left_out::LeftOut;
pub use outlined::OutlinedFile;
pub use symbols::{FileSymbols, SymbolsIndex};

/// The shape's version.
pub const VERSION: u32 = 1;

/// A repository's tree: its folders with what lies in them, and what its files define; the most
/// useful first. Nothing in it changes unless a file comes, goes, or defines something else.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RepoMap {
    pub version: u32,
    /// Files in the tree, those of folders that are not told included.
    pub files: u64,
    /// By path; the root is `.`. A folder's files are those of its folders too.
    pub folders: Vec<MappedFolder>,
    /// Entry points first, then those that define most.
    pub outlines: Vec<OutlinedFile>,
    pub left_out: LeftOut,
}

impl RepoMap {
    /// Reads the JSON of one; `None` where it is none, or of a later shape.
    pub fn parse(json: &str) -> Option<Self> {
        // What is wrong with it is no help to who asks: it is made anew.
        let map: Self = serde_json::from_str(json).ok()?;
        (map.version == VERSION).then_some(map)
    }
}
