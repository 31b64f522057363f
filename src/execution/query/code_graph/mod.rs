//! Causal questions, of `codegraph.db` (spec 000 §2 and "Causal Tracing").
//!
//! The graph is asked alone: what an execution did to files and symbols, and which diagnostics it
//! produced, stands in its edges. Order is time, then the order in which executions were recorded,
//! which is that of their entities' ids. Of what has more than 2 048 edges, pages are made in the
//! order of recording, and only each page is in order of time: the two differ only where something
//! was imported after what happened later.

mod chain;
mod definers;
mod diagnostic;
mod edge_type;
mod execution_node;
mod files;
mod link;
mod linked;
mod reference;
mod sql;
mod symbol;
mod target;

#[cfg(test)]
mod tests;

use std::path::Path;

use super::QueryError;
use crate::execution::graph::CodeGraphReader;

pub use chain::{ChainStep, ExecutionChain};
pub use definers::{DefiningFile, MostDefining};
pub use diagnostic::{DiagnosticId, GraphDiagnostic};
pub use edge_type::EdgeType;
pub use execution_node::ExecutionNode;
pub use files::FileTouch;
pub use link::{GraphEntity, Link};
pub use reference::CodeReference;
pub use symbol::CodeSymbol;

/// `graph_entities.kind` of an execution.
pub const KIND_EXECUTION: &str = "execution";
/// `graph_entities.kind` of a diagnostic (ruling 9).
pub const KIND_DIAGNOSTIC: &str = "diagnostic";
/// `graph_entities.kind` of what stands for a file or a symbol that the graph does not know.
pub const KIND_STUB: &str = "annals_stub";

/// `codegraph.db`, open for questions.
#[derive(Debug)]
pub struct CodeGraph {
    graph: CodeGraphReader,
}

impl CodeGraph {
    /// Opens a graph as it stands.
    ///
    /// # Errors
    /// Where it is not there, or is no graph.
    pub fn open(path: &Path) -> Result<Self, QueryError> {
        Ok(Self { graph: CodeGraphReader::open(path)? })
    }
}
