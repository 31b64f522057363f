//! What a repair would do. Changes nothing.

use std::path::Path;

use super::{RepairError, RepairReport, RepairStep};
use crate::command::{JournalFeed, Owner, Project, Reading, StorePlaces, audit, store_status};
use crate::event::Source;
use crate::query::{Identity, QueryError};

pub(super) fn look(project: &Project) -> Result<RepairReport, RepairError> {
    let mut report = RepairReport { dry_run: true, ..RepairReport::default() };
    let found = audit(project.root(), Reading::Live)?;
    let cut = found.report.findings.iter().filter(|finding| finding.verdict.is_cut());
    report.steps.extend(cut.map(|finding| RepairStep::TailCut { finding: finding.to_string() }));
    super::note_damage(&found, &mut report);
    let places = StorePlaces::of(project.root());
    let feed = JournalFeed::reading(&project.journal_dir())?;
    let mut index_reads = true;
    for store in store_status(&places, &feed)? {
        let store_name = store.store;
        match (store.problem, store.lag_events) {
            (Some(reason), _) => {
                index_reads = false;
                let quarantined = None;
                report.steps.push(RepairStep::Rebuilt { store: store_name, reason, quarantined });
            }
            (None, Some(events)) if events > 0 => {
                report.steps.push(RepairStep::CaughtUp { store: store_name, events });
            }
            _ => {}
        }
    }
    if index_reads {
        super::repos::look(project, &mut report);
        let count = left_open(&project.owners_dir(), &places)?;
        if count > 0 {
            report.steps.push(RepairStep::Interrupted { count });
        }
    }
    Ok(report)
}

/// How many calls a repair would close: of processes that are gone, and of sessions that ended. One
/// that a hook told of may run as long as its session does.
///
/// # Errors
/// Where the index cannot be asked.
pub fn left_open(owners: &Path, places: &StorePlaces) -> Result<u64, QueryError> {
    let identity = Identity::open(&places.index)?;
    let mut count = 0;
    for known in identity.open_executions(None)? {
        let is_left = match (known.source, known.session) {
            (Source::Live, _) if Owner::is_left(owners, known.id) => true,
            (Source::Live | Source::Hook, Some(session)) => {
                identity.session(session)?.is_some_and(|session| session.ended)
            }
            _ => false,
        };
        count += u64::from(is_left);
    }
    Ok(count)
}
