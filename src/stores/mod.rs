//! The stores by their names and places, the fold into each, and the repair of all.

pub mod repair;

use std::path::Path;

use crate::debug::fold::DebugMemoryProjector;
use crate::debug::index_fold::DebugRows;
use crate::execution::graph::CodeGraph;
use crate::execution::index::{Index, IndexPart};
use crate::execution::log::ExecutionLog;
use crate::grounding::index_fold::GroundingRows;
use crate::memory::index_fold::MemoryRows;
use crate::memory::log_fold::MemoryLogProjector;
use crate::memory::store::Memory;
use crate::phases::fold::ExperimentsProjector;
use crate::repo::index_fold::RepoRows;
use crate::store::{Folder, Projector, StoreError};

pub use crate::store::{StoreName, StorePlaces};

/// The fold into a project's store, to be caught up.
pub fn opened(store: StoreName, places: &StorePlaces) -> Result<Box<dyn Projector>, StoreError> {
    let path = places.path(store);
    Ok(match store {
        StoreName::Index => Box::new(Index::open(path, index_parts())?),
        StoreName::ExecutionLog => Box::new(ExecutionLog::open(path)?),
        StoreName::Memory => Box::new(Memory::open(path)?),
        StoreName::MemoryLogs => Box::new(MemoryLogProjector::new(Folder::open(path)?)),
        StoreName::Experiments => Box::new(ExperimentsProjector::new(Folder::open(path)?)),
        StoreName::DebugMemory => Box::new(DebugMemoryProjector::new(Folder::open(path)?)),
        StoreName::CodeGraph => Box::new(CodeGraph::open(path, &places.root)?),
    })
}

/// The fold into a new file, to be loaded from nothing, for the project of these places.
pub fn made(
    store: StoreName,
    path: &Path,
    places: &StorePlaces,
) -> Result<Box<dyn Projector>, StoreError> {
    Ok(match store {
        StoreName::Index => Box::new(Index::create(path, index_parts())?),
        StoreName::ExecutionLog => Box::new(ExecutionLog::create(path)?),
        StoreName::Memory => Box::new(Memory::create(path)?),
        StoreName::MemoryLogs => Box::new(MemoryLogProjector::new(Folder::create(path)?)),
        StoreName::Experiments => Box::new(ExperimentsProjector::new(Folder::create(path)?)),
        StoreName::DebugMemory => Box::new(DebugMemoryProjector::new(Folder::create(path)?)),
        StoreName::CodeGraph => Box::new(match places.has(store)? {
            true => CodeGraph::create_beside(path, &places.code_graph, &places.root)?,
            false => CodeGraph::create(path, &places.root)?,
        }),
    })
}

/// What writes of its events into `index.db`, besides executions themselves.
fn index_parts() -> Vec<Box<dyn IndexPart>> {
    vec![
        Box::new(MemoryRows),
        Box::new(GroundingRows),
        Box::new(RepoRows),
        Box::<DebugRows>::default(),
    ]
}
