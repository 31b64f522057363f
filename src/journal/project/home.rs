//! Whether a journal lies where it was made: a copy, or a project that moved, lies elsewhere.

use std::path::{Path, PathBuf};
use std::{fs, io};

use crate::event::{
    Body, Envelope, Event, HistoryContradicted, RecordedLoss, RecoveryPerformed, Sequence, Source,
};
use crate::journal;
use crate::journal::archive::is_out_of_reach;
use crate::journal::enclosure::OpenHow;
use crate::journal::trust::seen::{Contradiction, SeenFile};
use crate::journal::{Journal, JournalError, JournalReader, Recovery, clock, enclosure};

/// Whether the journal's first event names this root. Where it cannot be read nothing says so.
pub(super) fn is_of(root: &Path, journal: &Path) -> bool {
    let Ok(root) = enclosure::real(root) else { return false };
    let first = match JournalReader::open(journal).and_then(|it| it.get(Sequence(1))) {
        Ok(Some(first)) => first,
        // It was archived from here, and nobody archives another's.
        Err(JournalError::Read { source, .. }) => return is_out_of_reach(&source),
        _ => return false,
    };
    match first.event.body {
        Body::JournalCreated(created) => created.root == root.to_string_lossy(),
        _ => false,
    }
}

impl super::Project {
    /// Where the journal was made, if that is elsewhere and a journal of its id lies there still.
    pub fn other_home(&self) -> Option<PathBuf> {
        let reader = self.reader().ok()?; // then nothing says where that is
        let root = PathBuf::from(reader.created()?.root);
        let is_elsewhere = root.canonicalize().is_ok_and(|root| root != self.root);
        let there = JournalReader::open(&root.join(journal::FOLDER).join("journal")).ok()?; // moved
        (is_elsewhere && there.id() == reader.id()).then_some(root)
    }
}

/// Makes what a journal holds durable, and changes nothing of it.
pub(crate) fn flush(journal: &Path) -> io::Result<()> {
    for (name, _) in enclosure::names(journal)? {
        if Path::new(&name).extension().is_some_and(|it| it == "seg") {
            enclosure::open(&journal.join(name), OpenHow::Read)?.sync_data()?;
        }
    }
    Ok(())
}

/// The host's name, where its kernel or its settings tell it.
pub(crate) fn machine_label() -> String {
    ["/proc/sys/kernel/hostname", "/etc/hostname"]
        .iter()
        // A host that does not tell its name this way is an unnamed one.
        .filter_map(|path| fs::read_to_string(path).ok())
        .map(|name| name.trim().to_owned())
        .find(|name| !name.is_empty())
        .unwrap_or_else(|| "unnamed".to_owned())
}

/// Records what no event tells of yet.
pub(super) fn record(
    journal: &Journal,
    folder: &Path,
    recoveries: &[Recovery],
) -> Result<Vec<RecordedLoss>, JournalError> {
    let recoveries = untold(folder, recoveries);
    if recoveries.is_empty() {
        return Ok(Vec::new());
    }
    let now_ms = clock::now_ms();
    let events: Vec<_> = recoveries.iter().map(|found| performed(found, now_ms)).collect();
    let first = journal.append(&events, now_ms)?.first;
    let recorded = (first.0..).zip(events);
    Ok(recorded.filter_map(|(at, it)| RecordedLoss::of_body(Sequence(at), &it.body)).collect())
}

/// Records that a journal does not contain what was seen of it, once.
pub(super) fn tell(
    journal: &Journal,
    folder: &Path,
    found: &Contradiction,
) -> Result<(), JournalError> {
    if found.seen.is_told {
        return Ok(());
    }
    let body = HistoryContradicted {
        change: found.change.as_str().to_owned(),
        seen_sequence: found.seen.at.mark.sequence.0,
        seen_chain: found.seen.at.mark.chain,
        end_sequence: found.end.sequence.0,
        shared_sequence: found.shared.map(|it| it.0),
    };
    let now_ms = clock::now_ms();
    let envelope = Envelope::new(None, Source::Annals, now_ms);
    journal.append(&[Event { envelope, body: Body::HistoryContradicted(body) }], now_ms)?;
    if let Some(file) = SeenFile::of(folder, &journal.id()) {
        // Where it cannot be noted it is recorded once more.
        drop(file.tell(&found.seen));
    }
    Ok(())
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
