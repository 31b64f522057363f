//! The fold into a store, by its name.

use std::path::Path;

use crate::debug::fold::DebugMemoryProjector;
use crate::execution::graph::CodeGraph;
use crate::execution::graph_fold::CodeGraphProjector;
use crate::execution::index::Index;
use crate::execution::index_fold::IndexProjector;
use crate::execution::log::ExecutionLog;
use crate::execution::log_fold::ExecutionLogProjector;
use crate::memory::fold::MemoryProjector;
use crate::memory::log_fold::MemoryLogProjector;
use crate::memory::store::Memory;
use crate::phases::fold::ExperimentsProjector;
use crate::store::{Folder, Projector, StoreError};
use crate::stores::{StoreName, StorePlaces};

/// The fold into a project's store, to be caught up.
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
