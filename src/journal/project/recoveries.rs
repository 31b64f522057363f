//! What opening the journal had to mend, as events.

use std::path::Path;

use crate::event::{Body, Envelope, Event, RecoveryPerformed, Source};
use crate::journal::{self, Journal, JournalError, Recovery, clock};

/// Records what no event tells of yet.
pub(super) fn record(
    journal: &Journal,
    folder: &Path,
    recoveries: &[Recovery],
) -> Result<(), JournalError> {
    let recoveries = untold(folder, recoveries);
    if recoveries.is_empty() {
        return Ok(());
    }
    let now_ms = clock::now_ms();
    let events: Vec<_> = recoveries.iter().map(|found| performed(found, now_ms)).collect();
    journal.append(&events, now_ms).map(drop)
}

/// Those that no event tells of. What cannot be looked for is told once more rather than not at all.
pub(super) fn untold(folder: &Path, recoveries: &[Recovery]) -> Vec<Recovery> {
    journal::untold(folder, recoveries).unwrap_or_else(|_| recoveries.to_vec())
}

fn performed(recovery: &Recovery, now_ms: u64) -> Event {
    let body = RecoveryPerformed {
        segment: recovery.segment.0,
        offset: recovery.offset.0,
        verdict: recovery.verdict.to_string(),
        bytes_cut: recovery.bytes_cut,
        quarantined: recovery.quarantined.clone(),
        bytes_lost: recovery.bytes_lost,
        lost: recovery.lost.map(|(first, last)| (first.0, last.0)),
    };
    let envelope = Envelope::new(None, Source::Annals, now_ms);
    Event { envelope, body: Body::RecoveryPerformed(body) }
}
