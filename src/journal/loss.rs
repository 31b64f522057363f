//! Losses that the journal itself tells of, held against what is found in it.

use std::path::Path;

use super::{Finding, JournalError, JournalReader, Reading, Recovery, ReplayItem};
use crate::event::{RecordedLoss, Sequence};

/// Whether this tells of what was found: the same place, or no other events.
pub fn tells_of(told: &RecordedLoss, finding: &Finding) -> bool {
    let (segment, offset) = (finding.at.segment.0, finding.at.offset.0);
    let here = told.segment == segment
        && (offset == told.offset
            || (told.offset..told.offset.saturating_add(told.bytes)).contains(&offset));
    let events = finding.exact
        && matches!((told.lost, finding.lost), (Some((first, last)), Some((from, to)))
            if first.0 <= from.0 && to.0 <= last.0);
    here || events
}

/// Of some recoveries, those that no event tells of yet: a loss stays where it is, and whoever
/// opens the journal after it finds it again.
pub fn untold(folder: &Path, recoveries: &[Recovery]) -> Result<Vec<Recovery>, JournalError> {
    let losses = recoveries.iter().filter(|found| found.verdict.is_loss());
    let Some(first) = losses.map(|found| found.segment).min() else {
        return Ok(recoveries.to_vec());
    };
    let reader = JournalReader::open(folder)?;
    let told = recorded_since(&reader, first.0)?;
    let is_told = |found: &Recovery| {
        told.iter().any(|it| {
            let lost = found.lost.map(|(first, last)| (Sequence(first.0), Sequence(last.0)));
            (it.segment, it.offset) == (found.segment.0, found.offset.0)
                && (it.lost == lost || it.bytes == found.bytes_lost)
        })
    };
    let untold = |found: &&Recovery| !found.verdict.is_loss() || !is_told(found);
    Ok(recoveries.iter().filter(untold).cloned().collect())
}

/// The losses that a journal itself tells of, in this segment or behind it.
pub fn recorded_losses(
    path: &Path,
    reading: Reading,
    segment: u64,
) -> Result<Vec<RecordedLoss>, JournalError> {
    recorded_since(&JournalReader::reading(path, reading)?, segment)
}

/// The losses that are recorded in a segment or behind it.
pub fn recorded_since(
    reader: &JournalReader,
    segment: u64,
) -> Result<Vec<RecordedLoss>, JournalError> {
    let from = reader.reader.segments().into_iter().find(|it| it.number.0 >= segment);
    let Some(from) = from else { return Ok(Vec::new()) };
    let mut told = Vec::new();
    for item in reader.replay(Sequence(from.first_sequence.0), None) {
        if let ReplayItem::Event(recorded) = item? {
            told.extend(RecordedLoss::of(&recorded));
        }
    }
    Ok(told)
}

#[cfg(test)]
mod tests {
    use crate::event::RecordedLoss;
    use crate::journal::Verdict;

    #[test]
    fn events_know_the_cut_by_the_names_of_verdicts() {
        for verdict in [
            Verdict::Damage,
            Verdict::AcknowledgedLoss,
            Verdict::TornTail,
            Verdict::UnsyncedHole,
            Verdict::SegmentMissing,
            Verdict::ChainBroken,
        ] {
            let known = RecordedLoss::CUT.contains(&verdict.as_str());
            assert_eq!(known, verdict.is_cut(), "{}", verdict.as_str());
        }
    }
}
