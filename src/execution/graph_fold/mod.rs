//! The fold into `codegraph.db`: an entity for every execution that closes, and its edges.

pub(crate) mod links;

use crate::event::{Body, Recorded, tool};
use crate::execution::closed::{Closed, signed};
use crate::execution::graph::{CodeGraph, ExecutionNode};
use crate::store::{Cursor, Position, Projector, Rows, StoreError};
use links::Linked;

/// The fold into `codegraph.db`.
#[derive(Debug)]
pub struct CodeGraphProjector {
    store: CodeGraph,
    /// Whether a transaction takes out what was there, and makes every edge.
    anew: bool,
}

/// Whether an execution is new to the graph, or its edges are made anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Put {
    Insert,
    Relink,
}

impl CodeGraphProjector {
    /// A fold into this graph.
    pub fn new(store: CodeGraph) -> Self {
        Self { store, anew: false }
    }

    /// A fold that begins from nothing, in the place of what is ours in the graph.
    pub fn anew(store: CodeGraph) -> Self {
        Self { store, anew: true }
    }

    /// The graph, for what is asked of it besides.
    pub fn store(&mut self) -> &mut CodeGraph {
        &mut self.store
    }

    /// Makes the edges of an execution anew, after what they led to has changed. Twice is once.
    pub fn relink(
        &mut self,
        recorded: &Recorded,
        started: Option<&Recorded>,
    ) -> Result<(), StoreError> {
        match Closed::of(recorded) {
            Some(closed) => self.put(recorded, closed, started, Put::Relink),
            None => Ok(()),
        }
    }

    /// Ends a transaction in which everything was linked again that changed beside us.
    pub fn commit_relinked(&mut self, position: Position) -> Result<(), StoreError> {
        self.store.commit(position, true)
    }

    fn put(
        &mut self,
        recorded: &Recorded,
        closed: Closed<'_>,
        started: Option<&Recorded>,
        how: Put,
    ) -> Result<(), StoreError> {
        if !self.in_force(closed.tool) {
            // No row in `execution_log.db`, no entity here (X1); the index lists it.
            return Ok(());
        }
        let start = started.and_then(|started| match &started.event.body {
            Body::ExecutionStarted(start) => Some(start),
            _ => None,
        });
        // A start that repeats a call under another id leads to the first one's row.
        let id = match (start, closed.corrects) {
            (Some(start), None) => start.execution,
            _ => closed.execution,
        };
        let id = id.to_string();
        let node = ExecutionNode {
            tool: closed.tool,
            execution_id: &id,
            timestamp_ms: signed(recorded.event.envelope.at_ms),
            success: closed.outcome == crate::event::Outcome::Ok,
        };
        let Linked { files, links } = links::of(closed, start, self.store.roots());
        // A second closing event of an execution: the first counts, and the index says so.
        match how {
            Put::Insert => self.store.insert(&node, &files, &links).map(drop),
            Put::Relink => self.store.relink(&node, &files, &links).map(drop),
        }
    }

    fn in_force(&self, name: &str) -> bool {
        tool::CONTRACT.contains(&name) || self.store.declared().iter().any(|known| known == name)
    }
}

impl Projector for CodeGraphProjector {
    fn begin(&mut self) -> Result<(), StoreError> {
        self.store.begin()?;
        if self.anew { self.store.clear() } else { Ok(()) }
    }

    fn cursor(&self) -> Result<Option<Cursor>, StoreError> {
        self.store.cursor()
    }

    fn found_rows(&self) -> Result<Rows, StoreError> {
        self.store.found_rows()
    }

    fn apply(&mut self, recorded: &Recorded, started: Option<&Recorded>) -> Result<(), StoreError> {
        if let Body::JournalCreated(created) = &recorded.event.body {
            self.store.tell_from(&created.root);
            return Ok(());
        }
        if let Body::ToolsDeclared(declared) = &recorded.event.body {
            self.store.declare(declared.tools.iter().filter(|name| tool::is_valid(name)));
            return Ok(());
        }
        match Closed::of(recorded) {
            Some(closed) => self.put(recorded, closed, started, Put::Insert),
            None => Ok(()),
        }
    }

    fn wants_starts(&self) -> bool {
        true
    }

    fn commit(&mut self, position: Position) -> Result<(), StoreError> {
        self.store.commit(position, self.anew)
    }

    fn rollback(&mut self) -> Result<(), StoreError> {
        self.store.rollback()
    }

    fn finish(self: Box<Self>) -> Result<(), StoreError> {
        self.store.finish()
    }
}

#[cfg(test)]
mod tests;
