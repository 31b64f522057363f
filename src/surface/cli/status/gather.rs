//! Gathers a project's state.

use crate::command::{
    self, JournalFeed, JournalHealth, Project, StorePlaces, StoreStatus, journal_health,
    store_digest,
};
use crate::query::{self, Stores};
use crate::surface::cli::{CliError, Exit, with_causes};
use crate::surface::wire;

/// Anomalies that are listed, the last ones.
const ANOMALIES_MAX: usize = 10;

/// A project's state, and the exit code it stands for.
pub fn status(project: &Project, digest: bool) -> Result<(wire::Status, Exit), CliError> {
    let places = StorePlaces::of(project.root());
    let folder = project.journal_dir();
    let found = journal_health(&folder).map_err(|source| CliError::io("read", &folder, source))?;
    let readable = found.end.is_ok();
    let mut stores = Vec::new();
    if readable {
        let feed = JournalFeed::reading(&folder)?;
        for store in command::store_status(&places, &feed)? {
            stores.push(self::store(&store, digest, &places));
        }
    }
    let (counts, anomalies) = match Stores::open(&places) {
        Ok(stores) => (Some(counts(stores.counts()?)), stores.anomalies(ANOMALIES_MAX)?),
        Err(_) => (None, Vec::new()), // told by the stores' own lines
    };
    let lags = stores.iter().any(|store| store.problem.is_some() || store.lag != Some(0));
    let exit = match (readable, lags) {
        (false, _) => Exit::Damaged,
        (true, true) => Exit::Findings,
        (true, false) => Exit::Fine,
    };
    let status = wire::Status {
        root: project.root().to_string_lossy().into_owned(),
        next: next(exit, counts.as_ref()).to_owned(),
        journal: journal(&found),
        stores,
        anomalies: anomalies.iter().map(anomaly).collect(),
        fine: exit == Exit::Fine,
        counts,
    };
    Ok((status, exit))
}

fn next(exit: Exit, counts: Option<&wire::Counts>) -> &'static str {
    match exit {
        Exit::Damaged => "annals verify",
        Exit::Findings => "annals repair",
        _ if counts.is_some_and(|counts| counts.open > 0) => "annals repair",
        _ if counts.is_none_or(|counts| counts.calls == 0) => "annals import auto",
        _ if counts.is_some_and(|counts| counts.failed > 0) => "annals log --failed",
        _ => "annals log",
    }
}

fn journal(found: &JournalHealth) -> wire::JournalHealth {
    let end = found.end.as_ref();
    wire::JournalHealth {
        path: found.path.to_string_lossy().into_owned(),
        journal: end.ok().map(|(id, _)| id.iter().map(|byte| format!("{byte:02x}")).collect()), // told as `problem`
        sequence: end.ok().map(|(_, sequence)| sequence.0), // told as `problem`
        segments: found.segments,
        bytes: found.bytes,
        quarantined: found.quarantined,
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
