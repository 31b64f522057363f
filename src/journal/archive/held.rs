//! What vouches for the notes in a journal's folder.

use std::path::{Path, PathBuf};

use annals_journal_format::archive::{ArchiveFault, Note, address, data_name, noted};
use annals_journal_format::reader::ReadError;
use annals_journal_format::scan::{Finding, Verdict};
use annals_journal_format::storage::{SourceStorage, Storage};
use annals_journal_format::verify::VerifyReport;
use annals_journal_format::{Offset, Position, SegmentNumber};

use crate::event::{Body, Recorded, Sequence};
use crate::journal::enclosure;

/// An event says that a segment was archived.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToldArchived {
    pub event: Sequence,
    pub segment: u64,
    pub to: PathBuf,
    /// The blake3 of the manifest.
    pub manifest: [u8; 32],
}

pub(in crate::journal) fn told_by(recorded: &Recorded, told: &mut Vec<ToldArchived>) {
    let Body::SegmentsArchived(it) = &recorded.event.body else { return };
    told.extend(it.segments.iter().map(|of| ToldArchived {
        event: recorded.sequence,
        segment: of.segment,
        to: PathBuf::from(&it.to),
        manifest: of.manifest,
    }));
}

/// Holds every note in a journal's folder to the events that were met: a segment that is not here and that no event says
/// was archived is missing, whatever a note says. Answers how many are vouched for.
pub(in crate::journal) fn held_to(
    told: &[ToldArchived],
    storage: &SourceStorage,
    folder: &Path,
    report: &mut VerifyReport,
) -> u64 {
    // A single segment, or a bundle, has none; what cannot be listed is told by the walk.
    let names = storage.list(folder).unwrap_or_default();
    let mut held = 0;
    for name in names.iter().filter_map(|it| noted(it)) {
        // A note that cannot be read vouches for nothing.
        let note = Note::of(&folder.join(name.to_string())).ok().flatten();
        let digest = note.map(|it| it.manifest.digest());
        if told.iter().any(|it| it.segment == name.number.0 && Some(it.manifest) == digest) {
            held += 1;
            continue;
        }
        let at = Position { segment: SegmentNumber(name.number.0), offset: Offset(0) };
        let verdict = Verdict::SegmentMissing;
        report.findings.push(Finding { verdict, at, bytes: 0, lost: None, exact: false });
        report.findings_count += 1;
    }
    held
}

/// Whether what could not be read lies in an archive that is not there, and may be again: nothing is known to be lost.
pub fn is_out_of_reach(error: &ReadError) -> bool {
    fault(error).is_some_and(|fault| !fault.is_wrong)
}

/// Whether it lies in an archive that is there, and has something else.
pub fn is_archive_wrong(error: &ReadError) -> bool {
    fault(error).is_some_and(|fault| fault.is_wrong)
}

/// As [`is_archive_wrong`], with the segment's file name.
pub fn wrong_segment(error: &ReadError) -> Option<&str> {
    let (ReadError::Io { path, .. } | ReadError::Segment { path, .. }) = error else { return None };
    path.file_name()?.to_str().filter(|_| is_archive_wrong(error))
}

fn fault(error: &ReadError) -> Option<&ArchiveFault> {
    let (ReadError::Io { source, .. } | ReadError::Segment { source, .. }) = error else {
        return None;
    };
    ArchiveFault::of(source)
}

/// The segments of a journal's folder that lie in archives, by a look at their notes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Elsewhere {
    pub segments: u64,
    /// Those of which the file is not where it should be. No address is asked.
    pub away: Vec<PathBuf>,
}

impl Elsewhere {
    pub fn of(folder: &Path) -> Self {
        let mut found = Self::default();
        // What cannot be listed is told by who reads it.
        for (name, _) in enclosure::names(folder).unwrap_or_default() {
            let Some(name) = name.to_str().and_then(noted) else { continue };
            // As above.
            let Ok(Some(note)) = Note::of(&folder.join(name.to_string())) else { continue };
            found.segments += 1;
            let file = note.folder.join(data_name(&name));
            if address(&note.folder).is_none() && enclosure::look(&file).is_err() {
                found.away.push(file);
            }
        }
        found
    }
}
