//! Doing what a journal's own events order: frames, blobs, what recovery set aside.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

use annals_journal_format::Sequence as FormatSequence;
use annals_journal_format::recover::quarantine;
use annals_journal_format::writer::Doomed;

use super::{Orders, RedactionError, archived};
use crate::event::{Content, OrderId, Sequence};
use crate::journal::enclosure::{self, Kind, OpenHow};
use crate::journal::{JournalReader, Project, ReplayItem};

/// What became of what was ordered, in the journal itself. Twice is harmless: then nothing is left to do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// The orders that the journal tells of, all of them carried out as far as it goes.
    pub orders: Vec<OrderId>,
    /// Records whose payloads were destroyed by this call.
    pub records: Vec<Sequence>,
    /// Records that hold something else than what was ordered to go, or do not hold at all: left as they are.
    pub others: Vec<Sequence>,
    /// Segments that were written anew.
    pub segments: u64,
    /// Large contents that were removed, since nothing names them any more.
    pub blobs: u64,
    /// Fragments in the journal's quarantine that were emptied.
    pub fragments: u64,
    /// Segments that were brought back from an archive.
    pub fetched: Vec<u64>,
    /// Copies that an archive had, and that were removed.
    pub copies: Vec<PathBuf>,
    /// Copies that an archive still has.
    pub kept_copies: Vec<PathBuf>,
}

/// Carries out all that the journal's events order and that is not done. What stores and other files hold of it is
/// for `stores::redaction`, which calls this first.
///
/// Blobs go before the frames that name them: as long as those stand, a death in between is made good.
pub fn carry_out(project: &Project) -> Result<Report, RedactionError> {
    let journal = project.journal()?;
    // What is ordered on disk, and nothing else, is done.
    let through = journal.sync()?.sequence;
    let reader = project.reader()?;
    let orders = Orders::until(&reader, Some(through))?;
    let mut doomed = Vec::new();
    for (sequence, (leaf, _)) in &orders.records {
        if let Some((at, kind, false)) = reader.stands(*sequence)?
            && !kind.is_of_journal()
        {
            doomed.push(Doomed { at, sequence: FormatSequence(sequence.0), leaf: *leaf });
        }
    }
    let mut report =
        Report { orders: orders.orders.iter().map(|it| it.order).collect(), ..Report::default() };
    if !doomed.is_empty() {
        report.fetched = archived::bring_back(project, &doomed)?;
        let reader = project.reader()?;
        report.blobs = remove_blobs(project, &reader, &doomed)?;
    }
    clear_blobs_in_the_making(journal.blobs().folder())?;
    let done = journal.redact(&doomed)?;
    report.records = done.records.iter().map(|it| Sequence(it.0)).collect();
    report.others = done.others.iter().map(|it| Sequence(it.0)).collect();
    report.segments = done.segments;
    if !orders.records.is_empty() {
        (report.copies, report.kept_copies) = archived::remove_copies(project, &reader, &orders)?;
    }
    report.fragments = empty_fragments(&project.journal_dir().join("quarantine"))?;
    Ok(report)
}

/// Removes the contents that only these records name.
fn remove_blobs(
    project: &Project,
    reader: &JournalReader,
    doomed: &[Doomed],
) -> Result<u64, RedactionError> {
    let goes: BTreeSet<_> = doomed.iter().map(|it| Sequence(it.sequence.0)).collect();
    let (mut named, mut kept) = (BTreeSet::new(), BTreeSet::new());
    for item in reader.replay(Sequence(1), None) {
        let ReplayItem::Event(recorded) = item? else { continue };
        let list = if goes.contains(&recorded.sequence) { &mut named } else { &mut kept };
        for content in recorded.event.body.contents() {
            // A reference finds its content there where that was lifted out of what went.
            if let Content::Blob { hash, .. } | Content::Repeated { hash, .. } = content {
                list.insert(*hash);
            }
        }
    }
    let blobs = project.journal()?.blobs();
    let mut count = 0;
    for hash in named.difference(&kept) {
        count += u64::from(remove(&blobs.path(hash))?);
    }
    if count > 0 {
        sync(blobs.folder())?;
    }
    Ok(count)
}

/// Removes contents that somebody died in the making of.
fn clear_blobs_in_the_making(folder: &Path) -> Result<(), RedactionError> {
    for (name, kind) in listed(folder)? {
        let pid = name.strip_suffix(".tmp").and_then(|it| it.split_once('-')).map(|it| it.0);
        let is_dead = |pid: &str| {
            pid.parse::<u32>().is_ok()
                && Path::new("/proc/self").exists()
                && !Path::new("/proc").join(pid).exists()
        };
        if kind == Kind::File && pid.is_some_and(is_dead) {
            remove(&folder.join(&name))?;
        }
    }
    Ok(())
}

/// Empties what recovery cut: nobody was told that it was recorded, and it may be a copy. The names stay, which say
/// what sequences were seen in it.
fn empty_fragments(folder: &Path) -> Result<u64, RedactionError> {
    let mut count = 0;
    for (name, kind) in listed(folder)? {
        let path = folder.join(&name);
        let failed = |source| RedactionError::Io { path: path.clone(), did: "emptied", source };
        if kind != Kind::File {
            continue;
        }
        if name.ends_with(".tmp") {
            count += u64::from(remove(&path)?);
        } else if quarantine::parse(&name).is_some()
            && enclosure::look(&path).map_err(failed)?.bytes > 0
        {
            let empty = folder.join(format!("{name}.tmp"));
            enclosure::open(&empty, OpenHow::ReadWriteOrCreate)
                .and_then(|file| file.set_len(0))
                .and_then(|()| enclosure::rename(&empty, &path))
                .map_err(failed)?;
            count += 1;
        }
    }
    if count > 0 {
        sync(folder)?;
    }
    Ok(count)
}

/// The names in a folder; none where it is not there.
fn listed(folder: &Path) -> Result<Vec<(String, Kind)>, RedactionError> {
    match enclosure::names(folder) {
        // No name of ours.
        Ok(names) => Ok(names
            .into_iter()
            .filter_map(|(name, kind)| Some((name.into_string().ok()?, kind)))
            .collect()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(source) => Err(RedactionError::Io { path: folder.to_owned(), did: "listed", source }),
    }
}

/// Whether there was anything to remove.
pub(super) fn remove(path: &Path) -> Result<bool, RedactionError> {
    match enclosure::remove(path) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(source) => Err(RedactionError::Io { path: path.to_owned(), did: "removed", source }),
    }
}

pub(super) fn sync(folder: &Path) -> Result<(), RedactionError> {
    let synced = enclosure::folder(folder).and_then(|it| it.sync_all());
    let path = folder.to_owned();
    synced.map_err(|source| RedactionError::Io { path, did: "made durable", source })
}
