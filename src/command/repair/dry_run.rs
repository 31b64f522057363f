//! What a repair would do. Changes nothing.

use super::{RepairError, RepairReport, RepairStep};
use crate::command::{JournalFeed, Owner, Project, StorePlaces, store_status, verify};
use crate::event::Source;
use crate::query::Identity;

pub(super) fn look(project: &Project) -> Result<RepairReport, RepairError> {
    let mut report = RepairReport { dry_run: true, ..RepairReport::default() };
    let verified = verify(project.root())?;
    for finding in &verified.findings {
        if finding.verdict.is_cut() {
            report.steps.push(RepairStep::TailCut { finding: finding.to_string() });
        } else if finding.verdict.is_loss() {
            report.damage.push(finding.to_string());
        }
    }
    report.damage.extend(verified.unreadable.iter().map(ToString::to_string));
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
        let count = gone(project, &places)?;
        if count > 0 {
            report.steps.push(RepairStep::Interrupted { count });
        }
    }
    Ok(report)
}

/// Open calls of processes that are gone.
fn gone(project: &Project, places: &StorePlaces) -> Result<u64, RepairError> {
    let open = Identity::open(&places.index)?.open_executions(None)?;
    let owners = project.owners_dir();
    let gone = open
        .iter()
        .filter(|known| known.source == Source::Live && Owner::is_left(&owners, known.id));
    Ok(gone.count() as u64)
}
