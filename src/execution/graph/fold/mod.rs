//! The fold into `codegraph.db`: an entity for every execution that closes, and its edges.

pub(crate) mod links;

use super::{CodeGraph, ExecutionNode};
use crate::event::{Body, Outcome, Recorded, tool};
use crate::execution::closed::{Closed, signed, started_of};
use crate::execution::foresight;
use crate::parse::check::CheckRules;
use crate::store::{Cursor, Digest, Foreseen, Position, Projector, Rows, StoreError, connection};
use links::Linked;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Put {
    Insert,
    Relink,
}

impl CodeGraph {
    /// Makes the edges of an execution anew, after what they led to has changed, by the checks that were in
    /// force then. Twice is once.
    pub fn link_again(
        &mut self,
        recorded: &Recorded,
        started: Option<&Recorded>,
        own: &CheckRules,
    ) -> Result<(), StoreError> {
        self.put(recorded, started, own, Put::Relink)
    }

    fn put(
        &mut self,
        recorded: &Recorded,
        started: Option<&Recorded>,
        own: &CheckRules,
        how: Put,
    ) -> Result<(), StoreError> {
        // Without a row in `execution_log.db` there is no entity here (X1); the index lists it.
        let Some(closed) = Closed::of(recorded).filter(|closed| self.in_force(closed.tool)) else {
            return Ok(());
        };
        let start = started_of(started);
        let id = closed.row_id(start).to_string();
        let node = ExecutionNode {
            tool: closed.tool,
            execution_id: &id,
            timestamp_ms: signed(recorded.event.envelope.at_ms),
            success: closed.outcome == Outcome::Ok,
        };
        let found = foresight::ended(self.foreseen.as_ref(), recorded.sequence);
        let found = found.filter(|found| started.is_some_and(|start| found.is_of(start)));
        let Linked { files, links } = links::of(closed, start, found, &self.roots, own);
        // A second closing event of an execution: the first counts, and the index says so.
        match how {
            Put::Insert => self.insert(&node, &files, &links).map(drop),
            Put::Relink => self.relink(&node, &files, &links).map(drop),
        }
    }

    fn in_force(&self, name: &str) -> bool {
        tool::CONTRACT.contains(&name) || self.declared.iter().any(|known| known == name)
    }
}

impl Projector for CodeGraph {
    fn begin(&mut self) -> Result<(), StoreError> {
        self.run("BEGIN IMMEDIATE", "beginning to catch up")?;
        let begun =
            self.read_state().map_err(|source| self.failed("reading where it stands", source));
        begun.and_then(|()| self.number_rows()).inspect_err(|_| {
            // What stopped it is what to tell.
            drop(self.rollback());
        })?;
        if self.anew { self.clear() } else { Ok(()) }
    }

    /// To be trusted only after [`Self::begin`]. `None` where the graph knows nothing of us.
    fn cursor(&self) -> Result<Option<Cursor>, StoreError> {
        super::write::cursor(&self.conn).map_err(|source| self.failed("reading the cursor", source))
    }

    fn found_rows(&self) -> Result<Rows, StoreError> {
        super::found_rows(&self.conn).map_err(|source| self.failed("reading the last rows", source))
    }

    fn apply(&mut self, recorded: &Recorded, started: Option<&Recorded>) -> Result<(), StoreError> {
        match &recorded.event.body {
            Body::JournalCreated(created) => self.tell_from(&created.root),
            Body::ToolsDeclared(declared) => self.declare(&declared.tools),
            Body::ChecksDeclared(declared) => self.own_checks = declared.list.clone().into(),
            _ => {
                let own = self.own_checks.clone();
                return self.put(recorded, started, &own, Put::Insert);
            }
        }
        Ok(())
    }

    fn foresee(&mut self, foreseen: Foreseen) {
        if foresight::is_ours(&foreseen) {
            self.foreseen = Some(foreseen);
        }
    }

    fn wants_starts(&self) -> bool {
        true
    }

    fn wants_content(&self) -> bool {
        true
    }

    fn takes_ends_once(&self) -> bool {
        self.anew
    }

    fn commit(&mut self, position: Position) -> Result<(), StoreError> {
        self.commit_linked(position, self.anew)
    }

    fn rollback(&mut self) -> Result<(), StoreError> {
        self.forget(false);
        self.run("ROLLBACK", "giving up a transaction")
    }

    fn finish(self: Box<Self>) -> Result<Option<Digest>, StoreError> {
        if self.is_passing {
            return Ok(None);
        }
        self.index().map_err(|source| self.failed("making the indexes", source))?;
        let path = self.path.clone();
        drop(self);
        connection::finish_bulk(&path).map(|()| None)
    }
}

#[cfg(test)]
mod tests;
