//! Causal questions, of `codegraph.db` (spec 000 §2 and "Causal Tracing").
//!
//! The graph is asked alone: what an execution did to files and symbols, and which diagnostics it
//! produced, stands in its edges. Order is time, then the order in which executions were recorded,
//! which is that of their entities' ids. Of what has more than 2 048 edges, pages are made in the
//! order of recording, and only each page is in order of time: the two differ only where something
//! was imported after what happened later.

mod chain;
mod entities;
mod linked;
mod symbols;

#[cfg(test)]
mod tests;

use std::path::Path;

use super::QueryError;
use crate::event::ExecutionId;
use crate::execution::graph::CodeGraphReader;

pub use crate::execution::graph::EdgeType;
pub use chain::{ChainStep, ExecutionChain, GraphEntity, Link};
pub use entities::{DiagnosticId, ExecutionNode, GraphDiagnostic};
pub use symbols::{CodeReference, CodeSymbol};

/// `graph_entities.kind` of an execution.
pub const KIND_EXECUTION: &str = "execution";
/// `graph_entities.kind` of a diagnostic (ruling 9).
pub const KIND_DIAGNOSTIC: &str = "diagnostic";

/// `codegraph.db`, open for questions.
#[derive(Debug)]
pub struct CodeGraph {
    graph: CodeGraphReader,
}

impl CodeGraph {
    /// Opens a graph as it stands.
    pub fn open(path: &Path) -> Result<Self, QueryError> {
        Ok(Self { graph: CodeGraphReader::open(path)? })
    }
}

// Every question that the graph is asked. None reads a table whole; a test asks SQLite how it would
// answer each.

const EXECUTION: &str =
    "SELECT id, data FROM graph_entities WHERE kind = 'execution' AND name = ?1 LIMIT 1";

const FILE: &str = "SELECT id FROM graph_entities WHERE kind = 'File' AND name = ?1 LIMIT 64";

/// What stands for a file, by its path from the root.
const FILE_STUB: &str = "SELECT id FROM graph_entities \
     WHERE kind = 'annals_stub' AND name = ?1 AND file_path IS NOT NULL LIMIT 64";

const SYMBOL_STUB: &str = "SELECT id FROM graph_entities \
     WHERE kind = 'annals_stub' AND name = ?1 AND file_path IS NULL LIMIT 64";

/// Files whose path ends so: reads the names of the files, and of nothing else.
const FILES_ENDING: &str =
    "SELECT id FROM graph_entities WHERE kind = 'File' AND name LIKE ?1 ESCAPE '\\' LIMIT 64";

/// The same of what stands for files.
const FILE_STUBS_ENDING: &str = "SELECT id FROM graph_entities \
     WHERE kind = 'annals_stub' AND name LIKE ?1 ESCAPE '\\' AND file_path IS NOT NULL LIMIT 64";

const SYMBOLS: &str = "SELECT id, data FROM graph_entities \
     WHERE kind = 'Symbol' AND name = ?1 LIMIT 512";

const DEFINERS: &str = "SELECT f.id FROM graph_edges d CROSS JOIN graph_entities f \
     ON f.id = d.from_id WHERE d.to_id = ?1 AND d.edge_type = 'DEFINES' AND f.kind = 'File' LIMIT 8";

/// The executions whose edges lead to an entity, the edges recorded last first.
const LINKED: &str = "SELECT x.id, x.data, g.id FROM graph_edges g \
     CROSS JOIN graph_entities x ON x.id = g.from_id \
     WHERE g.to_id = ?1 AND g.id < ?3 AND x.kind = 'execution' ORDER BY g.id DESC LIMIT ?2";

const LINKED_BY_CHANGE: &str = "SELECT x.id, x.data, g.id FROM graph_edges g \
     CROSS JOIN graph_entities x ON x.id = g.from_id \
     WHERE g.to_id = ?1 AND g.id < ?3 AND x.kind = 'execution' AND g.edge_type = 'AFFECTED' \
     ORDER BY g.id DESC LIMIT ?2";

/// How many edges lead to an entity, so far as it matters: read from the index alone.
const EDGES: &str = "SELECT count(*) FROM (SELECT 1 FROM graph_edges WHERE to_id = ?1 LIMIT ?2)";

/// What an execution is linked to, as it was recorded.
const LINKS: &str = "SELECT g.edge_type, g.data, t.id, t.kind, t.name, t.file_path, \
     t.data FROM graph_edges g CROSS JOIN graph_entities t ON t.id = g.to_id \
     WHERE g.from_id = ?1 ORDER BY g.id LIMIT ?2";

const DIAGNOSTIC: &str =
    "SELECT id, name, data FROM graph_entities WHERE kind = 'diagnostic' AND id = ?1";

const DIAGNOSTIC_NAMED: &str =
    "SELECT id, name, data FROM graph_entities WHERE kind = 'diagnostic' AND name = ?1 LIMIT 1";

/// The diagnostics of one code: there are as many as a code base has places that had it.
const DIAGNOSTICS_OF: &str = "SELECT id, name, data FROM graph_entities \
     WHERE kind = 'diagnostic' AND name > ?1 AND name < ?2 ORDER BY id DESC LIMIT 256";

const SYMBOLS_IN: &str = "SELECT s.id, s.name, s.file_path, s.data FROM graph_edges d \
     CROSS JOIN graph_entities s ON s.id = d.to_id \
     WHERE d.from_id = ?1 AND d.edge_type = 'DEFINES' AND s.kind = 'Symbol' ORDER BY d.id LIMIT ?2";

/// Where a symbol is used: magellan has an entity for each use.
const REFERENCES: &str = "SELECT r.id, r.kind, r.file_path, r.data FROM graph_edges g \
     CROSS JOIN graph_entities r ON r.id = g.from_id WHERE g.to_id = ?1 \
     AND g.edge_type IN ('REFERENCES', 'CALLS') AND r.kind <> 'execution' ORDER BY g.id LIMIT ?2";

const SYMBOL: &str =
    "SELECT id, name, file_path, data FROM graph_entities WHERE id = ?1 AND kind = 'Symbol'";

/// Files, and how much each defines.
const DEFINING_FILES: &str = "SELECT f.id, substr(f.name, 1, 4096), \
     (SELECT count(*) FROM graph_edges d WHERE d.from_id = f.id AND d.edge_type = 'DEFINES') \
     FROM graph_entities f WHERE f.kind = 'File' LIMIT ?1";

const SYMBOLS_COUNT: &str = "SELECT count(*) FROM graph_entities WHERE kind = 'Symbol'";

/// Names and words of what a file defines, in its order; of data that nobody wrote so long, nothing.
const SYMBOL_WORDS_IN: &str = "SELECT substr(s.name, 1, 256), \
     CASE WHEN length(s.data) <= 16384 THEN s.data ELSE '' END \
     FROM graph_edges d CROSS JOIN graph_entities s ON s.id = d.to_id \
     WHERE d.from_id = ?1 AND d.edge_type = 'DEFINES' AND s.kind = 'Symbol' ORDER BY d.id LIMIT ?2";

/// A file that an execution touched, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileTouch {
    pub path: String,
    /// What was done on it: `read`, `patch`, `check`, …; `None` where it was only changed.
    pub operation: Option<String>,
    /// `created` or `patched` where it was changed.
    pub change_type: Option<String>,
    pub entity: GraphEntity,
}

impl CodeGraph {
    /// The files that an execution was executed on or affected, in the order they were recorded;
    /// none where the graph does not know the execution.
    pub fn files_touched_by_execution(
        &self,
        id: ExecutionId,
    ) -> Result<Vec<FileTouch>, QueryError> {
        let Some(execution) = self.execution(id)? else { return Ok(Vec::new()) };
        let (links, _) = self.links(execution.entity)?;
        let mut files: Vec<FileTouch> = Vec::new();
        for link in links {
            if !matches!(link.edge, EdgeType::ExecutedOn | EdgeType::Affected) {
                continue;
            }
            let at = files.iter().position(|file| file.entity.id == link.to.id);
            let at = at.unwrap_or_else(|| {
                files.push(FileTouch {
                    path: link.to.name.clone(),
                    operation: None,
                    change_type: None,
                    entity: link.to.clone(),
                });
                files.len() - 1
            });
            match link.edge {
                EdgeType::Affected => files[at].change_type = link.word,
                _ => files[at].operation = link.word,
            }
        }
        Ok(files)
    }
}
