//! Debug sessions: opened, and ended.

use std::path::{Component, Path};

use super::error::Result;
use super::input::checked_analysis;
use super::query::{DebugRecord, DebugView};
use super::writer::not_over;
use super::{
    CloseDone, DebugDone, DebugError, DebugWriter, FixGiven, LearnGiven, OpenGiven, fields,
};
use crate::config::ATTEMPTS_MAX;
use crate::event::{
    Analysis, AnalysisRecorded, Body, DebugAuthor, DebugExecution, DebugSessionClosed,
    DebugSessionId, DebugSessionOpened, DebugStatus, FixApplied, FixVerified, LearningExtracted,
    TemplateRef, Verification,
};
use crate::journal::id;

impl DebugWriter<'_, '_> {
    pub fn open(&mut self, given: OpenGiven) -> Result<DebugDone> {
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
    ) -> Result<CloseDone> {
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
    pub(super) fn checked_open(&self, given: OpenGiven) -> Result<OpenGiven> {
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

    pub(super) fn opened(
        &self,
        view: DebugView<'_>,
        given: OpenGiven,
    ) -> Result<DebugSessionOpened> {
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

const BY: DebugAuthor = DebugAuthor::Caller;

impl DebugWriter<'_, '_> {
    /// Records what was wrong in an attempt, `None`: in the last one. Also of a session that is over. Where no
    /// related failures are given they are those of the same causes.
    pub fn analyse(
        &mut self,
        session: DebugSessionId,
        attempt: Option<u32>,
        analysis: Analysis,
    ) -> Result<DebugDone> {
        let mut analysis = checked_analysis(analysis)?;
        let _turn = self.turn()?;
        let index = self.index()?;
        let view = DebugView::of(&index);
        let record = self.known(view, session)?;
        let attempt = execution(&record, attempt)?.attempt;
        if analysis.related_failures.is_none() {
            analysis.related_failures = view.related(&record, attempt)?;
        }
        drop(index);
        fields::for_more(&record, &analysis)?;
        let told = AnalysisRecorded { session, attempt, by: BY, analysis };
        let sequence = self.commit(vec![Body::AnalysisRecorded(told)])?;
        self.done(session, sequence)
    }

    /// Records what was changed after an attempt, `None`: after the last one.
    pub fn fix(
        &mut self,
        session: DebugSessionId,
        attempt: Option<u32>,
        given: FixGiven,
    ) -> Result<DebugDone> {
        let FixGiven { fix, template } = given.checked()?;
        let _turn = self.turn()?;
        let index = self.index()?;
        let view = DebugView::of(&index);
        let record = self.known(view, session)?;
        if record.is_inferred_and_passed()
            && let Some(bodies) =
                self.fix_afterwards(view, &record, attempt, fix.clone(), template.clone())?
        {
            drop(index);
            let sequence = self.commit(bodies)?;
            return self.done(session, sequence);
        }
        not_over(&record)?;
        let before = execution(&record, attempt)?;
        let attempt = before.attempt;
        fields::for_more(&record, &fix)?;
        if let Some(template) = &template {
            is_there(view, template)?;
        }
        let described = before.fix_applied.as_ref().map(|proposed| proposed.description.as_str());
        let is_proposed = described == Some(fix.description.as_str());
        let origin = record.beside.fixes.get(&attempt).filter(|_| is_proposed);
        let template = template.or_else(|| origin.and_then(|origin| origin.template.clone()));
        let applied = FixApplied { session, attempt, by: BY, fix, template };
        let sequence = self.commit(vec![Body::FixApplied(applied)])?;
        self.done(session, sequence)
    }

    /// Records whether the fix after an attempt helped, `None`: the last one that there is. A template
    /// that it was made from has one trial more; said again, it corrects what was said before, also of
    /// what was learnt of it.
    pub fn verify(
        &mut self,
        session: DebugSessionId,
        attempt: Option<u32>,
        verification: Verification,
    ) -> Result<DebugDone> {
        let _turn = self.turn()?;
        let index = self.index()?;
        let view = DebugView::of(&index);
        let record = self.known(view, session)?;
        let executions = || record.document.executions.iter().rev();
        let attempt = match attempt {
            None => executions().find(|it| it.fix_applied.is_some()).map(|it| it.attempt),
            Some(_) => None,
        }
        .map_or_else(|| execution(&record, attempt).map(|it| it.attempt), Ok)?;
        let fixed = execution(&record, Some(attempt))?;
        let Some(fix) = &fixed.fix_applied else {
            return Err(DebugError::NoFix { session, attempt });
        };
        if fix.verification == Some(verification) {
            return Ok(DebugDone { session, document: record.document, sequence: None });
        }
        let told = FixVerified { session, attempt, by: BY, verification };
        let mut bodies = vec![Body::FixVerified(told)];
        bodies.extend(self.tried(view, &record, attempt, verification)?);
        drop(index);
        let sequence = self.commit(bodies)?;
        self.done(session, sequence)
    }

    /// Records what was learnt. Also of a session that is over.
    pub fn learn(&mut self, session: DebugSessionId, given: LearnGiven) -> Result<DebugDone> {
        let LearnGiven { learnings, tallies } = given.checked()?;
        let _turn = self.turn()?;
        fields::for_more(&self.record(session)?, &learnings)?;
        let learnt = LearningExtracted { session, by: BY, learnings, tallies };
        let sequence = self.commit(vec![Body::LearningExtracted(learnt)])?;
        self.done(session, sequence)
    }
}

/// The attempt that is meant, `None`: the last.
fn execution(record: &DebugRecord, attempt: Option<u32>) -> Result<&DebugExecution> {
    let session = record.session.id;
    let mut executions = record.document.executions.iter().rev();
    match attempt {
        None => executions.next().ok_or(DebugError::NoAttempts { session }),
        Some(attempt) => executions
            .find(|execution| execution.attempt == attempt)
            .ok_or(DebugError::NoAttempt { session, attempt }),
    }
}

fn is_there(view: DebugView<'_>, template: &TemplateRef) -> Result<()> {
    let learnt = view.patterns(template.session)?;
    match learnt.iter().any(|it| it.pattern == template.pattern) {
        true => Ok(()),
        false => {
            let (session, pattern) = (template.session, template.pattern.clone());
            Err(DebugError::NoTemplate { session, pattern })
        }
    }
}
