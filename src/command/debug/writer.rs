//! Changes debug memory: each change is one durable commit of the journal.

use std::time::Duration;

use super::{
    AttemptDone, AttemptGiven, CloseDone, DebugDone, DebugError, DebugExport, ExpiredSession,
    FixGiven, ImportDone, LearnGiven, OpenGiven,
};
use crate::command::{Project, Recorder};
use crate::event::{Analysis, DebugSessionId, DebugStatus, SessionId, Verification};

/// How long whoever changes debug memory is waited for.
pub(super) const TURN: Duration = Duration::from_secs(30);

/// Changes debug memory. What is decided on what is there holds for the moment in which it is recorded:
/// one process at a time decides.
pub struct DebugWriter<'r, 'p> {
    pub(super) project: &'p Project,
    pub(super) recorder: &'r mut Recorder<'p>,
    session: Option<SessionId>,
    at_ms: Option<u64>,
    runs_hooks: bool,
}

impl<'r, 'p> DebugWriter<'r, 'p> {
    /// Records through this recorder, which must be a live one, for an agent's session.
    pub fn new(
        project: &'p Project,
        recorder: &'r mut Recorder<'p>,
        session: Option<SessionId>,
    ) -> Self {
        Self { project, recorder, session, at_ms: None, runs_hooks: true }
    }

    /// Records as of this moment, Unix milliseconds, until another is said: for what is inferred from
    /// what was recorded.
    pub fn set_at_ms(&mut self, at_ms: u64) {
        self.at_ms = Some(at_ms);
    }

    /// Runs no hooks: for what is inferred.
    #[must_use]
    pub fn without_hooks(self) -> Self {
        Self { runs_hooks: false, ..self }
    }

    /// Opens a session.
    ///
    /// # Errors
    /// Where a field cannot be what it was given as, or the id is there already.
    pub fn open(&mut self, given: OpenGiven) -> Result<DebugDone, DebugError> {
        todo!()
    }

    /// Records an attempt of a session: its status and the fix before it follow by rule, then the hooks
    /// run.
    ///
    /// # Errors
    /// Where a field cannot be what it was given as, or the session is over.
    pub fn attempt(
        &mut self,
        session: DebugSessionId,
        given: AttemptGiven,
    ) -> Result<AttemptDone, DebugError> {
        todo!()
    }

    /// Records an attempt at a file: of the newest session of it that is in progress or escalated, else
    /// of one that is opened as given, in the same commit.
    ///
    /// # Errors
    /// Where a field cannot be what it was given as.
    pub fn attempt_at(
        &mut self,
        open: OpenGiven,
        given: AttemptGiven,
    ) -> Result<AttemptDone, DebugError> {
        todo!()
    }

    /// Records what was wrong in an attempt, `None` in the last one.
    ///
    /// # Errors
    /// Where a field cannot be what it was given as; so for each that follows.
    pub fn analyse(
        &mut self,
        session: DebugSessionId,
        attempt: Option<u32>,
        analysis: Analysis,
    ) -> Result<DebugDone, DebugError> {
        todo!()
    }

    /// Records what was changed after an attempt, `None`: after the last one.
    pub fn fix(
        &mut self,
        session: DebugSessionId,
        attempt: Option<u32>,
        given: FixGiven,
    ) -> Result<DebugDone, DebugError> {
        todo!()
    }

    /// Records whether the fix after an attempt helped, `None`: the last one that there is.
    pub fn verify(
        &mut self,
        session: DebugSessionId,
        attempt: Option<u32>,
        verification: Verification,
    ) -> Result<DebugDone, DebugError> {
        todo!()
    }

    /// Records what was learnt.
    pub fn learn(
        &mut self,
        session: DebugSessionId,
        given: LearnGiven,
    ) -> Result<DebugDone, DebugError> {
        todo!()
    }

    /// Ends a session, or escalates it; an escalation runs its hooks. A session that is over so already
    /// stays as it is.
    pub fn close(
        &mut self,
        session: DebugSessionId,
        status: DebugStatus,
        reason: Option<String>,
    ) -> Result<CloseDone, DebugError> {
        todo!()
    }

    /// Takes documents from JSON or YAML: one, a list, or the contract's file with its `examples`.
    /// `what` is what they are called in what is told of them (a path). All of them, or none.
    ///
    /// # Errors
    /// Where they cannot be read, or one of them is not as the schema has it.
    pub fn import(&mut self, what: &str, bytes: &[u8]) -> Result<ImportDone, DebugError> {
        todo!()
    }

    /// Lets go of the sessions that were kept as long as the settings say, archived first where the
    /// settings say where. `dry_run`: only tells which.
    ///
    /// # Errors
    /// Where one cannot be archived: it stays, as do those after it.
    pub fn expire(&mut self, dry_run: bool) -> Result<Vec<ExpiredSession>, DebugError> {
        todo!()
    }

    /// A session with everything that it rests on.
    pub fn export(&self, session: DebugSessionId) -> Result<DebugExport, DebugError> {
        todo!()
    }
}
