//! Attempts, and what follows from each by rule.

use std::collections::BTreeSet;

use super::rules::{self, AttemptOutcome};
use super::writer::not_over;
use super::{AttemptDone, AttemptGiven, DebugError, DebugWriter, OpenGiven};
use crate::config::ATTEMPTS_MAX;
use crate::debug::query::{DebugRecord, DebugView};
use crate::event::{
    AttemptRecorded, Body, Content, DebugAuthor, DebugSessionClosed, DebugSessionId, DebugStatus,
    FixOrigin, FixVerified, Sequence, TemplateRef, TemplateTrial, TemplateTried, Verification,
};

/// What is recorded of an attempt.
struct Ruled {
    session: DebugSessionId,
    attempt: u32,
    attempts_max: u32,
    outcome: AttemptOutcome,
    verified: Option<(u32, Verification)>,
    /// Where it stands otherwise than before.
    status: Option<DebugStatus>,
    /// Attempts that failed, this one among them.
    failed: u64,
    left_out: u64,
    bodies: Vec<Body>,
}

impl DebugWriter<'_, '_> {
    /// Records an attempt of a session: its status and the fix before it follow by rule, then the hooks
    /// run.
    pub fn attempt(
        &mut self,
        session: DebugSessionId,
        given: AttemptGiven,
    ) -> Result<AttemptDone, DebugError> {
        let told = given.failures.len();
        let given = given.checked(self.recorder.redactor())?;
        let left_out = left_out(told, &given);
        let turn = self.turn()?;
        let index = self.index()?;
        let view = DebugView::of(&index);
        let record = self.known(view, session)?;
        let ruled = Ruled { left_out, ..self.ruled_on(view, &record, given)? };
        drop(index);
        let (ruled, sequence) = self.commit_ruled(ruled)?;
        drop(turn);
        self.after(ruled, false, sequence)
    }

    /// Records an attempt at a file: of the newest session of it that is in progress or escalated, else
    /// of one that is opened as given, in the same commit.
    pub fn attempt_at(
        &mut self,
        open: OpenGiven,
        given: AttemptGiven,
    ) -> Result<AttemptDone, DebugError> {
        let open = self.checked_open(open)?;
        let told = given.failures.len();
        let given = given.checked(self.recorder.redactor())?;
        let left_out = left_out(told, &given);
        let turn = self.turn()?;
        let index = self.index()?;
        let view = DebugView::of(&index);
        let wanted = match open.session {
            Some(session) => view.session(session)?,
            None => view.newest_open(&open.file_path)?,
        };
        let ruled = match &wanted {
            Some(session) => {
                let record = self.known(view, session.id)?;
                self.ruled_on(view, &record, given)?
            }
            None => {
                let opened = self.opened(view, open)?;
                let mut ruled = ruled_first(opened.session, opened.attempts_max, given);
                ruled.bodies.insert(0, Body::DebugSessionOpened(opened));
                ruled
            }
        };
        let ruled = Ruled { left_out, ..ruled };
        drop(index);
        let (ruled, sequence) = self.commit_ruled(ruled)?;
        drop(turn);
        self.after(ruled, wanted.is_none(), sequence)
    }

    fn commit_ruled(&mut self, mut ruled: Ruled) -> Result<(Ruled, Option<Sequence>), DebugError> {
        let sequence = self.commit(std::mem::take(&mut ruled.bodies))?;
        Ok((ruled, sequence))
    }

    /// What follows from a further attempt.
    fn ruled_on(
        &self,
        view: DebugView<'_>,
        record: &DebugRecord,
        given: AttemptGiven,
    ) -> Result<Ruled, DebugError> {
        not_over(record)?;
        let given = given.fitting(record)?;
        let session = record.session.id;
        let attempt = rules::next_attempt(Some(record));
        if attempt > ATTEMPTS_MAX || record.document.executions.len() >= ATTEMPTS_MAX as usize {
            return Err(DebugError::TooMany { session });
        }
        let attempts_max = record.beside.attempts_max.unwrap_or_else(|| self.attempts_max());
        let outcome = AttemptOutcome::of(&given.results, given.failures.len());
        let failed_before = rules::failed_attempts(record);
        let status = rules::new_status(record.session.status, outcome, failed_before, attempts_max);
        let pending = record.pending_fix();
        let verdict = pending.as_ref().and_then(|it| rules::verdict(record, it, &given));
        let verified = pending.zip(verdict);
        let mut bodies = vec![recorded(session, attempt, given)];
        if let Some((pending, verification)) = &verified {
            let (attempt, verification) = (pending.attempt, *verification);
            let by = DebugAuthor::Annals;
            bodies.push(Body::FixVerified(FixVerified { session, attempt, by, verification }));
            // After a success it is the hook's to count.
            if outcome != AttemptOutcome::Passed || !self.runs_hooks {
                bodies.extend(self.tried(view, record, attempt, verification)?);
            }
        }
        bodies.extend(status.map(|status| closed(session, status)));
        let verified = verified.map(|(pending, verification)| (pending.attempt, verification));
        let failed = failed_before + u64::from(outcome == AttemptOutcome::Failed);
        let left_out = 0;
        let ruled = Ruled {
            session,
            attempt,
            attempts_max,
            outcome,
            verified,
            status,
            failed,
            left_out,
            bodies,
        };
        Ok(ruled)
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
    ) -> Result<Vec<Body>, DebugError> {
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

    /// Runs the hooks of an attempt that was recorded, and tells what it came to.
    fn after(
        &mut self,
        ruled: Ruled,
        opened: bool,
        sequence: Option<Sequence>,
    ) -> Result<AttemptDone, DebugError> {
        let Ruled { session, attempt, attempts_max, outcome, verified, failed, left_out, .. } =
            ruled;
        let mut found = super::hooks::Found::default();
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
            opened,
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
}

/// What follows from the first attempt of a session that is opened for it.
fn ruled_first(session: DebugSessionId, attempts_max: u32, given: AttemptGiven) -> Ruled {
    let attempt = rules::next_attempt(None);
    let outcome = AttemptOutcome::of(&given.results, given.failures.len());
    let status = rules::new_status(DebugStatus::InProgress, outcome, 0, attempts_max);
    let mut bodies = vec![recorded(session, attempt, given)];
    bodies.extend(status.map(|status| closed(session, status)));
    let failed = u64::from(outcome == AttemptOutcome::Failed);
    let (verified, left_out) = (None, 0);
    Ruled { session, attempt, attempts_max, outcome, verified, status, failed, left_out, bodies }
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

fn recorded(session: DebugSessionId, attempt: u32, given: AttemptGiven) -> Body {
    Body::AttemptRecorded(AttemptRecorded {
        session,
        attempt,
        execution: given.execution,
        code_hash: given.code_hash,
        code_snapshot: given.code_snapshot.map(Content::Inline),
        environment: given.environment,
        results: given.results,
        failures: given.failures,
    })
}

fn closed(session: DebugSessionId, status: DebugStatus) -> Body {
    let (by, reason) = (DebugAuthor::Annals, None);
    Body::DebugSessionClosed(DebugSessionClosed { session, status, by, reason })
}
