//! Where a node's facts go: into the journal, and into memory in the same commit.

use crate::event::{Body, Envelope, Event, MemoryDoor, MemoryOrigin, NodePlace, SessionId, Source};
use crate::execution::live_recorder;
use crate::journal::{Project, clock};
use crate::memory::{Asker, Memory, MemoryError, Operation, RecallGiven};
use crate::parse::reply::ArchivalWrite;

use super::Result;

pub struct Book<'p> {
    project: &'p Project,
    /// `memory.enabled`.
    enabled: bool,
    /// Open between a judgement and its operation only: while it is, nobody can rebuild the store, and
    /// commands and models may take hours.
    memory: Option<Memory<'p>>,
    asker: Asker,
    pub place: NodePlace,
    pub stage: String,
}

/// What is to be remembered of something that happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Remembered {
    Recall { kind: String, summary: String },
    Archival { text: String, tags: Vec<String> },
}

impl<'p> Book<'p> {
    pub fn of(
        project: &'p Project,
        place: NodePlace,
        stage: &str,
        session: Option<SessionId>,
    ) -> Self {
        let (enabled, memory) = (project.config().memory.enabled, None);
        let origin = MemoryOrigin {
            run: Some(place.experiment.run.clone()),
            node: Some(place.node.clone()),
            phase: Some(stage.to_owned()),
            ..MemoryOrigin::by(MemoryDoor::Api)
        };
        let asker = Asker { session, origin };
        Self { project, enabled, memory, asker, place, stage: stage.to_owned() }
    }

    pub fn has_memory(&self) -> bool {
        self.enabled
    }

    pub fn project(&self) -> &'p Project {
        self.project
    }

    pub fn session(&self) -> Option<SessionId> {
        self.asker.session
    }

    /// Records what happened and remembers it: one commit. Without memory it is recorded.
    pub fn tell(&mut self, bodies: Vec<Body>, remembered: Vec<Remembered>) -> Result<()> {
        let done = self.with_memory(|operation, place, stage| {
            bodies.iter().cloned().try_for_each(|body| operation.record(body))?;
            remembered.iter().try_for_each(|one| remember(operation, place, stage, one))
        })?;
        if done.is_some() {
            return Ok(());
        }
        let (session, now_ms) = (self.asker.session, clock::now_ms());
        let event = |body| Event { envelope: Envelope::new(session, Source::Live, now_ms), body };
        let events = bodies.into_iter().map(event).collect();
        live_recorder(self.project).record(events)?;
        Ok(())
    }

    /// Has the keys of the node's branch judged by whom the settings name: before the operation that
    /// consolidates, since nobody is to wait for a model within it.
    pub fn judge(&mut self, task_hint: &str) -> Result<()> {
        if self.enabled {
            let mut memory = Memory::open(self.project)?;
            memory.judge(&self.place.branch, Some(task_hint))?;
            self.memory = Some(memory);
        }
        Ok(())
    }

    /// An operation on memory, for the node's place and stage; `None` where there is none.
    pub fn with_memory<T>(
        &mut self,
        operation: impl FnOnce(&mut Operation<'_>, &NodePlace, &str) -> Result<T, MemoryError>,
    ) -> Result<Option<T>, MemoryError> {
        if !self.enabled {
            return Ok(None);
        }
        let mut memory = match self.memory.take() {
            Some(memory) => memory,
            None => Memory::open(self.project)?,
        };
        memory.operate(&self.asker, |it| operation(it, &self.place, &self.stage)).map(Some)
    }
}

/// Remembers one thing on the node's branch, as spec 003's dict has it.
pub fn remember(
    operation: &mut Operation<'_>,
    place: &NodePlace,
    stage: &str,
    one: &Remembered,
) -> Result<(), MemoryError> {
    match one {
        Remembered::Recall { kind, summary } => {
            let given = RecallGiven {
                run_id: Some(place.experiment.run.clone()),
                node_id: Some(place.node.clone()),
                branch_id: Some(place.branch.clone()),
                phase: Some(stage.to_owned()),
                kind: Some(kind.clone()),
                summary: summary.clone(),
                ..RecallGiven::default()
            };
            operation.mem_recall_append(&place.branch, &given).map(drop)
        }
        Remembered::Archival { text, tags } => {
            let write = ArchivalWrite { text: text.clone(), tags: tags.clone(), meta: Vec::new() };
            operation.mem_archival_write(&place.branch, &write).map(drop)
        }
    }
}
