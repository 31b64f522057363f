//! Chains: the executions that are linked to a file or a symbol, in order of time, and what each is linked to.

use serde::{Deserialize, Serialize};

use super::linked::Targets;
use super::{CodeGraph, DiagnosticId, EdgeType, ExecutionNode, GraphDiagnostic, KIND_DIAGNOSTIC};
use crate::event::ExecutionId;
use crate::execution::query::{After, Page, Paging, QueryError};
use crate::store::Ask;

pub(super) const LINKS_LEN_MAX: usize = 256;

/// An execution in a chain, with everything that it is linked to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChainStep {
    pub execution: ExecutionNode,
    /// In the order they were recorded.
    pub links: Vec<Link>,
    /// Whether it has more links than are listed.
    pub links_more: bool,
}

/// A question for a chain; [`Self::fetch`] answers it.
#[derive(Clone, Debug)]
#[must_use = "a chain is asked for by `fetch`"]
pub struct ExecutionChain<'g> {
    graph: &'g CodeGraph,
    of: ChainOf,
    before: Option<DiagnosticId>,
    paging: Paging,
}

#[derive(Clone, Debug)]
enum ChainOf {
    File(String),
    Symbol { name: String, file: Option<String> },
}

impl CodeGraph {
    /// The executions that affected a symbol: those linked to it, and those that affected a file
    /// that defines it.
    pub fn execution_chain_affecting_symbol(&self, symbol: &str) -> ExecutionChain<'_> {
        self.chain(ChainOf::Symbol { name: symbol.to_owned(), file: None })
    }

    /// The executions that are linked to a file, given from the project's root, or absolute.
    pub fn execution_chain_of_file(&self, path: &str) -> ExecutionChain<'_> {
        self.chain(ChainOf::File(path.to_owned()))
    }

    fn chain(&self, of: ChainOf) -> ExecutionChain<'_> {
        ExecutionChain { graph: self, of, before: None, paging: Paging::default() }
    }
}

impl ExecutionChain<'_> {
    /// Only what came before the execution that produced this diagnostic first.
    pub fn before_diagnostic(mut self, id: impl Into<DiagnosticId>) -> Self {
        self.before = Some(id.into());
        self
    }

    /// Only the symbol that this file defines.
    pub fn in_file(mut self, path: &str) -> Self {
        if let ChainOf::Symbol { file, .. } = &mut self.of {
            *file = Some(path.to_owned());
        }
        self
    }

    /// At most this many steps, the newest, of those before the place where the last page ended.
    pub fn page(mut self, limit: usize, after: Option<After>) -> Self {
        self.paging = Paging::of(limit, after);
        self
    }

    /// Whether it is asked for from its newest step on.
    pub(crate) fn is_newest(&self) -> bool {
        self.paging.after.is_none() && self.before.is_none()
    }

    /// The diagnostic that bounds the chain, where one does.
    pub fn diagnostic(&self) -> Result<Option<GraphDiagnostic>, QueryError> {
        let Some(id) = &self.before else { return Ok(None) };
        let roots = self.graph.graph.roots();
        let key = match &self.of {
            ChainOf::File(path) => Some(roots.key(path, None)),
            ChainOf::Symbol { file, .. } => file.as_ref().map(|file| roots.key(file, None)),
        };
        // Of several of one code, the one in the file that is asked about.
        let prefer = |found: &GraphDiagnostic| {
            let file = found.file_name.as_ref().map(|file| roots.key(file, None));
            key.is_some() && file == key
        };
        self.graph.diagnostic_like(id, prefer).map(Some)
    }

    /// Whether the graph knows what the chain is of.
    pub fn is_known(&self) -> Result<bool, QueryError> {
        Ok(!self.targets()?.is_empty())
    }

    /// A page of the chain: the newest steps, the oldest of them first. The next page is of older
    /// ones.
    pub fn fetch(&self) -> Result<Page<ChainStep>, QueryError> {
        let before = match self.diagnostic()? {
            None => None,
            Some(found) => self.graph.first_producer(&found)?.map(|first| first.at()),
        };
        let Paging { limit, after } = self.paging;
        let (executions, next) = self.graph.linked_to(&self.targets()?, limit, before, after)?;
        let mut items = Vec::with_capacity(executions.len());
        for execution in executions {
            let (links, links_more) = self.graph.links(execution.entity)?;
            items.push(ChainStep { execution, links, links_more });
        }
        Ok(Page { items, next })
    }

    fn targets(&self) -> Result<Targets, QueryError> {
        match &self.of {
            ChainOf::File(path) => self.graph.file_targets(path),
            ChainOf::Symbol { name, file } => self.graph.symbol_targets(name, file.as_deref()),
        }
    }
}

/// An edge of an execution, and what it leads to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Link {
    pub edge: EdgeType,
    /// The edge's `operation`, `change_type`, `query_type`, or the diagnostic's `severity`.
    pub word: Option<String>,
    #[serde(flatten)]
    pub to: GraphEntity,
    /// What was produced, where a diagnostic was.
    pub diagnostic: Option<GraphDiagnostic>,
}

/// A file, a symbol, a diagnostic, or what stands for one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct GraphEntity {
    #[serde(skip)]
    pub id: i64,
    /// `File`, `Symbol`, `diagnostic`, `annals_stub`.
    pub kind: String,
    /// A file's path, a symbol's name.
    pub name: String,
    #[serde(skip)]
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
        let asked = [entity, LINKS_LEN_MAX as i64 + 1].map(Ask::Number);
        let mut links = self.graph.answer(super::LINKS, &asked, |row| {
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
        })?;
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
