//! Executions and diagnostics, as the graph has them.

use serde::{Deserialize, Deserializer, Serialize};

use super::CodeGraph;
use crate::event::{ExecutionId, tool};
use crate::execution::query::{QueryError, text};
use crate::store::Ask;

/// Executions that produced a diagnostic among which its first is looked for.
const PRODUCERS_MAX: i64 = 10_000;

/// The tools that produce diagnostics (spec 000 §2).
const PRODUCERS: [&str; 2] = ["lsp_check", "splice_patch"];

/// An execution, as the graph has it: the contract's four keys.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct ExecutionNode {
    /// `graph_entities.id`; another one after a rebuild.
    #[serde(skip)]
    pub entity: i64,
    #[serde(deserialize_with = "uuid")]
    pub execution_id: ExecutionId,
    pub tool: String,
    /// Unix milliseconds.
    pub timestamp: u64,
    pub success: bool,
}

fn uuid<'de, D: Deserializer<'de>>(from: D) -> Result<ExecutionId, D::Error> {
    let id = maybe_uuid(from)?;
    id.ok_or_else(|| serde::de::Error::custom("no UUID"))
}

fn maybe_uuid<'de, D: Deserializer<'de>>(from: D) -> Result<Option<ExecutionId>, D::Error> {
    String::deserialize(from).map(|text| ExecutionId::parse(&text))
}

impl ExecutionNode {
    /// Reads an entity's `data`; `None` where it is not what the contract says.
    pub(super) fn read(entity: i64, data: &str) -> Option<Self> {
        let read: Self = serde_json::from_str(data).ok()?; // not of ours
        Some(Self { entity, ..read })
    }

    /// What chains are ordered by.
    pub(super) fn at(&self) -> (u64, u64) {
        (self.timestamp, u64::try_from(self.entity).unwrap_or(0))
    }
}

/// How a diagnostic is named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DiagnosticId {
    /// `graph_entities.id`.
    Entity(i64),
    /// The entity's name (`diagnostic:E0425:0123456789abcdef`), or a code, or a level where there
    /// is no code: then the newest one of it is meant.
    Name(String),
}

/// A diagnostic, as the graph has it: one for each distinct content (ruling 9).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GraphDiagnostic {
    /// `graph_entities.id`; another one after a rebuild.
    #[serde(skip)]
    pub entity: i64,
    /// `diagnostic:E0425:0123456789abcdef`, the same after a rebuild.
    #[serde(skip_deserializing)]
    pub name: String,
    pub code: Option<String>,
    pub level: String,
    /// As the compiler named it.
    pub file_name: Option<String>,
    pub line_start: Option<u64>,
    pub message: String,
    /// The execution that produced it first.
    #[serde(rename(deserialize = "execution_id"), deserialize_with = "maybe_uuid")]
    pub first_execution: Option<ExecutionId>,
}

impl From<i64> for DiagnosticId {
    fn from(entity: i64) -> Self {
        Self::Entity(entity)
    }
}

impl From<&str> for DiagnosticId {
    fn from(name: &str) -> Self {
        Self::Name(name.to_owned())
    }
}

impl From<String> for DiagnosticId {
    fn from(name: String) -> Self {
        Self::Name(name)
    }
}

impl From<&GraphDiagnostic> for DiagnosticId {
    fn from(diagnostic: &GraphDiagnostic) -> Self {
        Self::Entity(diagnostic.entity)
    }
}

impl GraphDiagnostic {
    /// Reads an entity's `data`; `None` where it is not one of ours.
    pub(super) fn read(entity: i64, name: &str, data: &str) -> Option<Self> {
        let read: Self = serde_json::from_str(data).ok()?; // not of ours
        Some(Self { entity, name: name.to_owned(), ..read })
    }
}

impl CodeGraph {
    /// The diagnostic that is meant; of several of one code, the newest one that `prefer` likes, else
    /// the newest.
    pub(super) fn diagnostic_like(
        &self,
        id: &DiagnosticId,
        prefer: impl Fn(&GraphDiagnostic) -> bool,
    ) -> Result<GraphDiagnostic, QueryError> {
        let found = match id {
            DiagnosticId::Entity(entity) => {
                self.read_diagnostics(super::DIAGNOSTIC, &[Ask::Number(*entity)])?
            }
            DiagnosticId::Name(name) if name.starts_with("diagnostic:") => {
                self.read_diagnostics(super::DIAGNOSTIC_NAMED, &[text(name)])?
            }
            DiagnosticId::Name(label) => {
                // `;` comes after `:`.
                let bounds = [format!("diagnostic:{label}:"), format!("diagnostic:{label};")];
                self.read_diagnostics(super::DIAGNOSTICS_OF, &bounds.map(Ask::Text))?
            }
        };
        let at = found.iter().position(prefer).unwrap_or(0);
        found.into_iter().nth(at).ok_or_else(|| QueryError::NoDiagnostic {
            id: match id {
                DiagnosticId::Entity(entity) => entity.to_string(),
                DiagnosticId::Name(name) => name.clone(),
            },
        })
    }

    /// One diagnostic; of several of one code, the newest.
    pub fn diagnostic(&self, id: impl Into<DiagnosticId>) -> Result<GraphDiagnostic, QueryError> {
        self.diagnostic_like(&id.into(), |_| true)
    }

    fn read_diagnostics(
        &self,
        sql: &str,
        asked: &[Ask],
    ) -> Result<Vec<GraphDiagnostic>, QueryError> {
        let found = self.graph.answer(sql, asked, |row| {
            let name: String = row.get(1)?;
            Ok(GraphDiagnostic::read(row.get(0)?, &name, &row.get::<_, String>(2)?))
        })?;
        Ok(found.into_iter().flatten().collect())
    }

    pub(super) fn first_producer(
        &self,
        diagnostic: &GraphDiagnostic,
    ) -> Result<Option<ExecutionNode>, QueryError> {
        if let Some(id) = diagnostic.first_execution
            && let Some(first) = self.of_tools(&PRODUCERS, id)?
        {
            return Ok(Some(first));
        }
        let asked = [diagnostic.entity, PRODUCERS_MAX, i64::MAX].map(Ask::Number);
        let producers = self.graph.answer(super::LINKED, &asked, |row| {
            Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?))
        })?;
        let read = |(entity, data): (i64, String)| ExecutionNode::read(entity, &data);
        Ok(producers.into_iter().filter_map(read).min_by_key(ExecutionNode::at))
    }

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

    pub(super) fn of_tools<S: AsRef<str>>(
        &self,
        tools: &[S],
        id: ExecutionId,
    ) -> Result<Option<ExecutionNode>, QueryError> {
        for tool in tools {
            let name = format!("{}:{id}", tool.as_ref());
            let found = self.graph.answer(super::EXECUTION, &[Ask::Text(name)], |row| {
                Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?))
            })?;
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
