//! Records what a chain has and debug memory has not: worked out on the session as it is held here, and
//! recorded as one commit.

use super::Inferred;
use super::chain::{Chain, Link};
use super::fix::{fix, is_known, joined};
use crate::debug::error::Result;
use crate::debug::fold::{DebugState, Slot};
use crate::debug::limits::LIST_LEN_MAX;
use crate::debug::query::{DebugRecord, DebugView};
use crate::debug::{AttemptGiven, DebugWriter, FixGiven, OpenGiven};
use crate::event::{
    Body, CodeQualityIssue, DebugAuthor, DebugEnvironment, DebugSessionClosed, DebugSessionId,
    DebugStatus, Envelope, Event, FixApplied, LearningExtracted, Recorded, Sequence, Source,
};

/// Records what is new of a chain, as of when it was; `None` where there is nothing.
pub fn record(
    writer: &mut DebugWriter<'_, '_>,
    view: DebugView<'_>,
    chain: &Chain,
    dry_run: bool,
) -> Result<Option<Inferred>> {
    let session = chain.session;
    let before = view.record(session)?;
    if before.as_ref().is_some_and(takes_no_more) || view.is_expired(session)? {
        return Ok(None);
    }
    let mut past = Past::of(session, before.as_ref());
    if before.is_none() {
        let given = OpenGiven {
            session: Some(session),
            file_path: chain.file(writer.project.root()),
            agent: chain.agent.clone().or(view.agent_of(chain.of)?),
            ..OpenGiven::default()
        };
        let opened = writer.opened(view, writer.checked_open(given)?)?;
        let at_ms = chain.links.first().map_or(0, |link| link.run.at_ms);
        past.add(at_ms, Body::DebugSessionOpened(opened));
    }
    let (mut attempts, mut fixes, mut flaky) = (0, 0, 0);
    for (at, link) in chain.links.iter().enumerate() {
        let Some(known) = past.record() else { return Ok(None) };
        let last = match attempt_of(&known, link) {
            Some(number) => number,
            None => {
                let given = given(chain, at, link).checked(writer.recorder.redactor());
                let ruled = match given.and_then(|given| writer.ruled(view, &known, given)) {
                    // It takes no more; what it has stands.
                    Err(error) if error.is_refusal() => break,
                    ruled => ruled?,
                };
                attempts += 1;
                let bodies = ruled.bodies.into_iter();
                bodies.for_each(|body| past.add(link.run.at_ms, body));
                ruled.attempt
            }
        };
        let is_verified =
            chain.links.get(at + 1).is_some_and(|next| attempt_of(&known, next).is_some());
        if let Some((at_ms, fix)) = fix(&link.edits).filter(|_| !is_verified) {
            let mut executions = known.document.executions.iter();
            let told = executions.find(|it| it.attempt == last);
            let told = told.and_then(|it| it.fix_applied.as_ref());
            let fix = joined(fix, told);
            if !is_known(&fix, told) {
                fixes += 1;
                let FixGiven { fix, .. } = FixGiven { fix, template: None }.checked()?;
                let template = known.beside.fixes.get(&last).and_then(|it| it.template.clone());
                let (attempt, by) = (last, DebugAuthor::Caller);
                let applied = FixApplied { session, attempt, by, fix, template };
                past.add(at_ms, Body::FixApplied(applied));
            }
        }
    }
    for flip in &chain.flips {
        let Some(known) = past.record() else { return Ok(None) };
        let told = known.document.learnings.iter().flat_map(|it| &it.code_quality_issues).flatten();
        let issue = flip.issue();
        let same = |it: &&CodeQualityIssue| it.issue.as_ref() == Some(&issue);
        if !flip.tests.is_empty() && told.filter(same).count() == 0 {
            flaky += 1;
            let tests = flip.tests.iter().take(LIST_LEN_MAX).cloned().collect();
            let (by, learnings) = (DebugAuthor::Annals, flip.learnings(tests));
            let learnt = LearningExtracted { session, by, learnings, tallies: Vec::new() };
            past.add(flip.at_ms, Body::LearningExtracted(learnt));
        }
    }
    if chain.is_over() {
        end(writer, view, chain, &mut past)?;
    }
    let Some(now) = past.record() else { return Ok(None) };
    let mut inferred = Inferred {
        session,
        of: chain.of,
        file_path: now.document.file_path.clone(),
        command: chain.command().to_owned(),
        status: now.session.status,
        attempts,
        fixes,
        flaky,
        attempts_all: chain.attempts(),
        sequence: None,
    };
    if !dry_run {
        inferred.sequence = writer.commit_at(past.bodies)?;
        if before.is_none() {
            writer.has_met(&now.document);
        }
    }
    Ok((attempts > 0 || fixes > 0 || flaky > 0).then_some(inferred))
}

/// A session that somebody ended, or that came from elsewhere. One that failed by count alone goes on.
fn takes_no_more(record: &DebugRecord) -> bool {
    let Some(attempts_max) = record.beside.attempts_max else { return true };
    match record.session.status {
        DebugStatus::Passed => true,
        DebugStatus::Failed => record.session.attempts_failed < u64::from(attempts_max),
        DebugStatus::InProgress | DebugStatus::Escalated => false,
    }
}

fn attempt_of(record: &DebugRecord, link: &Link) -> Option<u32> {
    let execution = link.run.execution.to_string();
    let mut executions = record.beside.executions.iter();
    executions.find(|(_, known)| **known == execution).map(|(attempt, _)| *attempt)
}

fn end(
    writer: &DebugWriter<'_, '_>,
    view: DebugView<'_>,
    chain: &Chain,
    past: &mut Past,
) -> Result<()> {
    let Some(record) = past.record() else { return Ok(()) };
    let at_ms = past.bodies.last().map_or(record.beside.updated_ms, |(at_ms, _)| *at_ms);
    if record.session.status != DebugStatus::Passed {
        let reason = match chain.flips.is_empty() {
            // Others failed in the run that showed it.
            true => "the tests that had failed pass, though others fail",
            false => "the tests that had failed pass with the same code: they are flaky",
        };
        let (session, status, by) = (chain.session, DebugStatus::Passed, DebugAuthor::Annals);
        let reason = Some(reason.to_owned());
        let closed = DebugSessionClosed { session, status, by, reason };
        past.add(at_ms, Body::DebugSessionClosed(closed));
    }
    if let Some(record) = past.record().filter(|_| chain.flips.is_empty()) {
        let bodies = writer.learnt_of_past(view, &record)?;
        bodies.into_iter().for_each(|body| past.add(at_ms, body));
    }
    Ok(())
}

/// A session as it will be, and what makes it so.
pub struct Past {
    session: DebugSessionId,
    slot: Slot,
    pub bodies: Vec<(u64, Body)>,
}

impl Past {
    pub fn of(session: DebugSessionId, before: Option<&DebugRecord>) -> Self {
        let held = before.map(|it| DebugState::of(it.document.clone(), it.beside.clone()));
        let slot = held.map_or(Slot::Absent, |it| Slot::Held(Box::new(it)));
        Self { session, slot, bodies: Vec::new() }
    }

    pub fn add(&mut self, at_ms: u64, body: Body) {
        let envelope = Envelope::new(None, Source::Live, at_ms);
        let event = Event { envelope, body: body.clone() };
        // What cannot be the index tells of where it is read.
        let recorded = Recorded { sequence: Sequence(0), recorded_ms: at_ms, event };
        self.slot.apply(self.session, &recorded, &mut Vec::new());
        self.bodies.push((at_ms, body));
    }

    pub fn record(&self) -> Option<DebugRecord> {
        match &self.slot {
            Slot::Held(state) => Some(DebugRecord::of(self.session, state)),
            Slot::Absent | Slot::Expired => None,
        }
    }
}

fn given(chain: &Chain, at: usize, link: &Link) -> AttemptGiven {
    let report = &link.run.report;
    let is_told = report.environment != DebugEnvironment::default();
    AttemptGiven {
        execution: Some(link.run.execution),
        code_hash: chain.code_hash(at),
        code_snapshot: None,
        environment: is_told.then(|| report.environment.clone()),
        results: report.results.clone(),
        failures: report.failures.clone(),
    }
}
