//! Segments that lie in an archive: they are brought back, redacted here, and the archive's copies removed.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use annals_journal_format::archive::{address, data_name, manifest_name, read_manifest};
use annals_journal_format::segment::SegmentName;
use annals_journal_format::storage::{FsStorage, Storage};
use annals_journal_format::writer::Doomed;
use annals_journal_format::{SegmentNumber, Sequence as FormatSequence};

use super::carry_out::{remove, sync};
use super::{Orders, RedactionError};
use crate::event::{ArchivedSegment, Body, Sequence};
use crate::journal::archive::{FetchOptions, fetch, noted};
use crate::journal::{JournalReader, Project, ReplayItem, enclosure};

/// Brings back the segments that hold what goes. Answers their numbers.
pub(super) fn bring_back(project: &Project, doomed: &[Doomed]) -> Result<Vec<u64>, RedactionError> {
    let dir = project.journal_dir();
    let names = FsStorage.list(&dir).map_err(|source| RedactionError::Io {
        path: dir.clone(),
        did: "listed",
        source,
    })?;
    let away: BTreeSet<_> = names.iter().filter_map(|it| noted(it)).map(|it| it.number.0).collect();
    let held: BTreeSet<_> = doomed.iter().map(|it| it.at.segment.0).collect();
    let wanted: Vec<_> = away.intersection(&held).copied().collect();
    if !wanted.is_empty() {
        fetch(project, FetchOptions { segments: &wanted, from: None })?;
    }
    Ok(wanted)
}

/// Removes every copy that an archive has of a segment that something went of, as long as the segment itself is here:
/// it was made before, and holds what went. Answers what was removed, and what was not: what lies in an object store,
/// what is not what the event vouches for, and all of a journal that was copied here or is a stranger's, since another
/// project may read on from there.
pub(super) fn remove_copies(
    project: &Project,
    reader: &JournalReader,
    orders: &Orders,
) -> Result<(Vec<PathBuf>, Vec<PathBuf>), RedactionError> {
    let (dir, mut removed, mut kept) = (project.journal_dir(), Vec::new(), Vec::new());
    let is_own = project.is_at_home() && project.is_believed();
    for ((folder, _), of) in copies(reader)? {
        let goes = Sequence(of.first)..=Sequence(of.last);
        if orders.records.range(goes).next().is_none() {
            continue;
        }
        let number = SegmentNumber(of.segment);
        let name = SegmentName { number, first_sequence: FormatSequence(of.first) };
        // So that nobody moves it away meanwhile.
        let _hold = project.journal()?.hold()?;
        if enclosure::look(&dir.join(name.to_string())).is_err() {
            continue;
        }
        let data = folder.join(data_name(&name));
        if address(&data).is_some() {
            kept.push(data);
            continue;
        }
        if enclosure::look(&data).is_err() {
            continue;
        }
        let there = read_manifest(&folder, &name).ok().flatten(); // then it is none of ours
        if !is_own || there.is_none_or(|it| it.digest() != of.manifest) {
            kept.push(data);
            continue;
        }
        // The manifest last: without it the rest would be nobody's.
        if remove(&data)? | remove(&folder.join(manifest_name(&name)))? {
            sync(&folder)?;
            removed.push(data);
        }
    }
    Ok((removed, kept))
}

type Place = (PathBuf, u64);

/// Where events say that segments were archived, or fetched from.
fn copies(reader: &JournalReader) -> Result<BTreeMap<Place, ArchivedSegment>, RedactionError> {
    let mut copies = BTreeMap::new();
    for item in reader.replay(Sequence(1), None) {
        let ReplayItem::Event(recorded) = item? else { continue };
        let (folder, segments) = match recorded.event.body {
            Body::SegmentsArchived(it) => (it.to, it.segments),
            // An archive that was moved by hand, and keeps what it gave.
            Body::SegmentsFetched(it) => (it.from, it.segments),
            _ => continue,
        };
        let folder = PathBuf::from(folder);
        copies.extend(segments.into_iter().map(|of| ((folder.clone(), of.segment), of)));
    }
    Ok(copies)
}
