//! Moving segments out.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use annals_journal_format::archive::{
    ArchiveError, Manifest, NOTE_SUFFIX, Note, ToArchive, Written, pack,
};
use annals_journal_format::reader::{ReadError, Standing};
use annals_journal_format::segment::SegmentName;
use annals_journal_format::storage::{FsStorage, Storage};
use annals_journal_format::{Mark, Sequence as FormatSequence};

use super::remote::Store;
use super::sent::{self, SENDING};
use super::{MoveError, address, tiles};
use crate::event::{ArchivedSegment, Body, Envelope, Event, SegmentsArchived, Sequence, Source};
use crate::journal::tlog::Tree;
use crate::journal::{
    Begin, Journal, JournalReader, Project, Reading, ReplayItem, Testimony, audit_from, clock,
    derived_file, enclosure,
};

/// What was moved.
#[derive(Debug)]
pub struct Archived {
    /// The journal's own folder in the archive.
    pub folder: PathBuf,
    pub segments: Vec<Moved>,
    /// The event that says so; `None` where there was nothing to move.
    pub event: Option<Sequence>,
}

/// A segment that was moved, out or back.
#[derive(Clone, Debug)]
pub struct Moved {
    pub segment: u64,
    pub first: u64,
    /// The last event up to its end.
    pub last: u64,
    /// As it was, and as it is stored.
    pub bytes: u64,
    pub stored_bytes: u64,
}

impl Moved {
    pub(super) fn of(manifest: &Manifest) -> Self {
        Self {
            segment: manifest.name.number.0,
            first: manifest.name.first_sequence.0,
            last: manifest.mark.sequence.0,
            bytes: manifest.bytes,
            stored_bytes: manifest.stored_bytes(),
        }
    }
}

/// A segment that is to be moved.
pub(super) struct Due {
    pub path: PathBuf,
    pub name: SegmentName,
    /// What the next segment goes on from.
    pub mark: Mark,
}

/// Moves the segments that another follows, and whose last record is from before a moment, Unix milliseconds: from the
/// first on, up to one that is not. Each is copied, flushed, read back and held against what it was; then an event
/// says so; only then is it taken away here. Killed anywhere and done again, the rest is done.
///
/// # Errors
/// Where the journal does not hold there, or something cannot be read or written: then nothing is taken away.
pub fn archive(project: &Project, before_ms: u64, to: &Path) -> Result<Archived, MoveError> {
    project.must_contain_seen()?;
    address::must_be_known(to)?;
    let (journal, dir) = (project.journal()?, project.journal_dir());
    let through = journal.sync()?.sequence;
    let reader = project.reader()?;
    let due = due(&reader, before_ms)?;
    let Some(last) = due.last() else {
        let (segments, event) = (Vec::new(), None);
        return Ok(Archived { folder: to.to_owned(), segments, event });
    };
    must_hold(&dir, due[0].name.number.0, last.name.number.0)?;
    let tree = Tree::of(&dir, Reading::Live, Some(project.tlog_dir()), Some(through))?;
    let folder = address::made(to, &journal.id(), &dir)?;
    let store = address::store(&folder, None)?;
    let (mut manifests, mut was_there) = (Vec::new(), false);
    for segment in &due {
        let packed = packed(project, segment, &tree, (&folder, store.as_ref()), false)?;
        was_there |= packed.was_there;
        manifests.push(packed.manifest);
    }
    tiles::put(&tree, 0..size_at(&tree, last.mark.sequence.0)?, &folder, store.as_ref())?;
    let told = if was_there { told(&reader, &manifests, &folder)? } else { None };
    let event = match told {
        Some(event) => event,
        None => tell(journal, &manifests, &folder)?,
    };
    for (segment, manifest) in due.iter().zip(&manifests) {
        take_away(
            journal,
            &dir,
            segment,
            manifest,
            Note { folder: folder.clone(), event: event.0, manifest: manifest.clone() },
        )?;
    }
    let segments = manifests.iter().map(Moved::of).collect();
    Ok(Archived { folder, segments, event: Some(event) })
}

/// Puts a segment into an archive's folder, where it is not there yet; `anew`: also in the place of what is there, once it
/// is whole beside it.
pub(super) fn packed(
    project: &Project,
    segment: &Due,
    tree: &Tree,
    (folder, store): (&Path, Option<&Store>),
    anew: bool,
) -> Result<Written, MoveError> {
    let size = size_at(tree, segment.mark.sequence.0)?;
    let Due { path, name, mark } = segment;
    let segment = ToArchive { path, name: *name, mark: *mark, size, root: tree.root(size)? };
    let here = project.annals_dir().join(SENDING);
    Ok(match store {
        Some(store) => sent::pack_to(store, &segment, folder, &here, anew)?,
        None if anew => sent::pack_over(&segment, folder)?,
        None => pack(&FsStorage, &segment, folder)?,
    })
}

pub(super) fn due(reader: &JournalReader, before_ms: u64) -> Result<Vec<Due>, MoveError> {
    let segments = reader.reader.segments();
    let mut due = Vec::new();
    for pair in segments.windows(2) {
        let [segment, next] = pair else { continue };
        let followed = next
            .header
            .filter(|it| next.standing == Standing::Sound && it.number.0 == segment.number.0 + 1);
        let Some(header) = followed.filter(|_| segment.standing == Standing::Sound) else {
            break;
        };
        let (mark, name) = (
            Mark { sequence: header.previous.sequence, chain: header.previous.chain },
            SegmentName { number: segment.number, first_sequence: segment.first_sequence },
        );
        match enclosure::look(&segment.path) {
            Ok(_) => {}
            Err(error) if error.kind() == ErrorKind::NotFound => continue,
            Err(source) => {
                let path = segment.path.clone();
                return Err(ArchiveError::Io { path, did: "looked at", source }.into());
            }
        }
        let at = FormatSequence(mark.sequence.0);
        let found = reader.reader.get(at).map_err(|error: ReadError| reader.unread(error))?;
        // One that is lost is told of when all are read.
        if found.is_some_and(|entry| entry.time_ms >= before_ms) {
            break;
        }
        due.push(Due { path: segment.path.clone(), name, mark });
    }
    Ok(due)
}

/// Holds that nothing is wrong in these segments: what is not whole is not moved.
pub(super) fn must_hold(dir: &Path, first: u64, last: u64) -> Result<(), MoveError> {
    let begin = Begin { segment: first, at: None };
    let audit = audit_from(dir, Reading::Live, begin, Testimony::default())?;
    let here = |segment: u64| (first..=last).contains(&segment);
    let what = match audit.losses().find(|it| here(it.at.segment.0)) {
        Some(finding) => finding.to_string(),
        None => match audit.report.unreadable.first() {
            Some(error) => error.to_string(),
            None => return Ok(()),
        },
    };
    Err(MoveError::Damaged { what })
}

pub(super) fn size_at(tree: &Tree, last: u64) -> Result<u64, MoveError> {
    Ok(if last == 0 { 0 } else { tree.index(Sequence(last))? + 1 })
}

/// The event of an earlier, interrupted run that tells of the same segments in the same place.
fn told(
    reader: &JournalReader,
    manifests: &[Manifest],
    folder: &Path,
) -> Result<Option<Sequence>, MoveError> {
    let digests: Vec<_> = manifests.iter().map(Manifest::digest).collect();
    let from = manifests.first().map_or(0, |it| it.mark.sequence.0);
    for item in reader.replay(Sequence(from + 1), None) {
        let ReplayItem::Event(recorded) = item? else { continue };
        if let Body::SegmentsArchived(it) = &recorded.event.body
            && Path::new(&it.to) == folder
            && digests.iter().all(|of| it.segments.iter().any(|there| there.manifest == *of))
        {
            return Ok(Some(recorded.sequence));
        }
    }
    Ok(None)
}

fn tell(journal: &Journal, manifests: &[Manifest], folder: &Path) -> Result<Sequence, MoveError> {
    let segments = manifests.iter().map(described).collect();
    let to = folder.to_string_lossy().into_owned();
    let now_ms = clock::now_ms();
    let body = Body::SegmentsArchived(SegmentsArchived { to, segments });
    let event = Event { envelope: Envelope::new(None, Source::Annals, now_ms), body };
    let appended = journal.append(&[event], now_ms)?;
    journal.sync()?;
    Ok(appended.last)
}

pub(super) fn described(manifest: &Manifest) -> ArchivedSegment {
    ArchivedSegment {
        segment: manifest.name.number.0,
        first: manifest.name.first_sequence.0,
        last: manifest.mark.sequence.0,
        bytes: manifest.bytes,
        stored_bytes: manifest.stored_bytes(),
        sha256: manifest.sha256,
        manifest: manifest.digest(),
        tree_size: manifest.size,
        root: manifest.root,
    }
}

/// Puts a note in a segment's place, where it is still what was copied.
fn take_away(
    journal: &Journal,
    dir: &Path,
    segment: &Due,
    manifest: &Manifest,
    note: Note,
) -> Result<(), MoveError> {
    // So that nobody changes it meanwhile: who redacts holds the journal as well.
    let _hold = journal.hold()?;
    let failed = |did| move |source| ArchiveError::Io { path: segment.path.clone(), did, source };
    let mut hasher = blake3::Hasher::new();
    let file = enclosure::open(&segment.path, enclosure::OpenHow::Read);
    hasher.update_reader(file.map_err(failed("opened"))?).map_err(failed("read"))?;
    if *hasher.finalize().as_bytes() != manifest.blake3 {
        let what = format!("{} was changed meanwhile: it stays", segment.path.display());
        return Err(MoveError::Refused { what });
    }
    let place = dir.join(format!("{}{NOTE_SUFFIX}", segment.name));
    let put = derived_file::replace(&place, note.to_text().as_bytes()).and_then(|()| {
        enclosure::open(&place, enclosure::OpenHow::Read)?.sync_all()?;
        FsStorage.sync_folder(dir)
    });
    put.map_err(failed("noted as archived"))?;
    let removed = enclosure::remove(&segment.path).and_then(|()| FsStorage.sync_folder(dir));
    Ok(removed.map_err(failed("taken away"))?)
}
