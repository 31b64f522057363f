//! A diagnostic, as the graph has it.

use serde::Deserialize;

use super::{CodeGraph, ExecutionNode};
use crate::event::ExecutionId;
use crate::execution::query::QueryError;
use crate::store::Ask;

/// Executions that produced a diagnostic among which its first is looked for.
const PRODUCERS_MAX: i64 = 10_000;

/// The tools that produce diagnostics (spec 000 §2).
const PRODUCERS: [&str; 2] = ["lsp_check", "splice_patch"];

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
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GraphDiagnostic {
    /// `graph_entities.id`; another one after a rebuild.
    pub entity: i64,
    /// `diagnostic:E0425:0123456789abcdef`, the same after a rebuild.
    pub name: String,
    pub code: Option<String>,
    pub level: String,
    /// As the compiler named it.
    pub file_name: Option<String>,
    pub line_start: Option<u64>,
    pub message: String,
    /// The execution that produced it first.
    pub first_execution: Option<ExecutionId>,
}

#[derive(Deserialize)]
struct Data {
    code: Option<String>,
    level: String,
    file_name: Option<String>,
    line_start: Option<u64>,
    message: String,
    execution_id: String,
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
        let data: Data = serde_json::from_str(data).ok()?; // not of ours
        Some(Self {
            entity,
            name: name.to_owned(),
            code: data.code,
            level: data.level,
            file_name: data.file_name,
            line_start: data.line_start,
            message: data.message,
            first_execution: ExecutionId::parse(&data.execution_id),
        })
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
            DiagnosticId::Entity(entity) => self.read_diagnostics(
                crate::execution::query::code_graph::DIAGNOSTIC,
                &[Ask::Number(*entity)],
            )?,
            DiagnosticId::Name(name) if name.starts_with("diagnostic:") => self.read_diagnostics(
                crate::execution::query::code_graph::DIAGNOSTIC_NAMED,
                &[Ask::Text(name.clone())],
            )?,
            DiagnosticId::Name(label) => self.read_diagnostics(
                // `;` comes after `:`.
                crate::execution::query::code_graph::DIAGNOSTICS_OF,
                &[
                    Ask::Text(format!("diagnostic:{label}:")),
                    Ask::Text(format!("diagnostic:{label};")),
                ],
            )?,
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

    /// The execution that produced a diagnostic first.
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
        let producers =
            self.graph.answer(crate::execution::query::code_graph::LINKED, &asked, |row| {
                Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?))
            })?;
        let read = |(entity, data): (i64, String)| ExecutionNode::read(entity, &data);
        Ok(producers.into_iter().filter_map(read).min_by_key(ExecutionNode::at))
    }
}
