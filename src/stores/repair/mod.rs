//! Repairs everything that can be repaired without losing anything: a torn tail is cut (and kept),
//! calls whose owner is gone are closed, stores are caught up, and a store that does not hold what
//! the journal says is made anew (the old one kept). Twice is once.
//!
//! What is due is found first (`plan.rs`), by looking alone; a dry run is that list, a repair carries it
//! out.

mod plan;
mod report;
mod stores;

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::Path;

use super::StorePlaces;
use super::redaction::finish;
use crate::event::SessionId;
use crate::execution::live_recorder;
use crate::execution::query::{Identity, QueryError};
use crate::fault::{Fault, Sorted};
use crate::journal::fault;
use crate::journal::redaction::RedactionError;
use crate::journal::withheld::{self, Withheld, recorded};
use crate::journal::{
    JournalError, LockFile, Project, ProjectError, Reading, RecordError, Source, SourceError,
    enclosure, is_unseen,
};
use crate::store::catch_up::{CatchUpError, CatchUpReport, StoreReport, catch_up};
use crate::store::doubt::settle_doubts;
use crate::store::evidence::{Cache, EvidenceError};
use crate::store::look::Depth;
use crate::store::verify::audit;
use crate::store::{Bound, JournalFeed, Quarantined, StoreError};

pub use report::{RepairReport, RepairStep, left_open};

#[derive(Debug, thiserror::Error)]
pub enum RepairError {
    #[error(transparent)]
    Journal(#[from] JournalError),
    #[error(transparent)]
    Record(#[from] RecordError),
    #[error(transparent)]
    Feed(#[from] crate::store::FeedError),
    #[error(transparent)]
    Store(#[from] CatchUpError),
    #[error(transparent)]
    Query(#[from] crate::execution::query::QueryError),
    #[error(transparent)]
    Evidence(#[from] EvidenceError),
    #[error(transparent)]
    Source(#[from] SourceError),
    #[error(transparent)]
    Project(#[from] ProjectError),
    #[error(transparent)]
    Redaction(#[from] RedactionError),
}

impl Fault for RepairError {
    fn sorted(&self) -> Sorted {
        match self {
            Self::Record(error) => error.sorted(),
            Self::Store(error) => error.sorted(),
            Self::Query(error) => error.sorted(),
            Self::Evidence(error) => error.sorted(),
            Self::Project(error) => error.sorted(),
            Self::Redaction(error) => error.sorted(),
            error => fault::of_causes(error),
        }
    }
}

impl From<StoreError> for RepairError {
    fn from(error: StoreError) -> Self {
        Self::Store(error.into())
    }
}

#[derive(Clone, Copy, Debug, Default)]
pub struct RepairOptions {
    pub dry_run: bool,
    /// Drop the replaced stores that the quarantine has, not only those beyond its bound. What is kept as
    /// evidence and what was cut from the journal stay.
    pub empty_quarantine: bool,
}

/// Repairs a project, or says what would be done: a dry run tells the list that a repair carries out.
pub fn repair(
    project: &Project,
    cache: &Cache,
    options: RepairOptions,
) -> Result<RepairReport, RepairError> {
    project.must_contain_seen()?;
    let config = &project.config().quarantine;
    let bound = match options.empty_quarantine {
        true => Bound { files: 0, bytes: 0 },
        false => Bound { files: config.files_max, bytes: config.bytes_max },
    };
    let mut plan = plan::plan(project, cache, bound)?;
    let is_due = |step: &RepairStep| matches!(step, RepairStep::Redacted { .. });
    // What is still to be redacted by the journal's own orders is no find.
    if options.dry_run && !plan.steps.iter().any(is_due) {
        note_withheld(project, &mut plan);
    }
    let mut report = match options.dry_run {
        true => plan,
        false if plan.blocked.is_some() => RepairReport { dry_run: false, ..plan },
        false => carry_out(project, cache, plan, bound)?,
    };
    // What cannot be looked at is told by `status`.
    let aside = |folder: &Path| Quarantined::of(folder).unwrap_or_default();
    report.stores_aside = aside(&crate::stores::places(project.root()).quarantine);
    report.journal_aside = aside(&project.journal_dir().join("quarantine"));
    Ok(report)
}

fn carry_out(
    project: &Project,
    cache: &Cache,
    plan: RepairReport,
    bound: Bound,
) -> Result<RepairReport, RepairError> {
    let mut report = RepairReport { in_the_way: plan.in_the_way, ..RepairReport::default() };
    // What cannot be moved is in the way of what follows, which says so.
    for step in &plan.steps {
        let RepairStep::MovedAside { found, .. } = step else { continue };
        match found.move_aside() {
            Ok(aside) => {
                let (found, aside) = (found.clone(), Some(aside));
                report.steps.push(RepairStep::MovedAside { found, aside });
            }
            Err(error) => report.in_the_way.push(format!("{}: {error}", found.told())),
        }
    }
    let places = crate::stores::places(project.root());
    make_room(project)?;
    // Opening the journal for writing is what mends its tail, and records what is lost.
    project.mended_journal().map_err(RecordError::from)?;
    let source = Source::of(project.root())?;
    let found = audit(Some(&source), &source.journal, Reading::Live, cache)?;
    plan::note_blobs(&source, &found, cache, &mut report);
    plan::note_damage(&found, &[], &mut report);
    let feed = JournalFeed::of(project)?;
    let (mut behind, mut made_anew) = (Vec::new(), false);
    for mut step in plan.steps {
        match &mut step {
            RepairStep::LockMade { .. }
            | RepairStep::TailCut { .. }
            | RepairStep::LossRecorded { .. } => {}
            RepairStep::Emptied { files, bytes } => {
                let dropped = Quarantined::bound(&places.quarantine, bound)?;
                (*files, *bytes) = (dropped.files, dropped.bytes);
            }
            RepairStep::Redacted { records } => {
                let done = finish(project, cache)?;
                made_anew = true;
                *records = done.journal.records.len() as u64;
                for left in done.may_hold() {
                    let path = left.path.display();
                    report.lags.push(("redaction", format!("{path}: {}", left.why)));
                }
            }
            // By that every store was, whatever was wrong with it.
            RepairStep::Rebuilt { .. } | RepairStep::SetAside { .. } if made_anew => continue,
            RepairStep::Rebuilt { store, .. } | RepairStep::SetAside { store, .. } => {
                let store = *store;
                if let Err(error) = stores::mend(&mut step, &places, &feed) {
                    report.lags(store.as_str(), &error);
                    continue;
                }
            }
            RepairStep::CaughtUp { .. } => {
                behind.push(step);
                continue;
            }
            RepairStep::MovedAside { .. }
            | RepairStep::Interrupted { .. }
            | RepairStep::Published { .. } => continue,
        }
        report.steps.push(step);
    }
    let mut recorder = live_recorder(project);
    let swept = recorder.sweep()?;
    recorder.finish()?;
    if swept.recorded > 0 {
        report.steps.push(RepairStep::Interrupted { count: swept.recorded });
    }
    let caught_up = catch_up(&places, &JournalFeed::of(project)?);
    note(caught_up, behind, &mut report);
    note_withheld(project, &mut report);
    // Files go on into repositories, and from there anywhere.
    if report.withheld == 0 {
        plan::publish(project, &mut report);
    }
    // What was copied or touched and holds what the journal says is known to, from now on: hooks answer from it.
    drop(settle_doubts(&source, Depth::Whole, cache));
    Ok(report)
}

/// Counts what is in the journal again and was redacted before: of a copy from before, as a rule.
fn note_withheld(project: &Project, report: &mut RepairReport) {
    match Withheld::of_user() {
        Ok(None) => {}
        Ok(Some(known)) => {
            // What cannot be read is told as damage.
            let found = project.reader().ok().and_then(|it| recorded(&it, known).ok());
            report.withheld = found.map_or(0, |it| it.len() as u64);
        }
        Err(_) => report.in_the_way.extend(withheld::unreadable()),
    }
}

/// Tells of those that were behind, and of what nobody foresaw: others go on meanwhile.
fn note(caught_up: CatchUpReport, behind: Vec<RepairStep>, report: &mut RepairReport) {
    let mut behind = behind.into_iter();
    for StoreReport { store, outcome } in caught_up.stores {
        let due = behind.as_slice().first().is_some_and(|step| step.store() == Some(store));
        let due = if due { behind.next() } else { None };
        match outcome {
            // Told before, where it was tried before.
            Err(_) if report.lags.iter().any(|(name, _)| *name == store.as_str()) => {}
            Err(error) => report.lags(store.as_str(), &error),
            Ok(done) => {
                report.steps.extend(due);
                report.steps.extend(done.replaced_for().map(|reason| RepairStep::Rebuilt {
                    store,
                    reason: reason.to_string(),
                    keep: reason.keep(),
                    quarantined: done.quarantined,
                }));
            }
        }
    }
}

/// An error and all that caused it: only the last says what to do.
pub(super) fn with_sources(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(error.source(), |cause| cause.source());
    causes.fold(error.to_string(), |told, cause| format!("{told}: {cause}"))
}

/// Open calls of a session whose agent cannot be looked at from here: it runs in another container, on
/// another machine, or nobody could tell which process it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnseenCalls {
    pub agent: String,
    pub native_id: String,
    pub calls: u64,
}

/// Every session with such calls that has not ended.
pub fn unseen_calls(owners: &Path, places: &StorePlaces) -> Result<Vec<UnseenCalls>, QueryError> {
    let identity = Identity::open(places.index())?;
    let mut sessions: BTreeMap<SessionId, u64> = BTreeMap::new();
    for known in identity.open_executions(None)? {
        if let Some(session) = known.session
            && is_unseen(owners, known.source, known.session)
        {
            *sessions.entry(session).or_default() += 1;
        }
    }
    let mut list = Vec::new();
    for (session, calls) in sessions {
        if let Some(session) = identity.session(session)?.filter(|it| !it.ended) {
            list.push(UnseenCalls { agent: session.agent, native_id: session.native_id, calls });
        }
    }
    Ok(list)
}

// The journal's `LOCK`: opening the journal makes it where that can be done; what is in its place is moved
// away first.

/// Things that are kept of what was in its place.
const KEPT_MAX: u32 = 1_000;

fn look(project: &Project) -> Option<RepairStep> {
    let why = LockFile::of(&project.journal_dir()).why_mended()?;
    Some(RepairStep::LockMade { why: why.to_owned() })
}

/// Moves what cannot be written as it into the journal's quarantine.
fn make_room(project: &Project) -> Result<(), RepairError> {
    let journal = project.journal_dir();
    if LockFile::of(&journal) != LockFile::InTheWay {
        return Ok(());
    }
    let (path, kept) = (journal.join("LOCK"), journal.join("quarantine"));
    let moved = enclosure::make_folder(&kept).and_then(|_| {
        let moved = |number| enclosure::rename_new(&path, &kept.join(format!("LOCK.{number}")));
        let is_taken = |done: &std::io::Result<()>| {
            done.as_ref().is_err_and(|error| error.kind() == ErrorKind::AlreadyExists)
        };
        let mut tried = (1..=KEPT_MAX).map(moved).skip_while(is_taken);
        tried.next().unwrap_or_else(|| Err(ErrorKind::AlreadyExists.into()))
    });
    let failed = |source| ProjectError::Folder { path, did: "moved away", source };
    Ok(moved.map_err(failed).map_err(RecordError::from)?)
}
