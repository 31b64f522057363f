//! The one list of stores, handed down to the kit with every project and every source, and the repair of all.

pub mod exported;
mod facades;
pub mod leak;
pub mod redaction;
pub mod repair;
pub mod source;

use std::path::Path;

use crate::debug::index_fold::DebugRows;
use crate::execution::index::{IndexPart, IndexStore, lookup};
use crate::grounding::index_fold::GroundingRows;
use crate::memory::index_fold::MemoryRows;
use crate::repo::index_fold::{REPOS, RepoRows};
use crate::store::StoreList;

pub use crate::store::{StoreName, StorePlaces};

/// Every store: a new one is an entry here.
pub static STORES: StoreList = StoreList {
    stores: &[
        StoreName::INDEX,
        StoreName::EXECUTION_LOG,
        StoreName::MEMORY,
        StoreName::STATE,
        StoreName::MEMORY_LOGS,
        StoreName::EXPERIMENTS,
        StoreName::DEBUG_MEMORY,
        StoreName::SEARCH,
        StoreName::CODE_GRAPH,
    ],
    watched: &[&REPOS],
    lookup,
};

/// Who writes of its events into `index.db`, besides executions themselves.
fn index_parts() -> Vec<Box<dyn IndexPart>> {
    vec![
        Box::new(MemoryRows),
        Box::new(GroundingRows),
        Box::new(RepoRows),
        Box::<DebugRows>::default(),
    ]
}

impl StoreName {
    /// `.annals/index.db`.
    pub const INDEX: Self = Self::of(&IndexStore { parts: index_parts });
}

/// The places of the stores of a project, or of what is left of one.
pub fn places(root: &Path) -> StorePlaces {
    StorePlaces::new(root, &STORES)
}
