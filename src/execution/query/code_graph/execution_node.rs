//! An execution, as the graph has it.

use serde::Deserialize;

use super::CodeGraph;
use crate::event::{ExecutionId, tool};
use crate::execution::query::QueryError;
use crate::store::Ask;

/// An execution, as the graph has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExecutionNode {
    /// `graph_entities.id`; another one after a rebuild.
    pub entity: i64,
    pub execution_id: ExecutionId,
    pub tool: String,
    /// Unix milliseconds.
    pub timestamp: u64,
    pub success: bool,
}

/// The contract's four keys.
#[derive(Deserialize)]
struct Data {
    tool: String,
    timestamp: u64,
    success: bool,
    execution_id: String,
}

impl ExecutionNode {
    /// Reads an entity's `data`; `None` where it is not what the contract says.
    pub(super) fn read(entity: i64, data: &str) -> Option<Self> {
        let data: Data = serde_json::from_str(data).ok()?; // not of ours
        let execution_id = ExecutionId::parse(&data.execution_id)?;
        Some(Self {
            entity,
            execution_id,
            tool: data.tool,
            timestamp: data.timestamp,
            success: data.success,
        })
    }

    /// What chains are ordered by.
    pub(super) fn at(&self) -> (u64, u64) {
        (self.timestamp, u64::try_from(self.entity).unwrap_or(0))
    }
}

impl CodeGraph {
    /// An execution's entity; `None` where the graph has none.
    pub fn execution(&self, id: ExecutionId) -> Result<Option<ExecutionNode>, QueryError> {
        // An entity's name begins with its tool: each that there is is tried.
        let mut tools: Vec<String> = tool::CONTRACT.map(str::to_owned).to_vec();
        tools.extend(tool::DECLARED_BY_INIT.map(str::to_owned));
        if let Some(found) = self.of_tools(&tools, id)? {
            return Ok(Some(found));
        }
        self.of_tools(&self.declared()?, id)
    }

    /// The execution of this id that is of one of these tools.
    pub(super) fn of_tools<S: AsRef<str>>(
        &self,
        tools: &[S],
        id: ExecutionId,
    ) -> Result<Option<ExecutionNode>, QueryError> {
        for tool in tools {
            let name = format!("{}:{id}", tool.as_ref());
            let found = self.graph.answer(
                crate::execution::query::code_graph::EXECUTION,
                &[Ask::Text(name)],
                |row| Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?)),
            )?;
            if let Some((entity, data)) = found.into_iter().next() {
                return Ok(ExecutionNode::read(entity, &data));
            }
        }
        Ok(None)
    }

    /// Tools declared besides those that every project has.
    fn declared(&self) -> Result<Vec<String>, QueryError> {
        let known = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'annals_cursor'";
        if self.graph.answer(known, &[], |_| Ok(()))?.is_empty() {
            return Ok(Vec::new());
        }
        let told = self
            .graph
            .answer("SELECT tools FROM annals_cursor", &[], |row| row.get::<_, String>(0))?;
        // A list that cannot be read names no tool.
        let read = |text: String| serde_json::from_str::<Vec<String>>(&text).unwrap_or_default();
        Ok(told.into_iter().flat_map(read).collect())
    }
}
