//! Puts a report together: the journal is walked once, and the stores are asked.

use std::collections::BTreeSet;

use super::calls::each;
use super::failure::Ended;
use super::limits::{SESSIONS_MAX, TURNS_MAX};
use super::turn::{Call, Item};
use super::walked::{Walked, through};
use super::{AskedFor, Bounded, Integrity, Report, Summary, activity, check, files};
use crate::config::Prices;
use crate::event::wire::hex_text;
use crate::event::{Ordered, Outcome, Sequence};
use crate::execution::query::diff::Diff;
use crate::execution::query::{QueryError, SessionFilter, SessionSummary, StatsBy, Stores};
use crate::execution::replay::{Walk, Window};
use crate::fault::{Fault, Sorted};
use crate::journal::{JournalError, Reading, Source};
use crate::store::evidence::Cache;

/// What a report is asked about, and of whom.
pub struct Subject<'a> {
    pub source: &'a Source,
    pub reading: Reading,
    pub stores: &'a Stores,
    pub window: Window,
    /// The last event that no loss of power can take back; `None`: all there is.
    pub durable: Option<Sequence>,
    pub cache: &'a Cache,
    pub prices: &'a Prices,
    pub asked: AskedFor,
    /// What is known to be wrong, and what a question ends with therefore.
    pub findings: Vec<String>,
    pub exit_code: u8,
}

#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    #[error(transparent)]
    Journal(#[from] JournalError),
    #[error(transparent)]
    Query(#[from] QueryError),
}

impl Fault for ReportError {
    fn sorted(&self) -> Sorted {
        match self {
            Self::Journal(error) => error.sorted(),
            Self::Query(error) => error.sorted(),
        }
    }
}

impl Report {
    pub fn of(subject: &Subject<'_>) -> Result<Self, ReportError> {
        let window = &subject.window;
        let through = through(window, subject.durable);
        let whole = Window { through, ..Window::default() };
        let mut walk = Walk::open(&subject.source.journal, subject.reading, whole)?;
        let mut walked = Walked::of(&mut walk, window)?;
        walked.journal.id = hex_text(&walk.id());
        let mut summary = summed(subject, &walked, through)?;
        let (mut checks, mut activity) = (check::Checks::default(), activity::Counting::default());
        each(subject, through, |call| {
            summary.count(&call);
            activity.take(&call);
            checks.take(&call);
            walked.failures.told(call.id, call.why(), call.checked.is_some());
            walked.call(&call);
        })?;
        let checks = checks.end(&walked.failures.pending());
        summary.checks = checks.count();
        summary.checks_failing = checks.items.iter().filter(|it| it.is_failing).count() as u64;
        let sessions = sessions(subject.stores, &walked)?;
        for session in &sessions.items {
            if !summary.agents.contains(&session.agent) && !session.agent.is_empty() {
                summary.agents.push(session.agent.clone());
            }
        }
        let mut diff = changed(subject, &walked)?;
        summary.take_diff(&diff);
        files::bound(&mut diff);
        let Ended { failures, mended, pending } = walked.failures.end();
        (summary.failures_mended, summary.failures_pending) = (mended, pending);
        let unshown = walk.unshown().clone();
        let integrity = Integrity::of(subject, through, walked.checkpoints, unshown)?;
        let (activity, tools, slow) = activity.end();
        let mut turns = walked.turns;
        turns.order_by_key(|it| (it.began_ms, it.sequence));
        for turn in &mut turns {
            turn.items.items.order_by_key(Item::sequence);
            turn.take_answer();
        }
        Ok(Self {
            program: env!("CARGO_PKG_VERSION"),
            journal: walked.journal,
            asked: subject.asked.clone(),
            findings: subject.findings.clone(),
            exit_code: subject.exit_code,
            summary,
            sessions,
            activity,
            tools,
            slow,
            turns: Bounded::first(turns, TURNS_MAX),
            checks,
            failures,
            diff,
            gate: walked.gate,
            memory: walked.memory,
            redactions: walked.redactions.end(),
            integrity,
            stands: walked.standing.end(),
        })
    }
}

impl Walked {
    /// Takes a call, as the stores have it.
    fn call(&mut self, call: &crate::execution::query::ExecutionSummary) {
        let at = self.turn_at(call.session, call.sequence, call.at_ms);
        let files = self.changed.get(&call.sequence).cloned().unwrap_or_default();
        let turn = &mut self.turns[at];
        turn.calls += 1;
        turn.ended_ms = turn.ended_ms.max(call.at_ms);
        match call.outcome {
            _ if call.is_redacted() => turn.redacted += 1,
            Some(Outcome::Failed) => turn.failed += 1,
            Some(Outcome::Refused) => turn.refused += 1,
            Some(Outcome::Interrupted) => turn.interrupted += 1,
            Some(Outcome::Ok) | None => {}
        }
        files.iter().for_each(|file| turn.change(file));
        turn.add(Item::Call(Box::new(Call::of(call, files))), &mut self.room.calls);
    }
}

fn summed(
    subject: &Subject<'_>,
    walked: &Walked,
    through: Option<Sequence>,
) -> Result<Summary, QueryError> {
    let mut summary = Summary {
        first_sequence: walked.places.map(|it| it.0),
        last_sequence: walked.places.map(|it| it.1),
        began_ms: walked.times.map(|it| it.0),
        ended_ms: walked.times.map(|it| it.1),
        ..Summary::default()
    };
    let window = Window { through, ..subject.window.clone() };
    let models = subject.stores.totals(StatsBy::Model, &window, &|_| String::new())?;
    summary.take_models(models, subject.prices);
    // What names no model (a prompt, a call before anybody spoke) counts there under none.
    let all = subject.stores.totals(StatsBy::Day, &window, &|_| String::new())?;
    summary.totals = all.into_values().next().unwrap_or_default();
    Ok(summary)
}

/// The sessions that something in the span is of, the oldest first.
fn sessions(stores: &Stores, walked: &Walked) -> Result<Bounded<SessionSummary>, QueryError> {
    let met: &BTreeSet<_> = &walked.sessions;
    let mut all = stores.sessions(&SessionFilter::default())?;
    all.retain(|it| met.contains(&it.id));
    all.order_by_key(|it| (it.first_ms, it.last_ms));
    Ok(Bounded::first(all, SESSIONS_MAX))
}

/// How lines end today is not asked: a report is made of what was recorded.
fn changed(subject: &Subject<'_>, walked: &Walked) -> Result<Diff, QueryError> {
    let Some(places) = walked.places else { return Ok(Diff::default()) };
    let sessions = subject.window.sessions.as_deref();
    let scope = files::scope(subject.stores, sessions, places)?;
    subject.stores.diff(&scope, None, &|_| None)
}
