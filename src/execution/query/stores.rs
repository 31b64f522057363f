//! A project's stores, open for questions.

use std::path::PathBuf;

use super::{CodeGraph, QueryError};
use crate::debug::query::DebugView;
use crate::execution::index::IndexReader;
use crate::execution::log::ExecutionLogReader;
use crate::memory::store::MemoryReader;
use crate::repo::query::RepoView;
use crate::store::{StoreError, StorePlaces};

/// The stores of a project, open for questions.
#[derive(Debug)]
pub struct Stores {
    pub(crate) index: IndexReader,
    pub(crate) log: ExecutionLogReader,
    /// Why there is none is told to who asks for it: nothing else depends on the graph.
    graph: Result<CodeGraph, QueryError>,
    memory: PathBuf,
}

impl Stores {
    /// Opens a project's stores as they stand: catch up first to see what was just recorded.
    pub fn open(places: &StorePlaces) -> Result<Self, QueryError> {
        let log = ExecutionLogReader::open(&places.execution_log)?;
        let index = IndexReader::open(&places.index)?;
        index.attach(&places.execution_log)?;
        index.keep_pages()?;
        let graph = CodeGraph::open(&places.code_graph);
        Ok(Self { index, log, graph, memory: places.memory.clone() })
    }

    /// The graph of the code, or why it cannot be asked.
    pub fn graph(&self) -> Result<&CodeGraph, &QueryError> {
        self.graph.as_ref()
    }

    /// What is remembered of repositories.
    pub fn repos(&self) -> RepoView<'_> {
        RepoView::of(&self.index)
    }

    /// What is remembered of debugging.
    pub fn debug(&self) -> DebugView<'_> {
        DebugView::of(&self.index)
    }

    /// What agents remember, held open until it is dropped; `None` where nothing ever was.
    pub fn memory(&self) -> Result<Option<MemoryReader>, QueryError> {
        match MemoryReader::open(&self.memory) {
            Ok(memory) => Ok(Some(memory)),
            Err(StoreError::Missing { .. }) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }
}
