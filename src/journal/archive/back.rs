//! Bringing segments back.

use std::collections::{BTreeMap, BTreeSet};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use annals_journal_format::archive::{
    ArchiveError, ArchiveFault, Manifest, NOTE_SUFFIX, Note, noted, read_manifest, unpack,
};
use annals_journal_format::segment::SegmentName;
use annals_journal_format::storage::{FsStorage, Storage};
use annals_journal_format::{SegmentNumber, Sequence as FormatSequence};

use super::out::described;
use super::{MoveError, Moved, address};
use crate::event::{ArchivedSegment, Body, Envelope, Event, SegmentsFetched, Sequence, Source};
use crate::journal::{JournalReader, Project, ReplayItem, clock, enclosure};

#[derive(Clone, Copy, Debug, Default)]
pub struct FetchOptions<'a> {
    /// Segments, by number; empty: all.
    pub segments: &'a [u64],
    /// Where the archive is, if not where it was.
    pub from: Option<&'a Path>,
}

/// What was brought back.
#[derive(Debug)]
pub struct Fetched {
    pub segments: Vec<Moved>,
    /// The event that says so; `None` where nothing was missing.
    pub event: Option<Sequence>,
}

struct Wanted {
    folder: PathBuf,
    manifest: Manifest,
}

/// Brings archived segments back as they were, read-only, each held against its manifest before it has its name. The
/// archive keeps them. Killed anywhere and done again, the rest is done.
///
/// # Errors
/// Where the archive is out of reach, or does not give what was archived; what is here is then as it was.
pub fn fetch(project: &Project, options: FetchOptions<'_>) -> Result<Fetched, MoveError> {
    let (journal, dir) = (project.journal()?, project.journal_dir());
    journal.sync()?;
    let wanted = wanted(project, options)?;
    for number in options.segments {
        if !wanted.iter().any(|it| it.manifest.name.number.0 == *number) {
            let what = format!("segment {number} is not in an archive");
            return Err(MoveError::Refused { what });
        }
    }
    let Some(first) = wanted.first() else {
        return Ok(Fetched { segments: Vec::new(), event: None });
    };
    let from = first.folder.to_string_lossy().into_owned();
    for it in &wanted {
        bring(&dir, it)?;
    }
    let now_ms = clock::now_ms();
    let segments: Vec<_> = wanted.iter().map(|it| described(&it.manifest)).collect();
    let body = Body::SegmentsFetched(SegmentsFetched { from, segments });
    let event = Event { envelope: Envelope::new(None, Source::Annals, now_ms), body };
    let appended = journal.append(&[event], now_ms)?;
    journal.sync()?;
    for it in &wanted {
        let path = dir.join(format!("{}{NOTE_SUFFIX}", it.manifest.name));
        let removed = match enclosure::remove(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
            removed => removed.and_then(|()| FsStorage.sync_folder(&dir)),
        };
        removed.map_err(|source| ArchiveError::Io { path, did: "removed", source })?;
    }
    let segments = wanted.iter().map(|it| Moved::of(&it.manifest)).collect();
    Ok(Fetched { segments, event: Some(appended.last) })
}

fn wanted(project: &Project, options: FetchOptions<'_>) -> Result<Vec<Wanted>, MoveError> {
    let dir = project.journal_dir();
    let id = project.journal()?.id();
    let is_asked = |number: u64| options.segments.is_empty() || options.segments.contains(&number);
    let listed = FsStorage.list(&dir);
    let names =
        listed.map_err(|source| ArchiveError::Io { path: dir.clone(), did: "listed", source })?;
    let mut wanted = BTreeMap::new();
    for name in names.iter().filter_map(|it| noted(it)).filter(|it| is_asked(it.number.0)) {
        let path = dir.join(name.to_string());
        let Note { folder, manifest, .. } = match Note::of(&path) {
            Ok(Some(note)) => note,
            Ok(None) => continue,
            // One that says nothing is as good as none.
            Err(error) if ArchiveFault::of(&error).is_some() => continue,
            Err(source) => return Err(ArchiveError::Io { path, did: "looked up", source }.into()),
        };
        if manifest.journal.0 != id {
            let what = format!("{} is of another journal", path.display());
            return Err(MoveError::Refused { what });
        }
        let folder = options.from.map_or(Ok(folder), |from| address::found(from, &id))?;
        wanted.insert(name, Wanted { folder, manifest });
    }
    // What has lost its note is still known by the event.
    let reader = project.reader()?;
    let files = names.iter().filter_map(|it| SegmentName::parse(it)).map(|it| it.number.0);
    let here: BTreeSet<u64> =
        files.chain(wanted.keys().map(|it: &SegmentName| it.number.0)).collect();
    let is_here = |number: u64| here.contains(&number);
    let end = reader.reader.segments().last().map_or(0, |it| it.number.0);
    if (0..end).any(|number| is_asked(number) && !is_here(number)) {
        let mut lost = Vec::new();
        for (number, (to, of)) in told(&reader)? {
            if is_asked(number) && !is_here(number) {
                let folder = options.from.map_or(Ok(to), |from| address::found(from, &id))?;
                lost.push(of_event(folder, &of)?);
            }
        }
        wanted.extend(lost.into_iter().map(|it| (it.manifest.name, it)));
    }
    Ok(wanted.into_values().collect())
}

/// The segments that events tell of, each as the last of them has it.
fn told(reader: &JournalReader) -> Result<BTreeMap<u64, (PathBuf, ArchivedSegment)>, MoveError> {
    let mut told = BTreeMap::new();
    let segments = reader.reader.segments();
    for (at, segment) in segments.iter().enumerate() {
        // What cannot be reached tells nothing; of a segment the event stands in a later one.
        if enclosure::look(&segment.path).is_err() {
            continue;
        }
        let from = Sequence(segment.first_sequence.0);
        let through =
            segments.get(at + 1).map(|it| Sequence(it.first_sequence.0.saturating_sub(1)));
        for item in reader.replay(from, through) {
            let ReplayItem::Event(recorded) = item? else { continue };
            if let Body::SegmentsArchived(it) = recorded.event.body {
                let to = PathBuf::from(it.to);
                told.extend(it.segments.into_iter().map(|of| (of.segment, (to.clone(), of))));
            }
        }
    }
    Ok(told)
}

fn of_event(folder: PathBuf, of: &ArchivedSegment) -> Result<Wanted, MoveError> {
    let name =
        SegmentName { number: SegmentNumber(of.segment), first_sequence: FormatSequence(of.first) };
    let fault = |what: &str, is_wrong| ArchiveFault {
        path: folder.clone(),
        what: what.to_owned(),
        is_wrong,
        is_missing: !is_wrong,
    };
    let manifest = read_manifest(&folder, &name)?
        .ok_or_else(|| ArchiveError::Fault(fault("does not have the segment", false)))?;
    if manifest.digest() != of.manifest {
        let what = "has another segment than the one that was archived";
        return Err(ArchiveError::Fault(fault(what, true)).into());
    }
    Ok(Wanted { folder, manifest })
}

/// Puts one segment back, unless an interrupted run has.
fn bring(dir: &Path, wanted: &Wanted) -> Result<(), MoveError> {
    let path = dir.join(wanted.manifest.name.to_string());
    if enclosure::look(&path).is_ok() {
        return Ok(());
    }
    let temporary = dir.join(format!("{}.tmp", wanted.manifest.name));
    // What an interrupted run left is no segment.
    drop(enclosure::remove(&temporary));
    unpack(&wanted.folder, &wanted.manifest, &temporary)?;
    let named = enclosure::rename_new(&temporary, &path).and_then(|()| FsStorage.sync_folder(dir));
    Ok(named.map_err(|source| ArchiveError::Io { path, did: "put in its place", source })?)
}
