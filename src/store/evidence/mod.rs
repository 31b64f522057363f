//! Asking a journal that may not be written, or as it once stood: its stores are built from
//! nothing but the journal into the user's cache, and no byte of the source is changed.

mod budget;
mod built;
mod cache;
mod entry;
mod error;
mod fingerprint;
mod found;
mod graph;
mod own;
mod prune;
mod root;
#[cfg(test)]
mod tests;

use std::path::Path;

use crate::event::Sequence;
use crate::journal::Reading;
use crate::store::catch_up::{CatchUpReport, catch_up};
use crate::store::{Feed, JournalFeed, StoreStatus, store_status};
use crate::stores::{StoreName, StorePlaces};
use budget::Budget;
use entry::Entry;

pub use built::BuiltStores;
pub use cache::Cache;
pub use error::EvidenceError;
pub use found::{FoundStore, Verdict, found_of, found_stores};
pub(crate) use own::{own_file, own_folder};

/// The stores of a journal as it stands, or as it stood just after an event: those in the cache, or
/// new ones.
///
/// # Errors
/// Where the journal cannot be read, or the stores can be built nowhere.
pub fn evidence_stores(
    journal: &Path,
    reading: Reading,
    at: Option<Sequence>,
    cache: &Cache,
) -> Result<BuiltStores, EvidenceError> {
    let feed = match at {
        None => JournalFeed::pinned(journal, reading)?,
        Some(at) => JournalFeed::cut(journal, reading, at)?,
    };
    let whole = reading == Reading::Evidence;
    let read = fingerprint::of(journal, feed.through().sequence, whole)
        .map_err(|source| EvidenceError::Io { path: journal.to_owned(), doing: "read", source })?;
    let name = cache.name(&feed, &read);
    if let Some(entry) = cache.find(&name) {
        if let Some(lag) = current(&entry, &feed) {
            return Ok(built(entry, &feed, (lag, false)));
        }
        // Of another making, or damaged: it only costs building it again.
        entry.remove();
    }
    let entry = cache.begin()?;
    let graph = match reading {
        Reading::Live => lag(catch_up(&places(&entry, &feed), &feed))?,
        Reading::Evidence => {
            let bytes = fingerprint::bytes(journal);
            let budget = Budget::of(&feed, entry.root(), bytes);
            let graph = lag(catch_up(&places(&entry, &feed), &budget));
            if budget.is_over() {
                let (path, bytes_max) = (journal.to_owned(), budget.bytes_max);
                return Err(EvidenceError::TooLarge { path, bytes, bytes_max });
            }
            graph?
        }
    };
    Ok(built(cache.keep(entry, &name), &feed, graph))
}

/// The event that was the last before a moment, Unix milliseconds.
///
/// # Errors
/// Where the journal cannot be read.
pub fn sequence_before(
    journal: &Path,
    reading: Reading,
    time_ms: u64,
) -> Result<Sequence, EvidenceError> {
    Ok(JournalFeed::pinned(journal, reading)?.before_time(time_ms)?)
}

fn built(
    entry: Entry,
    feed: &JournalFeed<'_>,
    (lag, met_losses): (Option<String>, bool),
) -> BuiltStores {
    let places = places(&entry, feed);
    let (journal, through) = (feed.journal(), feed.through());
    BuiltStores { journal, through, places, lag, met_losses, entry }
}

/// The stores of an entry; paths are told from where the journal was recorded.
fn places(entry: &Entry, feed: &JournalFeed<'_>) -> StorePlaces {
    let mut places = StorePlaces::of(entry.root());
    if let Some(root) = root::recorded(feed) {
        places.root = root;
    }
    places
}

/// Whether everything is there that is needed: then why something else is not, if it is not.
fn current(entry: &Entry, feed: &JournalFeed<'_>) -> Option<Option<String>> {
    // What cannot be judged is built again.
    let mut stores = store_status(&places(entry, feed), feed).ok()?;
    stores.retain(|store| store.lag_events != Some(0) || store.problem.is_some());
    // A graph depends on more than the journal: one that could not be made is not tried again.
    if stores.iter().any(|store| store.store != StoreName::CodeGraph) {
        return None;
    }
    let why =
        |store: StoreStatus| format!("{}: {}", store.store, store.problem.unwrap_or_default());
    Some(stores.into_iter().map(why).next_back())
}

/// Why a store lags that queries can do without, and whether losses were met; the error of one that they
/// cannot do without.
fn lag(report: CatchUpReport) -> Result<(Option<String>, bool), EvidenceError> {
    let (mut lag, met_losses) = (None, report.met_losses());
    for store in report.stores {
        match store.outcome {
            Ok(_) => {}
            Err(source) if is_needed(store.store) => {
                return Err(EvidenceError::Build { store: store.store, source });
            }
            Err(source) => lag = Some(format!("{}: {source}", store.store)),
        }
    }
    Ok((lag, met_losses))
}

/// Whether nothing can be asked without it.
fn is_needed(store: StoreName) -> bool {
    matches!(store, StoreName::Index | StoreName::ExecutionLog)
}
