//! Stores that lie in a copy, held against what the journal says. They are never believed.

use std::fmt;
use std::path::PathBuf;

use super::graph::graph_digest;
use super::{BuiltStores, Cache, EvidenceError, evidence_stores};
use crate::command::catch_up::{RebuildReason, Standing, standing};
use crate::command::feed::JournalFeed;
use crate::command::{CatchUpError, Source, store_digest};
use crate::event::Sequence;
use crate::journal::Reading;
use crate::store::{Digest, StillStore, StoreError, StoreName, StorePlaces};

/// A store that lies in a copy.
#[derive(Debug)]
pub struct FoundStore {
    pub store: StoreName,
    pub path: PathBuf,
    /// The last event it has, by its own account.
    pub sequence: Option<Sequence>,
    pub digest: Option<Digest>,
    /// That of one built from the journal, up to where this one has read.
    pub ours: Digest,
    pub verdict: Verdict,
}

/// What a store in a copy is worth.
#[derive(Debug)]
pub enum Verdict {
    /// It holds what the journal says, as far as it goes.
    Same,
    /// It holds something else.
    Differs,
    /// It is not of this journal's making.
    Wrong(RebuildReason),
    /// There is none.
    Absent,
    /// It cannot be read.
    Unreadable(StoreError),
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Same => f.write_str("holds what the journal says"),
            Self::Differs => f.write_str("DIFFERS from what the journal says"),
            Self::Wrong(reason) => write!(f, "not of this journal's making: {reason}"),
            Self::Absent => f.write_str("none"),
            Self::Unreadable(error) => write!(f, "cannot be read: {error}"),
        }
    }
}

impl Verdict {
    /// In a word, for machines.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Same => "same",
            Self::Differs => "differs",
            Self::Wrong(_) => "wrong",
            Self::Absent => "absent",
            Self::Unreadable(_) => "unreadable",
        }
    }

    /// Whether it says something other than the journal.
    pub fn differs(&self) -> bool {
        !matches!(self, Self::Same | Self::Absent)
    }
}

/// Holds every store that lies around a journal against one built from nothing but the journal,
/// up to where the found one has read. Changes nothing; `built` are the stores as the journal
/// stands.
///
/// # Errors
/// Where the journal cannot be read, or no store can be built.
pub fn found_stores(
    source: &Source,
    built: &BuiltStores,
    cache: &Cache,
) -> Result<Vec<FoundStore>, EvidenceError> {
    let Some(places) = source.places() else { return Ok(Vec::new()) };
    let feed = JournalFeed::pinned(&source.journal, Reading::Evidence)?;
    // One that could not be built here has nothing to be compared with.
    let there = StoreName::ALL.iter().filter(|store| built.places.path(**store).exists());
    there.map(|store| found(*store, &places, &feed, built, cache)).collect()
}

fn found(
    store: StoreName,
    places: &StorePlaces,
    feed: &JournalFeed<'_>,
    built: &BuiltStores,
    cache: &Cache,
) -> Result<FoundStore, EvidenceError> {
    let path = places.path(store).to_owned();
    let aside = cache.private()?;
    let whole = || store_digest(&built.places, store);
    let still = match StillStore::read(store, &path, aside.root()) {
        Ok(still) => still,
        Err(error) => {
            let verdict = match error {
                StoreError::Missing { .. } => Verdict::Absent,
                error => Verdict::Unreadable(error),
            };
            let ours = whole()?;
            return Ok(FoundStore { store, path, sequence: None, digest: None, ours, verdict });
        }
    };
    let sequence = still.cursor.map(|cursor| Sequence(cursor.position.sequence));
    let (ours, wrong) = match standing(still.cursor, still.found, feed)? {
        Standing::Wrong(reason) => (whole()?, Some(reason)),
        // Its edges lead into the code's own graph, which no journal holds.
        Standing::Current | Standing::Behind(_) if store == StoreName::CodeGraph => {
            match graph_digest(places, still.cursor, feed, built, cache) {
                Ok(ours) => (ours, None),
                // A graph that somebody else made into something is no reason to say nothing.
                Err(
                    EvidenceError::Store(error)
                    | EvidenceError::Build { source: CatchUpError::Store(error), .. },
                ) => {
                    let (digest, ours) = (Some(still.digest), whole()?);
                    let verdict = Verdict::Unreadable(error);
                    return Ok(FoundStore { store, path, sequence, digest, ours, verdict });
                }
                Err(error) => return Err(error),
            }
        }
        Standing::Current => (whole()?, None),
        Standing::Behind(at) => {
            let then = evidence_stores(feed.dir(), Reading::Evidence, Some(at), cache)?;
            match then.places.has(store)? {
                true => (store_digest(&then.places, store)?, None),
                // Nothing that it could be made of had been recorded by then.
                false => (whole()?, Some(RebuildReason::Unfounded)),
            }
        }
    };
    let verdict = match wrong {
        Some(reason) => Verdict::Wrong(reason),
        None if ours == still.digest => Verdict::Same,
        None => Verdict::Differs,
    };
    Ok(FoundStore { store, path, sequence, digest: Some(still.digest), ours, verdict })
}
