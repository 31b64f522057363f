//! How far each store is behind the journal, and what is wrong with it. Changes nothing.

use std::cell::OnceCell;
use std::path::{Path, PathBuf};
use std::{fs, io};

use super::catch_up::replay::lookup;
use super::catch_up::{Due, RebuildReason, Standing, has_all, standing};
use super::{Cursor, Digest, Feed, FeedError, Known, Lookup, Quarantined, Rows, StoreError, stamp};
use crate::event::Sequence;
use crate::fault::{Fault, Remedy};
use crate::journal::archive::Elsewhere;
use crate::journal::{JournalError, JournalReader, Reading, enclosure};
use crate::store::error::with_cause;
use crate::store::shared::Shared;
use crate::store::{StoreName, StorePlaces};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoreStatus {
    pub store: StoreName,
    pub path: PathBuf,
    /// The last event it has; `None` where it does not say.
    pub position: Option<Sequence>,
    /// Events it has not yet; `None` where it must be built anew.
    pub lag_events: Option<u64>,
    pub problem: Option<String>,
    /// What to do about that.
    pub remedy: Option<Remedy>,
}

/// How each store stands against the journal. One that is made with the first event that concerns it
/// is not told of before.
pub fn store_status(places: &StorePlaces, feed: &dyn Feed) -> Result<Vec<StoreStatus>, FeedError> {
    let index = Indexed { places, found: OnceCell::new() };
    let told = places.list.stores.iter().filter(|store| {
        // What cannot be looked at is told by opening it.
        store.concern().is_none() && !store.is_on_demand()
            || places.has(**store).unwrap_or(true)
            || !store.is_on_demand() && !matches!(index.due(**store), Some((Due::Nothing, _)))
    });
    told.map(|store| status(*store, &index, feed)).collect()
}

fn status(
    store: StoreName,
    index: &Indexed<'_>,
    feed: &dyn Feed,
) -> Result<StoreStatus, FeedError> {
    let places = index.places;
    let path = places.path(store).to_owned();
    let of = |position, lag_events, wrong: Option<(String, Option<Remedy>)>| {
        let (problem, remedy) = wrong.unzip();
        StoreStatus { store, path, position, lag_events, problem, remedy: remedy.flatten() }
    };
    if store.shared().is_some_and(|shared| !is_missed(store, shared, places)) {
        // None is made before there is anything for it.
        return Ok(of(None, Some(0), None));
    }
    if has_all(store, places, feed) {
        return Ok(of(Some(feed.through().sequence), Some(0), None));
    }
    let (cursor, found) = match store.open(places.path(store)).and_then(|reader| reader.stand()) {
        Ok(read) => read,
        Err(error) => return Ok(of(None, None, Some((with_cause(&error), error.sorted().1)))),
    };
    let position = cursor.map(|cursor| Sequence(cursor.position.sequence));
    if let Some(shared) = store.shared()
        && cursor.is_some()
        // What cannot be read was told before.
        && !shared.is_settled(places.path(store), false).unwrap_or(true)
    {
        let (problem, remedy) = shared.unsettled();
        return Ok(of(position, None, Some((problem.to_owned(), Some(remedy)))));
    }
    let (lag_events, wrong) = match standing_of(store, places, cursor, found, feed)? {
        Standing::Current => (Some(0), None),
        // It waits for who asks.
        Standing::Behind(_) if store.is_on_demand() => (Some(0), None),
        Standing::Behind(at) => {
            let has = match index.due(store) {
                Some((due, read)) if due.is_done(at) => at.max(read),
                _ => at,
            };
            (Some(feed.through().sequence.0.saturating_sub(has.0)), None)
        }
        Standing::Wrong(reason) if reason.is_evidence() && !store.is_on_demand() => {
            let kept = format!("{reason}: kept as evidence, untouched");
            (None, Some((kept, Some(Remedy::KeptAsEvidence))))
        }
        Standing::Wrong(reason) => (None, Some((reason.to_string(), Some(Remedy::Rebuild(None))))),
    };
    Ok(of(position, lag_events, wrong))
}

fn standing_of(
    store: StoreName,
    places: &StorePlaces,
    cursor: Option<Cursor>,
    found: Rows,
    feed: &dyn Feed,
) -> Result<Standing, FeedError> {
    Ok(match standing(cursor, found, feed)? {
        Standing::Current | Standing::Behind(_)
            if stamp::known(places.path(store)) == Some(Known::Differs) =>
        {
            Standing::Wrong(RebuildReason::ContentDiffers)
        }
        standing => standing,
    })
}

/// Whether it is there, or should be.
fn is_missed(store: StoreName, shared: &dyn Shared, places: &StorePlaces) -> bool {
    // What cannot be looked at is told by opening it.
    let is_there = places.has(store).unwrap_or(true);
    is_there && !places.is_empty(store) || shared.is_wanted(places).unwrap_or(true)
}

/// What the index says of all stores; it is opened for the first that asks.
struct Indexed<'a> {
    places: &'a StorePlaces,
    /// With the last event it has read. What is wrong with it is told as its own.
    found: OnceCell<Option<(Box<dyn Lookup>, Sequence)>>,
}

impl Indexed<'_> {
    /// What the journal has for a store that only some events concern, as far as the index has read;
    /// `None` where the index does not say.
    fn due(&self, store: StoreName) -> Option<(Due, Sequence)> {
        let open = || -> Result<(Box<dyn Lookup>, Sequence), StoreError> {
            let index = lookup(self.places)?;
            let read = index.cursor()?.map_or(0, |cursor| cursor.position.sequence);
            Ok((index, Sequence(read)))
        };
        let (index, read) = self.found.get_or_init(|| open().ok()).as_ref()?; // as said above
        Due::found(store, index.as_ref()).ok().map(|due| (due, *read)) // likewise
    }
}

#[derive(Debug)]
pub struct JournalHealth {
    pub path: PathBuf,
    /// Its id and its last event; the error is why it cannot be read.
    pub end: Result<([u8; 16], Sequence), JournalError>,
    pub segments: u64,
    /// Of the segments, the space filled ahead included.
    pub bytes: u64,
    /// Segments that lie in archives.
    pub archived: Elsewhere,
    pub quarantined: u64,
    pub quarantined_bytes: u64,
}

pub fn journal_health(folder: &Path, reading: Reading) -> io::Result<JournalHealth> {
    let reader = JournalReader::reading(folder, reading);
    let held = reader.as_ref().map_or(0, JournalReader::segments);
    let end = reader.map(|reader| (reader.id(), reader.mark().sequence));
    let (mut segments, mut bytes, mut cut) = (0, 0, Quarantined::default());
    let about = fs::metadata(folder)?;
    if about.is_file() {
        (segments, bytes) = (held, about.len());
    } else {
        for (name, _) in enclosure::names(folder)? {
            if Path::new(&name).extension().is_some_and(|extension| extension == "seg") {
                segments += 1;
                bytes += enclosure::look(&folder.join(name))?.bytes;
            }
        }
        // One that cannot be listed is told by whoever writes into it.
        cut = Quarantined::of(&folder.join("quarantine")).unwrap_or_default();
    }
    Ok(JournalHealth {
        path: folder.to_owned(),
        end,
        segments,
        bytes,
        archived: if about.is_dir() { Elsewhere::of(folder) } else { Elsewhere::default() },
        quarantined: cut.files + cut.evidence_files,
        quarantined_bytes: cut.bytes + cut.evidence_bytes,
    })
}

pub fn store_digest(places: &StorePlaces, store: StoreName) -> Result<Digest, StoreError> {
    let (_, digest) = store.open(places.path(store))?.digest()?;
    Ok(digest)
}
