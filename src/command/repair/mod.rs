//! Repairs everything that can be repaired without losing anything: a torn tail is cut (and kept),
//! calls whose owner is gone are closed, stores are caught up, and a store that does not hold what
//! the journal says is made anew (the old one kept). Twice is once.

mod dry_run;
mod report;
mod repos;

use std::path::Path;

use super::{
    Audit, CatchUpError, CatchUpReport, JournalFeed, Project, Reading, RebuildMode, RecordError,
    Recorder, StoreName, StorePlaces, audit, catch_up, rebuild,
};
use crate::journal::JournalError;
use crate::store::{Bound, Quarantined};

pub use dry_run::left_open;
pub use report::{RepairReport, RepairStep};

/// Why a repair could not be done. What it did before stands, and it can be run again.
#[derive(Debug, thiserror::Error)]
pub enum RepairError {
    #[error(transparent)]
    Journal(#[from] JournalError),
    #[error(transparent)]
    Record(#[from] RecordError),
    #[error(transparent)]
    Feed(#[from] super::feed::FeedError),
    #[error(transparent)]
    Store(#[from] CatchUpError),
    #[error(transparent)]
    Query(#[from] crate::query::QueryError),
}

/// Drops the replaced stores that the quarantine keeps, or says that it would be done. What is kept as
/// evidence and what was cut from the journal stay.
pub fn empty_quarantine(project: &Project, report: &mut RepairReport) -> Result<(), RepairError> {
    let folder = StorePlaces::of(project.root()).quarantine;
    let emptied = match report.dry_run {
        true => Quarantined::of(&folder),
        false => Quarantined::bound(&folder, Bound { files: 0, bytes: 0 }),
    };
    let Quarantined { files, bytes, .. } = emptied.map_err(CatchUpError::from)?;
    if files > 0 {
        report.steps.push(RepairStep::Emptied { files, bytes });
    }
    look_aside(project, report);
    Ok(())
}

fn look_aside(project: &Project, report: &mut RepairReport) {
    let of = |folder: &Path| Quarantined::of(folder).unwrap_or_default(); // told by `status`
    report.stores_aside = of(&StorePlaces::of(project.root()).quarantine);
    report.journal_aside = of(&project.journal_dir().join("quarantine"));
}

/// Repairs a project, or says what would be done.
pub fn repair(project: &Project, dry_run: bool) -> Result<RepairReport, RepairError> {
    if dry_run {
        let mut report = dry_run::look(project)?;
        look_aside(project, &mut report);
        return Ok(report);
    }
    let mut report = RepairReport::default();
    cut_tail(project, &mut report)?;
    let mut recorder = Recorder::live(project)?;
    let swept = recorder.sweep()?;
    recorder.finish()?;
    if swept.recorded > 0 {
        report.steps.push(RepairStep::Interrupted { count: swept.recorded });
    }
    let places = StorePlaces::of(project.root());
    let feed = JournalFeed::of(project)?;
    let mut caught_up = catch_up(&places, &feed);
    // The index first: the others wait for it.
    for _ in StoreName::ALL {
        let Some((store, reason)) = caught_up.contradicts() else { break };
        let done = rebuild(&places, &feed, &[store], RebuildMode::Replace)?;
        report.steps.push(RepairStep::Rebuilt {
            store,
            reason: reason.to_string(),
            quarantined: done.stores.into_iter().find_map(|done| done.quarantined),
        });
        caught_up = catch_up(&places, &feed);
    }
    note(caught_up, &mut report);
    check_stores(&places, &feed, &mut report)?;
    repos::publish(project, &mut report);
    look_aside(project, &mut report);
    Ok(report)
}

/// Opening the journal for writing is what mends its tail; verifying before says what was there,
/// verifying after what is left.
fn cut_tail(project: &Project, report: &mut RepairReport) -> Result<(), RepairError> {
    let reading = Reading::Live;
    let before = audit(project.root(), reading)?;
    project.journal().map_err(RecordError::from)?;
    let cut = before.report.findings.iter().filter(|finding| finding.verdict.is_cut());
    report.steps.extend(cut.map(|finding| RepairStep::TailCut { finding: finding.to_string() }));
    let after = if before.is_clean() { before } else { audit(project.root(), reading)? };
    note_damage(&after, report);
    Ok(())
}

/// What no event of the journal tells of.
fn note_damage(found: &Audit, report: &mut RepairReport) {
    report.damage.extend(found.losses().map(ToString::to_string));
    report.damage.extend(found.report.unreadable.iter().map(ToString::to_string));
}

fn note(caught_up: CatchUpReport, report: &mut RepairReport) {
    for store in caught_up.stores {
        match store.outcome {
            Err(error) => {
                report.locked |= error.is_locked();
                report.lags.push((store.store.as_str(), error.to_string()));
            }
            Ok(done) => match done.rebuilt {
                Some(reason) => report.steps.push(RepairStep::Rebuilt {
                    store: store.store,
                    reason: reason.to_string(),
                    quarantined: done.quarantined,
                }),
                None if done.events > 0 => report
                    .steps
                    .push(RepairStep::CaughtUp { store: store.store, events: done.events }),
                None => {}
            },
        }
    }
}

/// Holds every store that is caught up to a build from nothing, and replaces one that differs.
fn check_stores(
    places: &StorePlaces,
    feed: &JournalFeed<'_>,
    report: &mut RepairReport,
) -> Result<(), RepairError> {
    if !report.lags.is_empty() {
        return Ok(());
    }
    let checked = rebuild(places, feed, &[], RebuildMode::Check)?;
    if let Some(error) = checked.failed {
        report.locked |= error.is_locked();
        report.lags.push((StoreName::CodeGraph.as_str(), error.to_string()));
    }
    for store in checked.stores.iter().filter(|store| store.same == Some(false)) {
        let done = rebuild(places, feed, &[store.store], RebuildMode::Replace)?;
        report.steps.push(RepairStep::Rebuilt {
            store: store.store,
            reason: "it did not hold what the journal says".to_owned(),
            quarantined: done.stores.into_iter().find_map(|done| done.quarantined),
        });
    }
    Ok(())
}
