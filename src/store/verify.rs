//! Verifying a journal, or one segment of it, with what its stores have read. Changes nothing.

use std::path::Path;

use super::catch_up::{RebuildReason, Standing, standing};
use super::evidence::Cache;
use super::{Beside, Cursor, JournalFeed, StillStore, StoreList, look, stamp};
use crate::event::{Ordered, Sequence};
use crate::journal;
use crate::journal::{
    Audit, Fork, JournalError, JournalReader, LockFile, Reading, Seen, Source, Testimony,
};
use crate::store::{StoreName, StorePlaces};

/// Reads every byte of a journal, as what is known of a source around it says how far it went, with the losses
/// that the journal itself tells of.
pub fn audit(
    source: Option<&Source>,
    journal: &Path,
    reading: Reading,
    cache: &Cache,
) -> Result<Audit, JournalError> {
    let testimony = match source.and_then(|it| Some((it.root.as_deref()?, it.around))) {
        Some((root, around)) if reading == Reading::Live => around.testimony(root, true),
        Some((root, around)) => {
            look::testimony_of_copy(StoreList::of(around), root, journal, cache)
        }
        None => Testimony::default(),
    };
    journal::audit(journal, reading, testimony)
}

/// Where two journals of one id part; `None` where they do not, or are of two ids.
pub fn fork(one: (&Path, Reading), other: (&Path, Reading)) -> Result<Option<Fork>, JournalError> {
    let open = |(journal, reading): (&Path, Reading)| JournalReader::reading(journal, reading);
    journal::fork(&open(one)?, &open(other)?)
}

/// Two of these journals that are of one id and part somewhere, by their places in the list, and where they
/// part. What cannot be read is told by who reads it.
pub fn parted(sources: &[(&Source, Reading)]) -> Option<(usize, usize, Fork)> {
    let open = |(at, (source, reading)): (usize, &(&Source, Reading))| {
        Some((at, JournalReader::reading(&source.journal, *reading).ok()?))
    };
    let mut readers: Vec<_> = sources.iter().enumerate().filter_map(open).collect();
    readers.order_by_key(|(_, reader)| (reader.id(), reader.mark().sequence));
    readers.windows(2).find_map(|pair| {
        let [(one, shorter), (other, longer)] = pair else { return None };
        let fork = journal::fork(shorter, longer).ok()??; // as above
        Some((*one.min(other), *one.max(other), fork))
    })
}

/// A cursor beyond this is no store's of ours: nobody records so much.
const SEQUENCE_MAX: Sequence = Sequence(1 << 48);

/// The last event of this project's journal that a store has read, where the journal does not go so far any
/// more; `lock` is what its `LOCK` says. Each says in its stamp how far it has read, and is asked itself where its
/// file is another by now. `keeps`: what is asked is kept for who asks next.
pub(crate) fn seen(
    list: &'static StoreList,
    root: &Path,
    (journal, lock): (&Path, LockFile),
    reading: Reading,
    beside: Beside<'_>,
    keeps: bool,
) -> Option<Seen> {
    let places = StorePlaces::new(root, list);
    let ask = |store: &StoreName| cursor(&places, *store, beside);
    let stores = list.own();
    let reached = |store: &StoreName| {
        let found = || ask(store).map(|it| it.position.into());
        match (reading, beside) {
            (Reading::Live, Beside::LeftOut) => stamp::reached(places.path(*store), keeps, found),
            _ => found(),
        }
    };
    let reached: Vec<_> = stores.iter().filter_map(reached).collect();
    if reached.is_empty() {
        return None;
    }
    if let LockFile::Sound(witness) = lock
        && reached.iter().all(|at| witness.reaches(&at.journal, Sequence(at.sequence)))
    {
        return None;
    }
    // What is wrong with it is told by who opens it.
    let reader = JournalReader::reading(journal, reading).ok()?;
    let (id, end) = (reader.id(), reader.mark().sequence);
    let last = || {
        let cursors = stores.iter().filter_map(ask).map(|it| it.position);
        let own = cursors.filter(|it| it.journal == id).map(|it| Sequence(it.sequence));
        own.filter(|last| *last > end && *last <= SEQUENCE_MAX).max()
    };
    // Twice: a page that is written while it is read says anything.
    let sequence = last()?.min(last()?);
    Some(Seen { journal: id, sequence })
}

/// The first store around a copy of a journal that has read what the copy does not have, and why that is known.
pub(crate) fn beyond(
    list: &'static StoreList,
    root: &Path,
    journal: &Path,
    cache: &Cache,
) -> Option<(StoreName, RebuildReason)> {
    let aside = cache.private().ok()?; // what cannot be looked at says nothing
    let places = StorePlaces::new(root, list);
    let ask = |store| Some((store, cursor(&places, store, Beside::Copied(aside.root()))?));
    let cursors: Vec<_> = list.own().into_iter().filter_map(ask).collect();
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
