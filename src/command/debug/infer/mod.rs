//! Debug sessions worked out of agents' sessions that are in the journal: runs of the same tests, from
//! the first that failed till one passes, are the attempts, and what was edited between them the fixes.
//!
//! Everything comes from what was recorded, and so do the ids: worked out twice, nothing is added; where
//! the agent went on, what is new is. Hooks do not run: nobody is to be called about what is past.

mod chain;
mod edit;
mod error;
mod inferred;
mod limits;
mod lines;
mod reading;
mod run;

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

pub use error::InferError;
pub use inferred::Inferred;

use super::{AttemptGiven, DebugWriter, FixGiven, OpenGiven};
use crate::command::walk::{Asked, Walk, What, Window};
use crate::command::{Project, Recorder};
use crate::event::{Body, DebugEnvironment, DebugSessionId, DebugStatus, ExecutionId, SessionId};
use crate::journal::Reading as How;
use chain::Chain;
use reading::Reading;

/// What debug memory has already.
#[derive(Default)]
struct Told {
    attempts: BTreeMap<ExecutionId, (DebugSessionId, u32)>,
    status: BTreeMap<DebugSessionId, DebugStatus>,
    over: BTreeSet<DebugSessionId>,
}

/// Works debug sessions out of one agent's session (its id, the beginning of it, or the agent's own
/// name of it), `None`: of all. `dry_run` records nothing and tells what would be.
///
/// # Errors
/// Where the journal cannot be read, there is no such session, or something cannot be recorded.
pub fn infer(
    project: &Project,
    session: Option<&str>,
    dry_run: bool,
) -> Result<Vec<Inferred>, InferError> {
    project.journal()?.sync()?;
    let journal = project.journal_dir();
    let wanted = match session {
        Some(session) => {
            let asked = Asked { session: Some(session.to_owned()), from: None, to: None };
            asked.window(&journal, How::Live)?.sessions
        }
        None => None,
    };
    let told = told(project)?;
    let chains = chains(project, wanted.as_deref(), &told)?;
    let mut found = Vec::with_capacity(chains.len());
    let mut recorder = Recorder::live(project)?;
    for chain in &chains {
        found.push(record(project, &mut recorder, chain, &told, dry_run)?);
    }
    Ok(found)
}

fn told(project: &Project) -> Result<Told, InferError> {
    let mut told = Told::default();
    for step in Walk::events(&project.journal_dir(), How::Live, Window::default())? {
        let What::Event(recorded) = step?.what else { continue };
        match recorded.event.body {
            Body::DebugSessionOpened(it) => {
                told.status.insert(it.session, DebugStatus::InProgress);
            }
            Body::AttemptRecorded(it) => {
                if let Some(execution) = it.execution {
                    told.attempts.insert(execution, (it.session, it.attempt));
                }
            }
            Body::DebugSessionClosed(it) => {
                told.status.insert(it.session, it.status);
                if matches!(it.status, DebugStatus::Passed | DebugStatus::Failed) {
                    told.over.insert(it.session);
                }
            }
            Body::DebugSessionExpired(it) => {
                told.over.insert(it.session);
            }
            Body::DebugSessionImported(it) => {
                told.over.insert(it.session);
            }
            _ => {}
        }
    }
    Ok(told)
}

fn chains(
    project: &Project,
    wanted: Option<&[SessionId]>,
    told: &Told,
) -> Result<Vec<Chain>, InferError> {
    let walk = Walk::events(&project.journal_dir(), How::Live, Window::default())?;
    let contents = walk.contents().clone();
    let (attempts, over) = (told.attempts.clone(), told.over.clone());
    let mut reading = Reading::new(project.root(), wanted, attempts, over);
    for step in walk {
        if let What::Event(recorded) = step?.what {
            reading.take(&recorded, &contents);
        }
    }
    Ok(reading.finish())
}

fn record<'p>(
    project: &'p Project,
    recorder: &mut Recorder<'p>,
    chain: &Chain,
    told: &Told,
    dry_run: bool,
) -> Result<Inferred, InferError> {
    let session = chain.session;
    let known = told.status.get(&session).copied();
    let mut inferred = Inferred {
        session,
        of: chain.of,
        file_path: chain.file(),
        command: chain.command.clone(),
        status: known.unwrap_or(DebugStatus::InProgress),
        attempts: 0,
        fixes: 0,
        sequence: None,
    };
    let mut writer = DebugWriter::new(project, recorder, None).without_hooks();
    if known.is_none() && !dry_run {
        writer.set_at_ms(chain.links.first().map_or(0, |link| link.run.at_ms));
        let given = OpenGiven {
            session: Some(session),
            file_path: inferred.file_path.clone(),
            agent: chain.agent.clone(),
            ..OpenGiven::default()
        };
        inferred.sequence = writer.open(given)?.sequence;
    }
    let mut before: Option<(u32, &chain::Link)> = None;
    for (at, link) in chain.links.iter().enumerate() {
        let mut number = link.told;
        if number.is_none() {
            if let Some((attempt, before)) = before
                && let Some((at_ms, fix)) = chain::fix(&before.edits)
            {
                inferred.fixes += 1;
                if !dry_run {
                    writer.set_at_ms(at_ms);
                    let given = FixGiven { fix, template: None };
                    inferred.sequence = writer.fix(session, Some(attempt), given)?.sequence;
                }
            }
            inferred.attempts += 1;
            let mut attempt = before.map_or(1, |(attempt, _)| attempt + 1);
            if !dry_run {
                writer.set_at_ms(link.run.at_ms);
                let done = writer.attempt(session, given(chain, at, link))?;
                inferred.sequence = done.done.sequence;
                inferred.status = done.status;
                attempt = done.attempt;
            }
            number = Some(attempt);
        }
        before = number.map(|number| (number, link));
    }
    if dry_run && chain.is_over() {
        inferred.status = DebugStatus::Passed;
    }
    Ok(inferred)
}

fn given(chain: &Chain, at: usize, link: &chain::Link) -> AttemptGiven {
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
