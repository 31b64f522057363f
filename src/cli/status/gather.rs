//! Gathers a project's state.

use std::path::Path;

use super::agents::agents;
use super::{Args, Health, Row, SignedSoFar, Status, Unseen, repos};
use crate::cli::checks::Checks;
use crate::cli::journals::Opened;
use crate::cli::quote::{self, replaced_by_a_copy};
use crate::cli::{CliError, Context, Exit, Result, catch_up, with_causes};
use crate::event::wire::hex_text;
use crate::execution::query::{Counts, RUNS_MAX, Stores};
use crate::fault::Remedy;
use crate::journal::tlog::{KeyKind, standing};
use crate::journal::trust::seen::unkept;
use crate::journal::trust::user_config;
use crate::journal::{
    FOLDER, InTheWay, JournalReader, Project, Reading, Source, foreign_files, withheld,
};
use crate::output::remedy;
use crate::output::wire;
use crate::store::evidence::found_stores;
use crate::store::look::Look;
use crate::store::{
    JournalFeed, Quarantined, StoreName, StorePlaces, StoreStatus, journal_health, store_digest,
    store_status,
};
use crate::stores::repair::{UnseenCalls, left_open, unseen_calls};

/// Anomalies that are listed, the last ones.
const ANOMALIES_MAX: usize = 10;

pub fn live(
    source: &Source,
    args: &Args,
    look: &Look,
    context: &mut Context,
) -> Result<(Status, Exit)> {
    let root = source.root.as_deref().unwrap_or(&source.given);
    let (places, annals) = (crate::stores::places(root), root.join(FOLDER));
    let mut status = begin(source, None, Reading::Live, look)?;
    if status.journal.problem.is_none() {
        let feed = JournalFeed::reading(&source.journal)?;
        let stores = store_status(&places, &feed)?;
        status.stores = stores.into_iter().map(|it| row(it, args.digest, &places)).collect();
    }
    // What is wrong is told by the stores' own lines.
    let project = Project::open(root).map_err(CliError::from);
    let open = project.and_then(|project| catch_up::stores(&project, context)).ok();
    if let Some(stores) = &open {
        ask(stores, &mut status)?;
    }
    status.stores.extend(repos::rows(source, open.as_deref())?);
    status.agents = agents(root, open.as_deref(), args.coverage)?;
    // As above.
    let owners = annals.join("owners");
    let left_open = left_open(&owners, &places).unwrap_or_default();
    let calls = unseen_calls(&owners, &places).unwrap_or_default();
    status.unseen = calls.into_iter().map(unseen).collect();
    let found = InTheWay::all(&annals);
    status.in_the_way = found.iter().map(InTheWay::told).collect();
    status.in_the_way.extend(foreign_files(&annals, &found));
    status.in_the_way.extend(withheld::unreadable());
    let lost = JournalReader::open(&source.journal)
        .ok() // as above
        .and_then(|it| withheld::lost(&source.journal, &it.id()));
    status.in_the_way.extend(lost.map(|told| format!("{told}: annals seen forget")));
    Ok(end(status, look, left_open))
}

fn signed(journal: &Path, id: &[u8; 16]) -> Option<SignedSoFar> {
    let found = standing(journal, id)?;
    let (size, sequence) = found.last.unzip();
    let (kind, key) = found.key.unzip();
    let kind = kind.map(KeyKind::as_str);
    Some(SignedSoFar { size, sequence, key, kind, automatic: found.is_automatic })
}

/// The state of what is only read, or was asked for as of then.
pub fn built(
    source: &Source,
    opened: Result<Opened>,
    args: &Args,
    look: &Look,
    context: &Context,
) -> Result<(Status, Exit)> {
    let reading = source.reading(context.evidence);
    let opened = match opened {
        Ok(opened) => opened,
        Err(error) => {
            let status = begin(source, None, reading, look)?;
            // What is wrong is told as the journal's problem.
            return if status.journal.problem.is_some() {
                Ok(end(status, look, 0))
            } else {
                Err(error)
            };
        }
    };
    let mut status = begin(source, Some(&opened), reading, look)?;
    if let Some(built) = &opened.built {
        // One that nothing in the journal concerns is not made.
        let made = |name: &&StoreName| name.is_needed() || built.places.path(**name).exists();
        for name in built.places.list.stores.iter().filter(made) {
            status.stores.push(Row {
                store: name.to_string(),
                path: built.places.path(*name).to_owned(),
                sequence: Some(built.through.sequence),
                lag: Some(0),
                problem: built.lag.clone().filter(|lag| lag.starts_with(name.as_str())),
                digest: match args.digest {
                    true => Some(store_digest(&built.places, *name)?),
                    false => None,
                },
            });
        }
        if opened.evidence && opened.at.is_none() {
            status.found = found_stores(source, Reading::Evidence, built, &context.cache)?;
        }
    }
    ask(&opened.stores, &mut status)?;
    Ok(end(status, look, 0))
}

/// What is known where only the journal was looked at.
fn begin(
    source: &Source,
    opened: Option<&Opened>,
    reading: Reading,
    look: &Look,
) -> Result<Status> {
    let health = journal_health(&source.journal, reading)
        .map_err(|error| CliError::io("read", &source.journal, error))?;
    let (end, problem) = match &health.end {
        Ok((id, sequence)) => (Some((hex_text(id), *sequence)), None),
        Err(error) => (None, Some(with_causes(error))),
    };
    let (journal, sequence) = end.unzip();
    // One that cannot be listed is told by whoever puts something there.
    let quarantined = |root: &Path| Quarantined::of(&crate::stores::places(root).quarantine).ok();
    let root = source.root.as_deref().unwrap_or(&source.given);
    Ok(Status {
        root: root.to_string_lossy().into_owned(),
        name: opened.and_then(|opened| opened.name.clone()),
        evidence: opened.is_some_and(|opened| opened.evidence),
        at: opened.and_then(|opened| opened.at),
        journal: Health {
            path: health.path,
            journal,
            sequence,
            segments: health.segments,
            bytes: health.bytes,
            archived: health.archived.segments,
            archived_away: health.archived.away.iter().map(|it| it.display().to_string()).collect(),
            quarantined: health.quarantined,
            quarantined_bytes: health.quarantined_bytes,
            damage: look.losses().map(|wound| wound.text.clone()).collect(),
            contradiction: look.contradiction.as_ref().map(|it| it.to_string()),
            unseen: unkept(),
            flaws: look.flaws().map(|wound| wound.text.clone()).collect(),
            lock: look.lock,
            segment: look.barred.as_ref().map(|barred| with_causes(&barred.error)),
            problem,
        },
        quarantine: source.root.as_deref().and_then(quarantined),
        checkpoint: health.end.as_ref().ok().and_then(|(id, _)| signed(&source.journal, id)), // as told
        settings: user_config().err().map(|error| with_causes(&error)),
        ..Status::default()
    })
}

fn ask(stores: &Stores, status: &mut Status) -> Result<()> {
    status.anomalies = stores.anomalies(ANOMALIES_MAX)?;
    status.losses = stores.recorded_losses(ANOMALIES_MAX)?;
    status.counts = Some(stores.counts()?);
    let checks = stores.check_states(&stores.own_checks()?, RUNS_MAX, &stores.places.root)?;
    status.checks = Some(Checks::of(&checks));
    Ok(())
}

/// What all of it comes to; `left_open`: calls that a repair would close.
fn end(mut status: Status, look: &Look, left_open: u64) -> (Status, Exit) {
    let lags = |store: &&Row| store.problem.is_some() || store.lag != Some(0);
    // What a person did no repair undoes.
    let mut lagging = status.stores.iter().filter(lags).peekable();
    let first = lagging.peek().copied();
    let lags = first.is_some();
    let is_edited = lags && status.in_the_way.is_empty() && lagging.all(repos::is_left);
    let differs = status.found.iter().any(|store| store.verdict.differs());
    let is_away = !status.journal.archived_away.is_empty();
    let is_told = status.settings.is_some();
    let findings = lags || is_told || !status.in_the_way.is_empty() || differs;
    // What an archive that is away has is not lost.
    let is_sound = (status.journal.problem.is_none() || is_away) && !look.is_damaged();
    let is_flawed = look.flaws().next().is_some() || look.lock.is_some() || look.barred.is_some();
    let exit = match (is_sound, findings || is_flawed || !status.losses.is_empty()) {
        (false, _) => Exit::Damaged,
        (true, true) => Exit::Findings,
        (true, false) => Exit::Fine,
    };
    let exit = match look.contradiction {
        Some(_) => exit.worse(Exit::Contradicted),
        None => exit,
    };
    let exit = if is_away { exit.worse(Exit::Io) } else { exit };
    let next = match (exit, &look.barred) {
        (Exit::Contradicted, _) => "annals verify".to_owned(),
        (Exit::Io, _) => remedy::told(&Remedy::ReachArchive).into_owned(),
        (Exit::Findings, None) if is_told && !lags => {
            "correct the settings that are named above".to_owned()
        }
        (Exit::Findings, Some(barred)) => replaced_by_a_copy(&barred.segment),
        (Exit::Findings, None) if is_edited => repos::next(first),
        (Exit::Findings, None) if !findings && !status.evidence && look.is_mendable => {
            "annals repair".to_owned()
        }
        // Nothing that is lost comes back.
        (Exit::Findings, None) if !findings => "annals verify".to_owned(),
        _ => next(exit, &status, left_open).to_owned(),
    };
    status.next = next;
    status.fine = exit == Exit::Fine;
    (status, exit)
}

fn next(exit: Exit, status: &Status, left_open: u64) -> &'static str {
    let Status { evidence, agents, counts, .. } = status;
    let lacks = |it: &wire::Agent| it.coverage.as_ref().is_some_and(|it| it.recorded < it.calls);
    let has_failed = counts.as_ref().is_some_and(|counts: &Counts| counts.failed > 0);
    match exit {
        Exit::Damaged => "annals verify",
        Exit::Findings if *evidence => "annals verify: what the journal says is what counts",
        Exit::Findings => "annals repair",
        _ if has_failed && *evidence => "annals log --failed",
        _ if *evidence => "annals log",
        _ if left_open > 0 => "annals repair",
        _ if agents.iter().any(lacks) => "annals import auto",
        _ if agents.iter().any(|it| it.coverage.is_some() && it.installed.is_empty()) => {
            "annals enable"
        }
        _ if counts.as_ref().is_none_or(|counts| counts.calls == 0) => "annals import auto",
        _ if has_failed => "annals log --failed",
        _ => "annals log",
    }
}

fn row(found: StoreStatus, digest: bool, places: &StorePlaces) -> Row {
    // A graph is not made before there is something for it.
    let digest = digest && (found.position.is_some() || found.lag_events != Some(0));
    let (digest, unread) = match digest.then(|| store_digest(places, found.store)) {
        None => (None, None),
        Some(Ok(digest)) => (Some(digest), None),
        Some(Err(error)) => (None, Some(with_causes(&error))),
    };
    let problem = found.problem.map(|problem| match found.remedy.as_ref().map(remedy::told) {
        Some(way) => format!("{problem}; try: {way}"),
        None => problem,
    });
    Row {
        store: found.store.to_string(),
        path: found.path,
        sequence: found.position,
        lag: found.lag_events,
        problem: problem.or(unread),
        digest,
    }
}

fn unseen(found: UnseenCalls) -> Unseen {
    let UnseenCalls { agent, native_id: session, calls } = found;
    let close =
        format!("annals session end {} --agent {}", quote::word(&session), quote::word(&agent));
    Unseen { session, agent, calls, close }
}
