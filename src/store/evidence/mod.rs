//! Asking a journal that may not be written, or as it once stood: its stores are built from
//! nothing but the journal into the user's cache, and no byte of the source is changed.

mod cache;
mod comparison;
mod entry;
mod error;
mod fingerprint;
mod standing;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::catch_up::{CatchUpReport, Feeding, Tap, catch_up};
use super::feed::{Budget, Step};
use super::{Feed, JournalFeed, StoreList};
use crate::event::{Body, Sequence};
use crate::journal::{Mark, Reading};
use crate::store::{StoreName, StorePlaces};
pub(crate) use entry::Entry;

pub use cache::Cache;
pub use comparison::{FoundStore, Verdict, found_of, found_stores};
pub use error::EvidenceError;
use standing::{Standing, current};

/// Which stores somebody asks: no others are made for them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Wants {
    #[default]
    All,
    /// Those that a question about executions is answered from.
    Executions,
    Index,
}

impl Wants {
    fn takes(self, store: StoreName, list: &StoreList) -> bool {
        match self {
            Self::All => !store.is_on_demand(),
            Self::Executions => store.is_needed(),
            Self::Index => list.is_index(store),
        }
    }
}

/// The stores of a journal as it stands, or as it stood just after an event: those in the cache, or
/// new ones.
pub fn evidence_stores(
    list: &'static StoreList,
    journal: &Path,
    reading: Reading,
    at: Option<Sequence>,
    cache: &Cache,
) -> Result<BuiltStores, EvidenceError> {
    wanted_stores(list, (journal, reading), at, Wants::All, cache, None)
}

/// As [`evidence_stores`], of those alone that are asked. Who asks others makes them beside these. What `tap` gives
/// is taken for the journal where all of that was read meanwhile, and holds.
pub fn wanted_stores(
    list: &'static StoreList,
    (journal, reading): (&Path, Reading),
    at: Option<Sequence>,
    wants: Wants,
    cache: &Cache,
    mut tap: Option<Tap>,
) -> Result<BuiltStores, EvidenceError> {
    let feed = match at {
        None => JournalFeed::pinned(journal, reading)?,
        Some(at) => JournalFeed::cut(journal, reading, at)?,
    };
    let whole = reading == Reading::Evidence;
    let read = fingerprint::of(journal, feed.through().sequence, whole)
        .map_err(|source| EvidenceError::Io { path: journal.to_owned(), doing: "read", source })?;
    let name = cache.name(&feed, &read);
    let mut is_name_free = true;
    if let Some(entry) = cache.find(&name) {
        let there = places(&entry, list, &feed);
        match current(&there, &feed, wants) {
            Standing::Current(lag) => return Ok(built(entry, list, &feed, (lag, false))),
            // Who asked before wanted less.
            Standing::Lacking => {
                drop(tap.take()); // nobody is to wait until it is taken
                let made = made((&entry, &there), (journal, reading), &feed, wants, None);
                if let Ok(lag) = made {
                    return Ok(built(entry, list, &feed, lag));
                }
            }
            Standing::Wrong => {}
        }
        // Of another making, or damaged: it only costs building it again, beside where others read them.
        is_name_free = entry.remove();
    }
    let tried = tap.map(|tap| anew((journal, reading), list, &feed, wants, cache, Some(&tap)));
    let (entry, lag) = match tried {
        Some(made @ (Ok(_) | Err(EvidenceError::TooLarge { .. }))) => made?,
        Some(Err(_)) | None => anew((journal, reading), list, &feed, wants, cache, None)?,
    };
    if !is_name_free {
        return Ok(built(entry, list, &feed, lag));
    }
    let entry = cache.keep(entry, &name);
    // Who was there first may have wanted less.
    let there = places(&entry, list, &feed);
    let lag = match current(&there, &feed, wants) {
        Standing::Lacking => made((&entry, &there), (journal, reading), &feed, wants, None)?,
        _ => lag,
    };
    Ok(built(entry, list, &feed, lag))
}

/// Makes what is wanted in a folder of its own.
fn anew(
    of: (&Path, Reading),
    list: &'static StoreList,
    feed: &JournalFeed<'_>,
    wants: Wants,
    cache: &Cache,
    tap: Option<&Tap>,
) -> Result<(Entry, Lag), EvidenceError> {
    let entry = cache.private()?;
    let lag = made((&entry, &places(&entry, list, feed)), of, feed, wants, tap)?;
    Ok((entry, lag))
}

/// Why a store lags that questions can do without, and whether losses were met.
type Lag = (Option<String>, bool);

/// Makes what is wanted and not there; why one lags, and whether losses were met.
fn made(
    (entry, places): (&Entry, &StorePlaces),
    (journal, reading): (&Path, Reading),
    feed: &JournalFeed<'_>,
    wants: Wants,
    tap: Option<&Tap>,
) -> Result<Lag, EvidenceError> {
    let is_wanted = |store: &StoreName| wants.takes(*store, places.list);
    if reading == Reading::Live {
        return lag(Feeding::of(places, feed).all(is_wanted));
    }
    let bytes = fingerprint::bytes(journal);
    let budget = Arc::new(Budget::of(entry.root(), bytes));
    let feed = &feed.within(&budget);
    let made = lag(Feeding { tap, ..Feeding::of(places, feed) }.all(is_wanted));
    if budget.is_over() {
        let (path, bytes_max) = (journal.to_owned(), budget.bytes_max);
        return Err(EvidenceError::TooLarge { path, bytes, bytes_max });
    }
    made
}

/// The stores of a journal as it stands, for who asks again and again while it grows: those of before are caught up, as a
/// project's own are, since built anew they cost all of the journal after each event.
pub fn growing_stores(
    list: &'static StoreList,
    journal: &Path,
    cache: &Cache,
) -> Result<BuiltStores, EvidenceError> {
    let feed = JournalFeed::pinned(journal, Reading::Live)?;
    let read = fingerprint::of(journal, feed.through().sequence, false)
        .map_err(|source| EvidenceError::Io { path: journal.to_owned(), doing: "read", source })?;
    let name = cache.name(&feed, &read);
    if cache.find(&name).is_none()
        && let Some(entry) = cache.earlier(&feed)
    {
        let grown = places(&entry, list, &feed);
        if let Ok(lag) = lag(catch_up(&grown, &feed))
            && matches!(current(&grown, &feed, Wants::All), Standing::Current(_))
        {
            return Ok(built(cache.keep(entry, &name), list, &feed, lag));
        }
        entry.remove();
    }
    evidence_stores(list, journal, Reading::Live, None, cache)
}

/// The event that was the last before a moment, Unix milliseconds.
pub fn sequence_before(
    journal: &Path,
    reading: Reading,
    time_ms: u64,
) -> Result<Sequence, EvidenceError> {
    Ok(JournalFeed::pinned(journal, reading)?.before_time(time_ms)?)
}

fn built(
    entry: Entry,
    list: &'static StoreList,
    feed: &JournalFeed<'_>,
    (lag, met_losses): Lag,
) -> BuiltStores {
    let places = places(&entry, list, feed);
    let (journal, through) = (feed.journal(), feed.through());
    BuiltStores { journal, through, places, lag, met_losses, entry }
}

/// The stores of an entry; paths are told from where the journal was recorded.
fn places(entry: &Entry, list: &'static StoreList, feed: &JournalFeed<'_>) -> StorePlaces {
    let mut places = StorePlaces::new(entry.root(), list);
    if let Some(root) = recorded(feed) {
        places.root = root;
    }
    places
}

/// Why a store lags that queries can do without, and whether losses were met; the error of one that they
/// cannot do without.
fn lag(report: CatchUpReport) -> Result<Lag, EvidenceError> {
    let (mut lag, met_losses) = (None, report.met_losses());
    for store in report.stores {
        match store.outcome {
            Ok(_) => {}
            Err(source) if store.store.is_needed() => {
                return Err(EvidenceError::Build { store: store.store, source });
            }
            Err(source) => lag = Some(format!("{}: {source}", store.store)),
        }
    }
    Ok((lag, met_losses))
}

// The folder that a journal was recorded in: a copy lies elsewhere, and its paths are told from
// there.

const EVENTS_MAX: u64 = 1_000;

/// The project's root on the machine where the journal was recorded, as its first event says; where
/// that is lost (a later segment alone), the first working folder.
fn recorded(feed: &dyn Feed) -> Option<PathBuf> {
    let through = Sequence(feed.through().sequence.0.min(EVENTS_MAX));
    // What cannot be read tells no folder.
    for step in feed.replay(Sequence(0), through).ok()?.map_while(Result::ok) {
        let Step::Event(recorded) = step else { continue };
        let folder = match &recorded.event.body {
            Body::JournalCreated(created) => Some(&created.root),
            Body::SessionStarted(session) => session.cwd.as_ref(),
            Body::ExecutionStarted(started) => started.cwd.as_ref(),
            _ => None,
        };
        if let Some(folder) = folder.filter(|folder| folder.starts_with('/')) {
            return Some(PathBuf::from(folder));
        }
    }
    None
}

/// Stores built from a journal, in the cache; kept from being cleared away while this is held.
#[derive(Debug)]
pub struct BuiltStores {
    pub journal: [u8; 16],
    pub through: Mark,
    pub places: StorePlaces,
    /// Why a store is not there that queries can do without.
    pub lag: Option<String>,
    /// Events that they were to be made of are lost, as building them met.
    pub met_losses: bool,
    entry: Entry,
}

impl BuiltStores {
    pub fn is_private(&self) -> bool {
        self.entry.is_private()
    }
}
