//! Gathers a project's state.

use std::path::Path;

use super::{Args, Looked, repos};
use crate::cli::journals::Opened;
use crate::cli::quote::replaced_by_a_copy;
use crate::cli::{CliError, Context, Exit, catch_up, with_causes};
use crate::execution::query;
use crate::execution::query::Stores;
use crate::journal::{FOLDER, InTheWay, Project, Reading, Source};
use crate::output::wire;
use crate::store::evidence::{FoundStore, found_stores};
use crate::store::look::Look;
use crate::store::{
    Concern, JournalFeed, JournalHealth, Quarantined, StoreStatus, journal_health, store_digest,
};
use crate::stores::{StoreName, StorePlaces};

/// Anomalies that are listed, the last ones.
const ANOMALIES_MAX: usize = 10;

/// A project's state as it stands, and the exit code it stands for.
pub fn live(
    source: &Source,
    args: &Args,
    look: &Look,
    context: &mut Context,
) -> Result<(wire::Status, Exit), CliError> {
    let root = source.root.as_deref().unwrap_or(&source.given);
    let places = StorePlaces::of(root);
    let journal = health(source, Reading::Live)?;
    let mut stores = Vec::new();
    if journal.end.is_ok() {
        let feed = JournalFeed::reading(&source.journal)?;
        for store in crate::store::store_status(&places, &feed)? {
            stores.push(self::store(&store, args.digest, &places));
        }
    }
    // What is wrong is told by the stores' own lines.
    let project = Project::open(root).map_err(CliError::from);
    let open = project.and_then(|project| catch_up::stores(&project, context)).ok();
    let (counts, anomalies, losses) = match &open {
        Some(stores) => asked(stores)?,
        None => (None, Vec::new(), Vec::new()),
    };
    stores.extend(repos::rows(source, open.as_deref())?);
    let agents = crate::cli::status::all(root, open.as_deref(), args.coverage)?;
    // As above.
    let owners = root.join(FOLDER).join("owners");
    let left_open = crate::stores::repair::left_open(&owners, &places).unwrap_or_default();
    let unseen = crate::cli::status::rows(&owners, &places);
    let annals = root.join(FOLDER);
    let found = InTheWay::all(&annals);
    let mut in_the_way: Vec<_> = found.iter().map(InTheWay::told).collect();
    in_the_way.extend(crate::journal::foreign_files(&annals, &found));
    let looked = Looked {
        stores,
        counts,
        left_open,
        unseen,
        anomalies,
        losses,
        in_the_way,
        agents,
        ..Looked::of(journal)
    };
    Ok(status(source, None, look, looked))
}

/// The state of what is only read, or was asked for as of then.
pub fn built(
    source: &Source,
    opened: Result<Opened, CliError>,
    args: &Args,
    look: &Look,
    context: &Context,
) -> Result<(wire::Status, Exit), CliError> {
    let journal = health(source, source.reading(context.evidence))?;
    let opened = match opened {
        Ok(opened) => opened,
        Err(error) if journal.end.is_ok() => return Err(error),
        Err(_) => {
            // What is wrong is told as the journal's problem.
            return Ok(status(source, None, look, Looked::of(journal)));
        }
    };
    let (mut stores, mut found) = (Vec::new(), Vec::new());
    if let Some(built) = &opened.built {
        // One that nothing in the journal concerns is not made.
        let made = |name: &&StoreName| {
            name.concern() == Concern::Everything || built.places.path(**name).exists()
        };
        for name in StoreName::ALL.iter().filter(made) {
            stores.push(wire::Store {
                store: name.to_string(),
                path: built.places.path(*name).to_string_lossy().into_owned(),
                sequence: Some(built.through.sequence.0),
                lag: Some(0),
                problem: built.lag.clone().filter(|lag| lag.starts_with(name.as_str())),
                digest: match args.digest {
                    true => Some(store_digest(&built.places, *name)?.to_string()),
                    false => None,
                },
            });
        }
        if opened.evidence && opened.at.is_none() {
            found.extend(
                found_stores(source, Reading::Evidence, built, &context.cache)?.iter().map(in_copy),
            );
        }
    }
    let (counts, anomalies, losses) = asked(&opened.stores)?;
    let looked = Looked { stores, counts, anomalies, losses, found, ..Looked::of(journal) };
    Ok(status(source, Some(&opened), look, looked))
}

fn health(source: &Source, reading: Reading) -> Result<JournalHealth, CliError> {
    journal_health(&source.journal, reading)
        .map_err(|error| CliError::io("read", &source.journal, error))
}

type Asked = (Option<wire::Counts>, Vec<wire::Anomaly>, Vec<wire::Anomaly>);

fn asked(stores: &Stores) -> Result<Asked, CliError> {
    let told = |found: Vec<query::StoredAnomaly>| found.iter().map(anomaly).collect();
    let anomalies = told(stores.anomalies(ANOMALIES_MAX)?);
    let losses = told(stores.recorded_losses(ANOMALIES_MAX)?);
    Ok((Some(counts(stores.counts()?)), anomalies, losses))
}

fn status(
    source: &Source,
    opened: Option<&Opened>,
    look: &Look,
    looked: Looked,
) -> (wire::Status, Exit) {
    let Looked {
        journal: health,
        stores,
        counts,
        left_open,
        unseen,
        anomalies,
        losses,
        found,
        in_the_way,
        agents,
    } = looked;
    let lags = |store: &&wire::Store| store.problem.is_some() || store.lag != Some(0);
    // What a person did no repair undoes.
    let mut lagging = stores.iter().filter(lags).peekable();
    let lags = lagging.peek().is_some();
    let first = lagging.peek().copied();
    let is_edited = lags && in_the_way.is_empty() && lagging.all(repos::is_left);
    let evidence = opened.is_some_and(|opened| opened.evidence);
    let findings = lags || !in_the_way.is_empty() || found.iter().any(|store| store.differs);
    let sound = health.end.is_ok() && !look.is_damaged();
    let is_flawed = look.flaws().next().is_some() || look.lock.is_some() || look.barred.is_some();
    let exit = match (sound, findings || is_flawed || !losses.is_empty()) {
        (false, _) => Exit::Damaged,
        (true, true) => Exit::Findings,
        (true, false) => Exit::Fine,
    };
    let root = source.root.as_deref().unwrap_or(&source.given);
    // One that cannot be listed is told by whoever puts something there.
    let quarantined = |root: &Path| Quarantined::of(&StorePlaces::of(root).quarantine).ok();
    let status = wire::Status {
        root: root.to_string_lossy().into_owned(),
        name: opened.and_then(|opened| opened.name.clone()),
        evidence,
        at: opened.and_then(|opened| opened.at).map(|at| at.0),
        next: match (exit, &look.barred) {
            (Exit::Findings, Some(barred)) => replaced_by_a_copy(&barred.segment),
            (Exit::Findings, None) if is_edited => repos::next(first),
            (Exit::Findings, None) if !findings && !evidence && look.is_mendable => {
                "annals repair".to_owned()
            }
            // Nothing that is lost comes back.
            (Exit::Findings, None) if !findings => "annals verify".to_owned(),
            _ => next(exit, evidence, counts.as_ref(), left_open, &agents).to_owned(),
        },
        journal: journal(&health, look),
        stores,
        found,
        in_the_way,
        quarantine: source.root.as_deref().and_then(quarantined).map(Into::into),
        agents,
        unseen,
        anomalies,
        losses,
        fine: exit == Exit::Fine,
        counts,
    };
    (status, exit)
}

fn next(
    exit: Exit,
    evidence: bool,
    counts: Option<&wire::Counts>,
    left_open: u64,
    agents: &[wire::Agent],
) -> &'static str {
    let lacks = |it: &wire::Coverage| it.recorded < it.calls;
    let lacks = |it: &wire::Agent| it.coverage.as_ref().is_some_and(lacks);
    match exit {
        Exit::Damaged => "annals verify",
        Exit::Findings if evidence => "annals verify: what the journal says is what counts",
        Exit::Findings => "annals repair",
        _ if counts.is_some_and(|counts| counts.failed > 0) && evidence => "annals log --failed",
        _ if evidence => "annals log",
        _ if left_open > 0 => "annals repair",
        _ if agents.iter().any(lacks) => "annals import auto",
        _ if agents.iter().any(|it| it.coverage.is_some() && it.installed.is_empty()) => {
            "annals enable"
        }
        _ if counts.is_none_or(|counts| counts.calls == 0) => "annals import auto",
        _ if counts.is_some_and(|counts| counts.failed > 0) => "annals log --failed",
        _ => "annals log",
    }
}

fn in_copy(found: &FoundStore) -> wire::FoundStore {
    wire::FoundStore {
        store: found.store.to_string(),
        path: found.path.to_string_lossy().into_owned(),
        sequence: found.sequence.map(|at| at.0),
        digest: found.digest.map(|digest| digest.to_string()),
        verdict: found.verdict.as_str().to_owned(),
        why: found.verdict.to_string(),
        differs: found.verdict.differs(),
    }
}

fn journal(found: &JournalHealth, look: &Look) -> wire::JournalHealth {
    let end = found.end.as_ref();
    wire::JournalHealth {
        path: found.path.to_string_lossy().into_owned(),
        journal: end.ok().map(|(id, _)| id.iter().map(|byte| format!("{byte:02x}")).collect()), // told as `problem`
        sequence: end.ok().map(|(_, sequence)| sequence.0), // told as `problem`
        segments: found.segments,
        bytes: found.bytes,
        quarantined: found.quarantined,
        quarantined_bytes: found.quarantined_bytes,
        damage: look.losses().map(|wound| wound.text.clone()).collect(),
        flaws: look.flaws().map(|wound| wound.text.clone()).collect(),
        lock: look.lock.map(str::to_owned),
        segment: look.barred.as_ref().map(|barred| with_causes(&barred.error)),
        problem: end.err().map(|error| with_causes(error)),
    }
}

fn store(found: &StoreStatus, digest: bool, places: &StorePlaces) -> wire::Store {
    // A graph is not made before there is something for it.
    let digest = digest && (found.position.is_some() || found.lag_events != Some(0));
    let (digest, unread) = match digest.then(|| store_digest(places, found.store)) {
        None => (None, None),
        Some(Ok(digest)) => (Some(digest.to_string()), None),
        Some(Err(error)) => (None, Some(with_causes(&error))),
    };
    wire::Store {
        store: found.store.to_string(),
        path: found.path.to_string_lossy().into_owned(),
        sequence: found.position.map(|position| position.0),
        lag: found.lag_events,
        problem: found.problem.clone().or(unread),
        digest,
    }
}

fn counts(found: query::Counts) -> wire::Counts {
    wire::Counts {
        sessions: found.sessions,
        prompts: found.prompts,
        calls: found.calls,
        results: found.results,
        errors: found.errors,
        ok: found.ok,
        failed: found.failed,
        refused: found.refused,
        interrupted: found.interrupted,
        open: found.open,
        corrected: found.corrected,
        anomalies: found.anomalies,
        unreadable_lines: found.unreadable_lines,
        results_without_call: found.results_without_call,
    }
}

fn anomaly(found: &query::StoredAnomaly) -> wire::Anomaly {
    wire::Anomaly {
        sequence: found.sequence.0,
        kind: found.kind.clone(),
        execution: found.execution.map(|id| id.to_string()),
        message: found.message.clone(),
    }
}
