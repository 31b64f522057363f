//! Verifying a journal, or one segment of it, and taking it apart. Changes nothing.

use std::path::{Path, PathBuf};

use super::catch_up::{RebuildReason, Standing, standing};
use super::evidence::Cache;
use super::{Beside, Cursor, JournalFeed, StillStore, look};
use crate::event::Sequence;
use crate::journal;
use crate::journal::{
    Audit, Fork, Inspect, JournalError, JournalReader, LockFile, Reading, Seen, Source, Testimony,
    VerifyReport,
};
use crate::store::{StoreName, StorePlaces};

/// Reads every byte of a journal and holds it to its checksums and its chain.
///
/// `path` is a project, its `.annals`, a journal's folder, one `.seg` file or a bundle. Nobody's
/// lock is taken where it is not a project's, or cannot be written.
pub fn verify(path: &Path) -> Result<VerifyReport, JournalError> {
    verify_as(path, reading(path, false))
}

/// As [`verify`], read as one says.
pub fn verify_as(path: &Path, reading: Reading) -> Result<VerifyReport, JournalError> {
    journal::verify(&journal_path(path), reading)
}

/// As [`verify_as`], with the losses that the journal itself tells of.
pub fn audit(path: &Path, reading: Reading, cache: &Cache) -> Result<Audit, JournalError> {
    let source = Source::of(path).ok(); // what is none says so when it is read
    let journal = journal_path(path);
    let testimony = match source.as_ref().and_then(|source| source.root.as_deref()) {
        Some(root) if reading == Reading::Live => look::testimony(root, true),
        Some(root) => look::testimony_of_copy(root, &journal, cache),
        None => Testimony::default(),
    };
    journal::audit(&journal, reading, testimony)
}

/// Where two journals of one id part; `None` where they do not, or are of two ids.
pub fn fork(one: (&Path, Reading), other: (&Path, Reading)) -> Result<Option<Fork>, JournalError> {
    let open =
        |(path, reading): (&Path, Reading)| JournalReader::reading(&journal_path(path), reading);
    journal::fork(&open(one)?, &open(other)?)
}

/// Two of these journals that are of one id and part somewhere, by their places in the list, and where they
/// part. What cannot be read is told by who reads it.
pub fn parted(sources: &[(&Source, Reading)]) -> Option<(usize, usize, Fork)> {
    let open = |(at, (source, reading)): (usize, &(&Source, Reading))| {
        Some((at, JournalReader::reading(&source.journal, *reading).ok()?))
    };
    let mut readers: Vec<_> = sources.iter().enumerate().filter_map(open).collect();
    readers.sort_by_key(|(_, reader)| (reader.id(), reader.mark().sequence));
    readers.windows(2).find_map(|pair| {
        let [(one, shorter), (other, longer)] = pair else { return None };
        let fork = journal::fork(shorter, longer).ok()??; // as above
        Some((*one.min(other), *one.max(other), fork))
    })
}

/// Takes a journal apart, part by part; `path` as in [`verify`].
pub fn inspect(path: &Path, reading: Reading) -> Result<Inspect, JournalError> {
    journal::inspect(&journal_path(path), reading)
}

/// The journal that a path means: a project's, an `.annals` folder's, or the path itself.
pub fn journal_path(path: &Path) -> PathBuf {
    Source::of(path).map_or_else(|_| path.to_owned(), |source| source.journal)
}

/// How what a path means may be read: as evidence where that was asked for, or nothing else is
/// possible.
pub fn reading(path: &Path, evidence: bool) -> Reading {
    // What is no source of ours says so when it is read.
    Source::of(path).map_or(Reading::Evidence, |source| source.reading(evidence))
}

/// Stores that say how far they have read, the cheapest to ask first. A graph is another program's as well.
const STORES: [StoreName; 6] = [
    StoreName::ExecutionLog,
    StoreName::Index,
    StoreName::Memory,
    StoreName::MemoryLogs,
    StoreName::Experiments,
    StoreName::DebugMemory,
];
/// A cursor beyond this is no store's of ours: nobody records so much.
const SEQUENCE_MAX: Sequence = Sequence(1 << 48);

/// The last event of this project's journal that a store has read, where the journal does not go so far any
/// more. One store is asked, and the others where that one says so.
pub(crate) fn seen(
    root: &Path,
    journal: &Path,
    reading: Reading,
    beside: Beside<'_>,
) -> Option<Seen> {
    let places = StorePlaces::of(root);
    let ask = |store| cursor(&places, store, beside);
    let first = STORES.into_iter().find_map(ask)?.position;
    let at = Sequence(first.sequence);
    if let LockFile::Sound(witness) = LockFile::of(journal)
        && witness.reaches(&first.journal, at)
    {
        return None;
    }
    // What is wrong with it is told by who opens it.
    let reader = JournalReader::reading(journal, reading).ok()?;
    let (id, end) = (reader.id(), reader.mark().sequence);
    let last = || {
        let cursors = STORES.into_iter().filter_map(ask).map(|it| it.position);
        let own = cursors.filter(|it| it.journal == id).map(|it| Sequence(it.sequence));
        own.filter(|last| *last > end && *last <= SEQUENCE_MAX).max()
    };
    // Twice: a page that is written while it is read says anything.
    let sequence = last()?.min(last()?);
    Some(Seen { journal: id, sequence })
}

/// The first store around a copy of a journal that has read what the copy does not have, and why that is known.
pub(crate) fn beyond(
    root: &Path,
    journal: &Path,
    cache: &Cache,
) -> Option<(StoreName, RebuildReason)> {
    let aside = cache.private().ok()?; // what cannot be looked at says nothing
    let places = StorePlaces::of(root);
    let ask = |store| Some((store, cursor(&places, store, Beside::Copied(aside.root()))?));
    let cursors: Vec<_> = STORES.into_iter().filter_map(ask).collect();
    if cursors.is_empty() {
        return None;
    }
    let feed = JournalFeed::pinned(journal, Reading::Evidence).ok()?; // as above
    cursors.into_iter().find_map(|(store, cursor)| {
        match standing(Some(cursor), cursor.rows, &feed) {
            Ok(Standing::Wrong(reason)) if reason.is_loss() => Some((store, reason)),
            _ => None,
        }
    })
}

fn cursor(places: &StorePlaces, store: StoreName, beside: Beside<'_>) -> Option<Cursor> {
    // One that is not there, or cannot be read, says nothing.
    StillStore::stand(store, places.path(store), beside).ok()?
}
