//! Stores that lie around a journal, held against what it says: in a copy they are never believed, in a
//! project it is how a repair knows what is due.

use std::fmt;
use std::path::PathBuf;

use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

use super::{BuiltStores, Cache, EvidenceError, evidence_stores};
use crate::event::{Sequence, wire};
use crate::journal::{Mark, Reading, Source};
use crate::store::catch_up::{CatchUpError, Due, Feeding, RebuildReason, Standing, standing};
use crate::store::{
    Cursor, Digest, Feed, JournalFeed, StillStore, StoreError, StoreName, StorePlaces, store_digest,
};

#[derive(Debug, Serialize)]
pub struct FoundStore {
    #[serde(serialize_with = "wire::text")]
    pub store: StoreName,
    #[serde(serialize_with = "wire::path")]
    pub path: PathBuf,
    /// The last event it has, by its own account.
    pub sequence: Option<Sequence>,
    #[serde(serialize_with = "wire::text_or_null")]
    pub digest: Option<Digest>,
    /// That of one built from the journal, up to where this one has read.
    #[serde(skip)]
    pub ours: Digest,
    #[serde(flatten)]
    pub verdict: Verdict,
}

#[derive(Debug)]
pub enum Verdict {
    /// It holds what the journal says, as far as it goes.
    Same,
    Differs,
    /// It is not of this journal's making.
    Wrong(RebuildReason),
    /// Another version of annals made it: nothing can be said of its rows.
    OutOfDate,
    Absent,
    Unreadable(StoreError),
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Same => f.write_str("holds what the journal says"),
            Self::Differs => f.write_str("DIFFERS from what the journal says"),
            Self::Wrong(reason) => write!(f, "not of this journal's making: {reason}"),
            Self::OutOfDate => {
                f.write_str("another version of annals made it: out of date, and not compared")
            }
            Self::Absent => f.write_str("none"),
            Self::Unreadable(error) => write!(f, "cannot be read: {error}"),
        }
    }
}

impl Verdict {
    /// Whether it says something other than the journal.
    pub fn differs(&self) -> bool {
        !matches!(self, Self::Same | Self::OutOfDate | Self::Absent)
    }
}

impl Serialize for Verdict {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let word = match self {
            Self::Same => "same",
            Self::Differs => "differs",
            Self::Wrong(_) => "wrong",
            Self::OutOfDate => "out-of-date",
            Self::Absent => "absent",
            Self::Unreadable(_) => "unreadable",
        };
        let mut told = to.serialize_struct("Verdict", 3)?;
        told.serialize_field("verdict", word)?;
        told.serialize_field("why", &self.to_string())?;
        told.serialize_field("differs", &self.differs())?;
        told.end()
    }
}

/// Holds every store that lies around a journal against one built from nothing but the journal,
/// up to where the found one has read. Changes nothing; `built` are the stores as the journal
/// stands. Live, others may write both meanwhile.
pub fn found_stores(
    source: &Source,
    reading: Reading,
    built: &BuiltStores,
    cache: &Cache,
) -> Result<Vec<FoundStore>, EvidenceError> {
    found_of(built.places.list.stores, source, reading, built, cache)
}

pub fn found_of(
    stores: &[StoreName],
    source: &Source,
    reading: Reading,
    built: &BuiltStores,
    cache: &Cache,
) -> Result<Vec<FoundStore>, EvidenceError> {
    let Some(places) = StorePlaces::of_source(source) else { return Ok(Vec::new()) };
    // What goes on is looked at again where a store is further.
    let feed = match reading {
        Reading::Live => JournalFeed::reading(&source.journal)?,
        Reading::Evidence => JournalFeed::pinned(&source.journal, reading)?,
    };
    let looking = Looking { places: &places, feed: &feed, reading, built, cache };
    // One that could not be built here has nothing to be compared with.
    let is_there = |store: &&StoreName| match store.is_on_demand() {
        true => places.has(**store).unwrap_or(true),
        false => built.places.path(**store).exists(),
    };
    let there = stores.iter().filter(is_there);
    there.map(|store| looking.found(*store)).collect()
}

pub(super) struct Looking<'a> {
    pub places: &'a StorePlaces,
    pub feed: &'a JournalFeed<'a>,
    pub reading: Reading,
    pub built: &'a BuiltStores,
    pub cache: &'a Cache,
}

impl Looking<'_> {
    fn found(&self, store: StoreName) -> Result<FoundStore, EvidenceError> {
        let Self { places, feed, reading, built, cache } = *self;
        let path = places.path(store).to_owned();
        let aside = cache.private()?;
        let whole = || match store.is_on_demand() {
            true => fresh_digest(self, store, built.through),
            false => Ok(store_digest(&built.places, store)?),
        };
        let read = match reading {
            Reading::Live => StillStore::read_in_use(store, places.path(store), aside.root()),
            Reading::Evidence => StillStore::read(store, places.path(store), aside.root()),
        };
        let of = |still: Option<&StillStore>, ours, verdict| FoundStore {
            store,
            path,
            sequence: still.and_then(|it| Some(Sequence(it.cursor?.position.sequence))),
            digest: still.map(|it| it.digest),
            ours,
            verdict,
        };
        let still = match read {
            Ok(still) => still,
            Err(StoreError::Missing { .. }) => return Ok(of(None, whole()?, Verdict::Absent)),
            Err(StoreError::OtherVersion { .. }) => {
                return Ok(of(None, whole()?, Verdict::OutOfDate));
            }
            Err(error) => return Ok(of(None, whole()?, Verdict::Unreadable(error))),
        };
        let sequence = still.cursor.map(|cursor| Sequence(cursor.position.sequence));
        let (ours, wrong) = match standing(still.cursor, still.found, feed)? {
            Standing::Wrong(reason) => (whole()?, Some(reason)),
            // Its rows lead to what no journal holds.
            Standing::Current | Standing::Behind(_) if store.is_shared() => {
                match shared_digest(self, store, still.cursor) {
                    Ok(ours) => (ours, None),
                    // One that somebody else made into something is no reason to say nothing.
                    Err(
                        EvidenceError::Store(error)
                        | EvidenceError::Build { source: CatchUpError::Store(error), .. },
                    ) => return Ok(of(Some(&still), whole()?, Verdict::Unreadable(error))),
                    Err(error) => return Err(error),
                }
            }
            Standing::Current | Standing::Behind(_) if store.is_on_demand() => {
                let through = still.cursor.map_or(built.through, of_cursor);
                (fresh_digest(self, store, through)?, None)
            }
            _ if self.lacks_nothing(store, sequence)? => (whole()?, None),
            Standing::Current | Standing::Behind(_) => {
                let then = evidence_stores(places.list, feed.dir(), reading, sequence, cache)?;
                match then.places.has(store)? {
                    true => (store_digest(&then.places, store)?, None),
                    // Nothing that it could be made of had been recorded by then.
                    false => (whole()?, Some(RebuildReason::Unfounded)),
                }
            }
        };
        let verdict = match wrong {
            Some(reason) => Verdict::Wrong(reason),
            None if ours == still.digest && still.is_whole => Verdict::Same,
            None => Verdict::Differs,
        };
        Ok(of(Some(&still), ours, verdict))
    }

    /// Whether a store that has read so far should hold just what the built one does.
    fn lacks_nothing(&self, store: StoreName, at: Option<Sequence>) -> Result<bool, StoreError> {
        let (at, through) = (at.unwrap_or_default(), self.built.through.sequence);
        Ok(at == through || at < through && Due::of(store, &self.built.places)?.is_done(at))
    }
}

fn of_cursor(Cursor { position, .. }: Cursor) -> Mark {
    Mark { sequence: Sequence(position.sequence), chain: position.chain }
}

/// The digest of a store that is made on demand, made as far as one has read.
fn fresh_digest(
    looking: &Looking<'_>,
    store: StoreName,
    through: Mark,
) -> Result<Digest, EvidenceError> {
    let aside = looking.cache.private()?;
    let places = StorePlaces::new(aside.root(), looking.places.list);
    let (beside, _index) = beside(looking, places, through)?;
    let failed = |source| EvidenceError::Build { store, source };
    let made = Feeding::of(&beside, looking.feed).build(store, through).map_err(failed)?;
    Ok(made.digest()?)
}

/// The digest that our rows in a shared store should have, as far as it has read, by the journal and by what
/// else it holds. One in a copy is copied into the cache first: opening it where it lies would change it.
fn shared_digest(
    looking: &Looking<'_>,
    store: StoreName,
    cursor: Option<Cursor>,
) -> Result<Digest, EvidenceError> {
    let Looking { places, feed, reading, cache, .. } = *looking;
    let aside = cache.private()?;
    let mut beside = StorePlaces::new(aside.root(), places.list);
    match reading {
        Reading::Live => beside = beside.with(store, places.path(store)),
        Reading::Evidence => StillStore::copy(places.path(store), beside.path(store))?,
    }
    let through = match cursor {
        Some(cursor) => of_cursor(cursor),
        None => feed.through(),
    };
    let (beside, _index) = self::beside(looking, beside, through)?;
    let failed = |source| EvidenceError::Build { store, source };
    let made = Feeding::of(&beside, feed).build(store, through).map_err(failed)?;
    Ok(made.digest()?)
}

/// The places of what is built beside a store, with an index that has read as far; it is there as long as what
/// comes second.
fn beside(
    looking: &Looking<'_>,
    mut beside: StorePlaces,
    through: Mark,
) -> Result<(StorePlaces, Option<BuiltStores>), EvidenceError> {
    let Looking { places, feed, reading, built, cache } = *looking;
    beside.root.clone_from(&places.root);
    // Others may have fed it since the stores were built.
    let later = match through.sequence > built.through.sequence {
        true => Some(evidence_stores(places.list, feed.dir(), reading, None, cache)?),
        false => None,
    };
    if let Some(index) = places.list.stores.first() {
        beside = beside.with(*index, later.as_ref().unwrap_or(built).places.index());
    }
    Ok((beside, later))
}
