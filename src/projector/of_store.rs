//! The fold into a store, by its name.

use std::path::Path;

use super::{
    CodeGraphProjector, DebugMemoryProjector, ExecutionLogProjector, ExperimentsProjector,
    IndexProjector, MemoryLogProjector, MemoryProjector, Projector,
};
use crate::store::{
    CodeGraph, ExecutionLog, Folder, Index, Memory, StoreError, StoreName, StorePlaces,
};

/// The fold into a project's store, to be caught up.
///
/// # Errors
/// Where there is none, or it cannot be opened for writing.
pub fn opened(store: StoreName, places: &StorePlaces) -> Result<Box<dyn Projector>, StoreError> {
    let path = places.path(store);
    Ok(match store {
        StoreName::Index => Box::new(IndexProjector::new(Index::open(path)?)),
        StoreName::ExecutionLog => Box::new(ExecutionLogProjector::new(ExecutionLog::open(path)?)),
        StoreName::Memory => Box::new(MemoryProjector::new(Memory::open(path)?)),
        StoreName::MemoryLogs => Box::new(MemoryLogProjector::new(Folder::open(path)?)),
        StoreName::Experiments => Box::new(ExperimentsProjector::new(Folder::open(path)?)),
        StoreName::DebugMemory => Box::new(DebugMemoryProjector::new(Folder::open(path)?)),
        StoreName::CodeGraph => {
            Box::new(CodeGraphProjector::new(CodeGraph::open(path, &places.root)?))
        }
    })
}

/// The fold into a new file, to be loaded from nothing, for the project of these places.
///
/// # Errors
/// Where it cannot be made.
pub fn made(
    store: StoreName,
    path: &Path,
    places: &StorePlaces,
) -> Result<Box<dyn Projector>, StoreError> {
    Ok(match store {
        StoreName::Index => Box::new(IndexProjector::new(Index::create(path)?)),
        StoreName::ExecutionLog => {
            Box::new(ExecutionLogProjector::new(ExecutionLog::create(path)?))
        }
        StoreName::Memory => Box::new(MemoryProjector::new(Memory::create(path)?)),
        StoreName::MemoryLogs => Box::new(MemoryLogProjector::new(Folder::create(path)?)),
        StoreName::Experiments => Box::new(ExperimentsProjector::new(Folder::create(path)?)),
        StoreName::DebugMemory => Box::new(DebugMemoryProjector::new(Folder::create(path)?)),
        StoreName::CodeGraph => {
            let graph = match places.has(store)? {
                true => CodeGraph::create_beside(path, &places.code_graph, &places.root)?,
                false => CodeGraph::create(path, &places.root)?,
            };
            Box::new(CodeGraphProjector::anew(graph))
        }
    })
}
