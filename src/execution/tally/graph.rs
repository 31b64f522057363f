//! What `codegraph.db` has of an execution, as far as the journal alone tells.

use std::collections::BTreeSet;
use std::path::Path;

use serde::Serialize;

use crate::event::ExecutionStarted;
use crate::execution::closed::Closed;
use crate::execution::graph::fold::links;
use crate::execution::graph::{Link, Roots};
use crate::parse::check::CheckRules;

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct GraphAdded {
    /// The entity's name: `tool:uuid`.
    pub entity: String,
    pub edges: Vec<GraphEdge>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct GraphEdge {
    /// `EXECUTED_ON`, `AFFECTED`, `REFERENCED` or `PRODUCED`.
    pub edge: &'static str,
    /// The operation, the change, what was asked, or `diagnostic`.
    pub word: &'static str,
    /// A path, a symbol, or a diagnostic's name.
    pub to: String,
}

#[derive(Debug)]
pub(super) struct Graph {
    roots: Roots,
    diagnostics: BTreeSet<[u8; 16]>,
    pub edges: u64,
    /// The project's own checks in force.
    pub own: CheckRules,
}

impl Graph {
    pub(super) fn new(root: &Path) -> Self {
        let (roots, diagnostics) = (Roots::new(root, None), BTreeSet::new());
        Self { roots, diagnostics, edges: 0, own: CheckRules::default() }
    }

    /// From here on paths are told from this folder.
    pub(super) fn told_from(&mut self, root: &Path) {
        self.roots = Roots::new(root, None);
    }

    pub(super) fn diagnostics(&self) -> u64 {
        self.diagnostics.len() as u64
    }

    pub(super) fn add(
        &mut self,
        closed: Closed<'_>,
        id: &str,
        start: Option<&ExecutionStarted>,
    ) -> GraphAdded {
        let linked = links::of(closed, start, None, &self.roots, &self.own);
        let mut edges = Vec::with_capacity(linked.links.len());
        for link in &linked.links {
            if let Link::Produced { diagnostic } = link {
                let mut identity = [0; 16];
                identity.copy_from_slice(&diagnostic.identity[..16]);
                self.diagnostics.insert(identity);
            }
            let edge = told(link);
            if !edges.contains(&edge) {
                edges.push(edge);
            }
        }
        self.edges += edges.len() as u64;
        GraphAdded { entity: format!("{}:{id}", closed.tool), edges }
    }
}

fn told(link: &Link<'_>) -> GraphEdge {
    let (word, to) = match link {
        Link::ExecutedOn { file, operation } => (operation.as_str(), file.as_str().to_owned()),
        Link::Affected { file, change } => (change.as_str(), file.as_str().to_owned()),
        Link::Referenced { symbol, query } => (query.as_str(), (*symbol).to_owned()),
        Link::Produced { diagnostic } => ("diagnostic", diagnostic.name()),
    };
    GraphEdge { edge: link.edge_type(), word, to }
}
