//! Where a node's facts go: into the journal, and into memory in the same commit.

use crate::command::memory::{Asker, Memory, Operation, RecallGiven};
use crate::command::reply::ArchivalWrite;
use crate::command::{Project, Recorder, clock};
use crate::event::{Body, Envelope, Event, MemoryDoor, MemoryOrigin, NodePlace, SessionId, Source};

use super::PhasesError;

/// Where a node's facts go.
pub struct Book<'p> {
    project: &'p Project,
    /// `None` where `memory.enabled` is off.
    memory: Option<Memory<'p>>,
    asker: Asker,
    pub place: NodePlace,
    pub stage: String,
}

/// What is to be remembered of something that happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Remembered {
    Recall { kind: &'static str, summary: String },
    Archival { text: String, tags: Vec<String> },
}

impl<'p> Book<'p> {
    /// The book of a node.
    ///
    /// # Errors
    /// Where memory cannot be opened.
    pub fn open(
        project: &'p Project,
        place: NodePlace,
        stage: &str,
        session: Option<SessionId>,
    ) -> Result<Self, PhasesError> {
        let enabled = project.config().memory.enabled;
        let memory = enabled.then(|| Memory::open(project)).transpose()?;
        let origin = MemoryOrigin {
            run: Some(place.experiment.run.clone()),
            node: Some(place.node.clone()),
            phase: Some(stage.to_owned()),
            ..MemoryOrigin::by(MemoryDoor::Api)
        };
        let asker = Asker { session, origin };
        Ok(Self { project, memory, asker, place, stage: stage.to_owned() })
    }

    /// Whether there is memory to remember in.
    pub fn has_memory(&self) -> bool {
        self.memory.is_some()
    }

    /// The project.
    pub fn project(&self) -> &'p Project {
        self.project
    }

    /// Whose session it is.
    pub fn session(&self) -> Option<SessionId> {
        self.asker.session
    }

    /// Records what happened and remembers it: one commit. Without memory it is recorded.
    ///
    /// # Errors
    /// Where it could not be recorded; then nothing was.
    pub fn tell(
        &mut self,
        bodies: Vec<Body>,
        remembered: Vec<Remembered>,
    ) -> Result<(), PhasesError> {
        let (place, stage) = (self.place.clone(), self.stage.clone());
        let done = self.with_memory(|operation| {
            for body in bodies.iter().cloned() {
                operation.record(body)?;
            }
            for one in &remembered {
                remember(operation, &place, &stage, one)?;
            }
            Ok(())
        })?;
        if done.is_some() {
            return Ok(());
        }
        let (session, now_ms) = (self.asker.session, clock::now_ms());
        let event = |body| Event { envelope: Envelope::new(session, Source::Live, now_ms), body };
        let events = bodies.into_iter().map(event).collect();
        Recorder::live(self.project)?.record(events)?;
        Ok(())
    }

    /// Has the settings' model judge what the node's keys are worth, before an operation uses it.
    ///
    /// # Errors
    /// Where memory cannot be read.
    pub fn judge(&mut self) -> Result<(), PhasesError> {
        match &mut self.memory {
            Some(memory) => Ok(memory.judge(&self.place.branch, Some(&self.stage))?),
            None => Ok(()),
        }
    }

    /// An operation on memory; `None` where there is none.
    ///
    /// # Errors
    /// The operation's own.
    pub fn with_memory<T>(
        &mut self,
        operation: impl FnOnce(&mut Operation<'_>) -> Result<T, crate::command::memory::MemoryError>,
    ) -> Result<Option<T>, crate::command::memory::MemoryError> {
        match &mut self.memory {
            None => Ok(None),
            Some(memory) => memory.operate(&self.asker, operation).map(Some),
        }
    }
}

/// Remembers one thing on the node's branch, as spec 003's dict has it.
pub fn remember(
    operation: &mut Operation<'_>,
    place: &NodePlace,
    stage: &str,
    one: &Remembered,
) -> Result<(), crate::command::memory::MemoryError> {
    match one {
        Remembered::Recall { kind, summary } => {
            let given = RecallGiven {
                run_id: Some(place.experiment.run.clone()),
                node_id: Some(place.node.clone()),
                branch_id: Some(place.branch.clone()),
                phase: Some(stage.to_owned()),
                kind: Some((*kind).to_owned()),
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
