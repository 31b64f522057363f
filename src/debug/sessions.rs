//! Debug sessions: opened, and ended.

use std::path::{Component, Path};

use super::writer::not_over;
use super::{CloseDone, DebugDone, DebugError, DebugWriter, OpenGiven, fields};
use crate::config::ATTEMPTS_MAX;
use crate::debug::query::DebugView;
use crate::event::{
    Body, DebugAuthor, DebugSessionClosed, DebugSessionId, DebugSessionOpened, DebugStatus,
};
use crate::journal::id;

impl DebugWriter<'_, '_> {
    /// Opens a session.
    pub fn open(&mut self, given: OpenGiven) -> Result<DebugDone, DebugError> {
        let given = self.checked_open(given)?;
        let _turn = self.turn()?;
        let opened = self.opened(DebugView::of(&self.index()?), given)?;
        let session = opened.session;
        let sequence = self.commit(vec![Body::DebugSessionOpened(opened)])?;
        self.done(session, sequence)
    }

    /// Ends a session, or escalates it; an escalation runs its hooks. One that stands so already stays as
    /// it is.
    pub fn close(
        &mut self,
        session: DebugSessionId,
        status: DebugStatus,
        reason: Option<String>,
    ) -> Result<CloseDone, DebugError> {
        if status == DebugStatus::InProgress {
            return fields::refused("status", "must be passed, failed or escalated");
        }
        if let Some(reason) = &reason {
            fields::text("reason", reason)?;
        }
        let turn = self.turn()?;
        let record = self.record(session)?;
        if record.session.status == status {
            let done = DebugDone { session, document: record.document, sequence: None };
            return Ok(CloseDone { done, hooks: Vec::new() });
        }
        not_over(&record)?;
        let by = DebugAuthor::Caller;
        let closed = DebugSessionClosed { session, status, by, reason };
        let sequence = self.commit(vec![Body::DebugSessionClosed(closed)])?;
        drop(turn);
        let hooks = match status {
            DebugStatus::Escalated if self.runs_hooks => self.on_escalation(session),
            _ => Vec::new(),
        };
        Ok(CloseDone { done: self.done(session, sequence)?, hooks })
    }

    /// As it is recorded, its file where it lies in the project.
    pub(super) fn checked_open(&self, given: OpenGiven) -> Result<OpenGiven, DebugError> {
        fields::path("file_path", &given.file_path)?;
        let words = [("agent", &given.agent), ("task_id", &given.task_id)];
        for (field, word) in words {
            if let Some(word) = word {
                fields::word(field, word)?;
            }
        }
        fields::signed("ralph_iteration", given.ralph_iteration)?;
        if let Some(most) = given.attempts_max
            && !(1..=ATTEMPTS_MAX).contains(&most)
        {
            return fields::refused("attempts_max", &format!("must be from 1 to {ATTEMPTS_MAX}"));
        }
        let placed = placed(self.project.root(), &given.file_path);
        // As the journal has it: sessions are found again by it.
        let file_path = self.recorder.redactor().redact_text(&placed);
        Ok(OpenGiven { file_path, ..given })
    }

    /// What is recorded of a session that is opened.
    pub(super) fn opened(
        &self,
        view: DebugView<'_>,
        given: OpenGiven,
    ) -> Result<DebugSessionOpened, DebugError> {
        if let Some(session) = given.session {
            if view.session(session)?.is_some() {
                return Err(DebugError::Exists { session });
            }
            if view.is_expired(session)? {
                return Err(DebugError::Expired { session });
            }
        }
        let session = given.session.unwrap_or_else(|| id::debug_session(self.now_ms()));
        Ok(DebugSessionOpened {
            session,
            file_path: given.file_path,
            attempts_max: given.attempts_max.unwrap_or_else(|| self.attempts_max()),
            agent: given.agent,
            task_id: given.task_id,
            ralph_iteration: given.ralph_iteration,
        })
    }

    /// So many may fail, where a session does not say.
    pub(super) fn attempts_max(&self) -> u32 {
        self.project.config().debug.attempts_max.clamp(1, ATTEMPTS_MAX)
    }
}

/// A path from the project's root, with `/`; as it is given where it does not lie below it.
pub(super) fn placed(root: &Path, given: &str) -> String {
    let path = Path::new(given);
    let inside = path.strip_prefix(root).unwrap_or(path);
    let mut parts = Vec::new();
    for part in inside.components() {
        match part {
            Component::CurDir => {}
            Component::Normal(name) => parts.push(name.to_string_lossy()),
            // It leads elsewhere, or may, by a link.
            Component::ParentDir | Component::RootDir | Component::Prefix(_) => {
                return given.to_owned();
            }
        }
    }
    if parts.is_empty() { given.to_owned() } else { parts.join("/") }
}
