//! Chains: the executions that are linked to a file or a symbol, in order of time.

use super::target::Targets;
use super::{CodeGraph, DiagnosticId, ExecutionNode, GraphDiagnostic, Link};
use crate::execution::query::{After, PAGE_ITEMS, PAGE_ITEMS_MAX, Page, QueryError};

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
    limit: usize,
    after: Option<After>,
}

#[derive(Clone, Debug)]
enum ChainOf {
    File(String),
    Symbol { name: String, file: Option<String> },
}

impl CodeGraph {
    /// The executions that affected a symbol: those linked to it, and those that affected a file
    /// that defines it.
    ///
    /// ```no_run
    /// # use annals::execution::query::CodeGraph;
    /// # let graph_db = CodeGraph::open("codegraph.db".as_ref())?;
    /// # let diagnostic_id = 7;
    /// let operations = graph_db
    ///     .execution_chain_affecting_symbol("foo")
    ///     .before_diagnostic(diagnostic_id)
    ///     .fetch()?;
    /// # Ok::<(), annals::execution::query::QueryError>(())
    /// ```
    pub fn execution_chain_affecting_symbol(&self, symbol: &str) -> ExecutionChain<'_> {
        self.chain(ChainOf::Symbol { name: symbol.to_owned(), file: None })
    }

    /// The executions that are linked to a file, given from the project's root, or absolute.
    pub fn execution_chain_of_file(&self, path: &str) -> ExecutionChain<'_> {
        self.chain(ChainOf::File(path.to_owned()))
    }

    fn chain(&self, of: ChainOf) -> ExecutionChain<'_> {
        ExecutionChain { graph: self, of, before: None, limit: PAGE_ITEMS, after: None }
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
        self.limit = limit.clamp(1, PAGE_ITEMS_MAX);
        self.after = after;
        self
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
        let (executions, next) =
            self.graph.linked_to(&self.targets()?, self.limit, before, self.after)?;
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
