//! What stores have read of their journal: a witness of an end that it has lost.
//!
//! A cursor is read before the journal is: others may go on meanwhile, and then it is the journal that has more.

use std::path::Path;

use crate::event::Sequence;
use crate::journal::{JournalReader, LockFile, Reading, Seen};
use crate::store::catch_up::{RebuildReason, Standing, standing};
use crate::store::evidence::Cache;
use crate::store::{Beside, Cursor, JournalFeed, StillStore};
use crate::stores::{StoreName, StorePlaces};

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
