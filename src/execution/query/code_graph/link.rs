//! What an execution is linked to.

use serde::Deserialize;

use super::{CodeGraph, EdgeType, GraphDiagnostic, KIND_DIAGNOSTIC};
use crate::event::ExecutionId;
use crate::execution::query::QueryError;
use crate::store::Ask;

/// Links of one execution that are listed.
pub(super) const LINKS_LEN_MAX: usize = 256;

/// An edge of an execution, and what it leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    pub edge: EdgeType,
    /// The edge's `operation`, `change_type`, `query_type`, or the diagnostic's `severity`.
    pub word: Option<String>,
    pub to: GraphEntity,
    /// What was produced, where a diagnostic was.
    pub diagnostic: Option<GraphDiagnostic>,
}

/// A file, a symbol, a diagnostic, or what stands for one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GraphEntity {
    pub id: i64,
    /// `File`, `Symbol`, `diagnostic`, `annals_stub`.
    pub kind: String,
    /// A file's path, a symbol's name.
    pub name: String,
    pub file_path: Option<String>,
}

/// The words that edges of ours carry.
#[derive(Default, Deserialize)]
struct Data {
    operation: Option<String>,
    change_type: Option<String>,
    query_type: Option<String>,
    severity: Option<String>,
}

impl CodeGraph {
    /// What an execution of this tool is linked to, the first 256; nothing where the graph does not
    /// know it.
    pub fn links_of(&self, tool: &str, id: ExecutionId) -> Result<Vec<Link>, QueryError> {
        match self.of_tools(&[tool], id)? {
            Some(execution) => Ok(self.links(execution.entity)?.0),
            None => Ok(Vec::new()),
        }
    }

    /// What an execution's entity is linked to, in the order it was recorded; and whether there is
    /// more than is listed.
    pub(super) fn links(&self, entity: i64) -> Result<(Vec<Link>, bool), QueryError> {
        let limit = i64::try_from(LINKS_LEN_MAX + 1).unwrap_or(i64::MAX);
        let mut links = self.graph.answer(
            crate::execution::query::code_graph::LINKS,
            &[Ask::Number(entity), Ask::Number(limit)],
            |row| {
                let edge = EdgeType::parse(&row.get::<_, String>(0)?);
                let to = GraphEntity {
                    id: row.get(2)?,
                    kind: row.get(3)?,
                    name: row.get(4)?,
                    file_path: row.get(5)?,
                };
                let diagnostic = match to.kind == KIND_DIAGNOSTIC {
                    true => GraphDiagnostic::read(to.id, &to.name, &row.get::<_, String>(6)?),
                    false => None,
                };
                let word = word(&row.get::<_, String>(1)?);
                Ok(edge.map(|edge| Link { edge, word, to, diagnostic }))
            },
        )?;
        let more = links.len() > LINKS_LEN_MAX;
        links.truncate(LINKS_LEN_MAX);
        Ok((links.into_iter().flatten().collect(), more))
    }
}

fn word(data: &str) -> Option<String> {
    // Data that is no object of ours has no word to tell.
    let data: Data = serde_json::from_str(data).unwrap_or_default();
    data.operation.or(data.change_type).or(data.query_type).or(data.severity)
}
