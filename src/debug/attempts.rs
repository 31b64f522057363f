//! Attempts, and what follows from each by rule.

use std::collections::BTreeSet;

use super::error::Result;
use super::hooks::Found;
use super::query::{DebugRecord, DebugView};
use super::rules::AttemptOutcome;
use super::writer::not_over;
use super::{AttemptDone, AttemptGiven, DebugError, DebugWriter, OpenGiven, rules};
use crate::config::ATTEMPTS_MAX;
use crate::event::{
    AttemptRecorded, Body, Content, DebugAuthor, DebugSessionClosed, DebugSessionId,
    DebugSessionOpened, DebugStatus, FixOrigin, FixVerified, TemplateRef, TemplateTrial,
    TemplateTried, Verification,
};

enum Session {
    Known(Box<DebugRecord>),
    /// It is opened in the same commit.
    New(DebugSessionOpened),
}

pub(super) struct Ruled {
    session: DebugSessionId,
    pub(super) attempt: u32,
    attempts_max: u32,
    outcome: AttemptOutcome,
    verified: Option<(u32, Verification)>,
    /// Where the session stands otherwise than before.
    status: Option<DebugStatus>,
    /// Attempts that failed, this one among them.
    failed: u64,
    pub(super) bodies: Vec<Body>,
}

impl DebugWriter<'_, '_> {
    /// Records an attempt of a session: its status and the fix before it follow by rule, then the hooks
    /// run.
    pub fn attempt(&mut self, session: DebugSessionId, given: AttemptGiven) -> Result<AttemptDone> {
        self.attempt_of(given, |writer, view| {
            Ok(Session::Known(Box::new(writer.known(view, session)?)))
        })
    }

    /// Records an attempt at a file: of the newest session of it that is in progress or escalated, else
    /// of one that is opened as given, in the same commit.
    pub fn attempt_at(&mut self, open: OpenGiven, given: AttemptGiven) -> Result<AttemptDone> {
        let open = self.checked_open(open)?;
        self.attempt_of(given, |writer, view| {
            let wanted = match open.session {
                Some(session) => view.session(session)?,
                None => view.newest_open(&open.file_path)?,
            };
            Ok(match wanted {
                Some(session) => Session::Known(Box::new(writer.known(view, session.id)?)),
                None => Session::New(writer.opened(view, open)?),
            })
        })
    }

    fn attempt_of(
        &mut self,
        given: AttemptGiven,
        session: impl FnOnce(&Self, DebugView<'_>) -> Result<Session>,
    ) -> Result<AttemptDone> {
        let told = given.failures.len();
        let given = given.checked(self.recorder.redactor())?;
        let left_out = left_out(told, &given);
        let turn = self.turn()?;
        let index = self.index()?;
        let view = DebugView::of(&index);
        let of = session(self, view)?;
        let ruled = match &of {
            Session::Known(known) => self.ruled(view, known, given)?,
            Session::New(opened) => {
                let record = DebugRecord::opened(opened, self.now_ms());
                let mut ruled = self.ruled(view, &record, given)?;
                ruled.bodies.insert(0, Body::DebugSessionOpened(opened.clone()));
                ruled
            }
        };
        drop(index);
        let Ruled { session, attempt, attempts_max, outcome, verified, failed, .. } = ruled;
        let sequence = self.commit(ruled.bodies)?;
        drop(turn);
        let mut found = Found::default();
        if self.runs_hooks {
            match outcome {
                AttemptOutcome::Failed => found = self.on_failure(session, attempt),
                AttemptOutcome::Passed => found.told = self.on_success(session),
                AttemptOutcome::Nothing => {}
            }
            if ruled.status == Some(DebugStatus::Escalated) {
                found.told.extend(self.on_escalation(session));
            }
        }
        let done = self.done(session, sequence)?;
        Ok(AttemptDone {
            attempt,
            attempts_max,
            opened: matches!(of, Session::New(_)),
            status: done.document.status.unwrap_or(DebugStatus::InProgress),
            failed,
            left_out,
            verified,
            similar: found.similar,
            proposed: found.proposed,
            hooks: found.told,
            done,
        })
    }

    /// What an attempt at a session comes to by rule.
    pub(super) fn ruled(
        &self,
        view: DebugView<'_>,
        record: &DebugRecord,
        given: AttemptGiven,
    ) -> Result<Ruled> {
        // One that failed by count alone long ago goes on where its agent did.
        if !self.is_past || record.session.status == DebugStatus::Passed {
            not_over(record)?;
        }
        let given = given.fitting(record)?;
        let session = record.session.id;
        let attempts_max = record.beside.attempts_max.unwrap_or_else(|| self.attempts_max());
        let attempt = rules::next_attempt(record);
        let many = record.document.executions.len();
        if attempt > ATTEMPTS_MAX || many >= ATTEMPTS_MAX as usize {
            return Err(DebugError::TooMany { session });
        }
        let outcome = AttemptOutcome::of(&given.results, given.failures.len());
        let failed_before = rules::failed_attempts(record);
        let before = record.session.status;
        let status = rules::new_status(before, outcome, failed_before, attempts_max, self.is_past);
        let verified = record
            .pending_fix()
            .and_then(|pending| Some((pending.attempt, rules::verdict(record, &pending, &given)?)));
        let mut bodies = vec![Body::AttemptRecorded(AttemptRecorded {
            session,
            attempt,
            execution: given.execution,
            code_hash: given.code_hash,
            code_snapshot: given.code_snapshot.map(Content::Inline),
            environment: given.environment,
            results: given.results,
            failures: given.failures,
        })];
        let by = DebugAuthor::Annals;
        if let Some((attempt, verification)) = verified {
            bodies.push(Body::FixVerified(FixVerified { session, attempt, by, verification }));
            // After a success it is the hook's to count.
            if outcome != AttemptOutcome::Passed || !self.runs_hooks {
                bodies.extend(self.tried(view, record, attempt, verification)?);
            }
        }
        bodies.extend(status.map(|status| {
            Body::DebugSessionClosed(DebugSessionClosed { session, status, by, reason: None })
        }));
        let failed = failed_before + u64::from(outcome == AttemptOutcome::Failed);
        Ok(Ruled { session, attempt, attempts_max, outcome, verified, status, failed, bodies })
    }

    /// One trial more of the template that the fix after an attempt was made from, where it is not
    /// counted so and the template is there still; and of what was learnt here of that fix, where that
    /// was counted otherwise.
    pub(super) fn tried(
        &self,
        view: DebugView<'_>,
        record: &DebugRecord,
        attempt: u32,
        verification: Verification,
    ) -> Result<Vec<Body>> {
        let worked = match verification {
            Verification::Passed => true,
            Verification::Failed => false,
            Verification::Pending => return Ok(Vec::new()),
        };
        let session = record.session.id;
        let origin = record.beside.fixes.get(&attempt);
        let uncounted = |it: &&FixOrigin| !it.tried || it.worked.is_some_and(|one| one != worked);
        let made_from = origin.filter(uncounted).and_then(|origin| origin.template.clone());
        let is_own = |it: &&TemplateTrial| (it.session, it.attempt) == (session, attempt);
        let own = record.beside.trials.iter().filter(is_own).filter(|it| it.worked != worked);
        let own = own.map(|it| TemplateRef { session, pattern: it.pattern.clone() });
        let templates: BTreeSet<TemplateRef> = made_from.into_iter().chain(own).collect();
        let mut tried = Vec::new();
        for template in templates {
            let learnt = view.patterns(template.session)?;
            if learnt.iter().any(|it| it.pattern == template.pattern) {
                let it = TemplateTried { session, attempt, template, worked };
                tried.push(Body::TemplateTried(it));
            }
        }
        Ok(tried)
    }
}

/// How many failures were told, or counted besides those told, and are not kept.
fn left_out(told: usize, given: &AttemptGiven) -> u64 {
    let kept = given.failures.len();
    let cut = (told - kept.min(told)) as u64;
    if told == 0 {
        return 0;
    }
    let bad = given.results.failed.saturating_add(given.results.errors.unwrap_or_default());
    cut.max(bad.saturating_sub(kept as u64))
}
