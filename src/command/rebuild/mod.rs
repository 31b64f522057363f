//! Building stores anew from the journal: beside the old one, then in its place (R12).

mod build;
mod report;

use std::path::PathBuf;

use super::catch_up::{
    BATCH_EVENTS_MAX, CatchUpError, Standing, advance_built, catch_up_store, standing,
};
use super::feed::Feed;
use crate::event::Sequence;
use crate::journal::Mark;
use crate::store::execution_log::ExecutionLogReader;
use crate::store::index::IndexReader;
use crate::store::{Cursor, Digest, Rows, StoreError, StoreName, StorePlaces, Swap};

pub(super) use build::{Build, Built};
pub use report::{RebuildReport, StoreRebuild};

/// Whether a rebuilt store takes the old one's place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RebuildMode {
    /// Put it in the old one's place.
    Replace,
    /// Only compare the two.
    Check,
}

/// Builds stores anew, all of them where none is named, and replaces or compares the old ones.
///
/// Fails with a locked store while another program has it open: the old one is kept.
pub fn rebuild(
    places: &StorePlaces,
    feed: &dyn Feed,
    stores: &[StoreName],
    mode: RebuildMode,
) -> Result<RebuildReport, CatchUpError> {
    let named = |store: &&StoreName| stores.is_empty() || stores.contains(store);
    let mut report = RebuildReport::default();
    for store in StoreName::ALL.iter().filter(named) {
        if *store == StoreName::ExecutionLog {
            // Starts are looked up in it.
            catch_up_store(StoreName::Index, places, feed, BATCH_EVENTS_MAX)?;
        }
        report.stores.push(rebuild_store(*store, places, feed, mode)?);
    }
    Ok(report)
}

fn rebuild_store(
    store: StoreName,
    places: &StorePlaces,
    feed: &dyn Feed,
    mode: RebuildMode,
) -> Result<StoreRebuild, CatchUpError> {
    let old = Old::read(store, places, feed)?;
    // To be compared, both must have read equally far.
    let through = match (mode, old.mark()) {
        (RebuildMode::Check, Some(mark)) => mark,
        _ => feed.through(),
    };
    let built = Build { store, places, feed }.run(through, false)?;
    let new = built.digest()?;
    let comparable = old.mark().is_some_and(|mark| mark == through);
    let mut done = StoreRebuild {
        store,
        events: built.events,
        anomalies: built.anomalies,
        before: old.digest,
        problem: old.problem,
        after: new,
        same: old.digest.filter(|_| comparable).map(|digest| digest == new),
        replaced: false,
        quarantined: None,
    };
    match mode {
        RebuildMode::Check => built.discard()?,
        RebuildMode::Replace => {
            // Only what cannot be made again is kept.
            let keep = done.same != Some(true) && comparable;
            done.quarantined = replace(built, places, feed, keep)?;
            done.replaced = true;
        }
    }
    Ok(done)
}

/// Puts a built store in the old one's place, caught up with what came meanwhile.
pub(super) fn replace(
    built: Built,
    places: &StorePlaces,
    feed: &dyn Feed,
    keep_old: bool,
) -> Result<Option<PathBuf>, CatchUpError> {
    let store = built.store;
    let swap = Swap::begin(places.path(store), &places.quarantine)?;
    // Nobody of ours writes the old one now: what is in the journal by now is all it can have.
    let later = feed.reopened()?;
    if later.through() != built.through {
        let beside = built.places(places);
        advance_built(store, &beside, later.as_ref())?;
    }
    let kept = swap.finish(built.path(), keep_old)?;
    built.discard()?;
    Ok(kept)
}

/// The store as it was before.
struct Old {
    cursor: Option<Cursor>,
    digest: Option<Digest>,
    problem: Option<String>,
}

impl Old {
    /// Reads the old store's digest, and judges its cursor. One that cannot be read has neither.
    fn read(store: StoreName, places: &StorePlaces, feed: &dyn Feed) -> Result<Self, CatchUpError> {
        let path = places.path(store);
        let read: Result<_, StoreError> = match store {
            StoreName::Index => IndexReader::open(path).and_then(|index| index.digest()),
            StoreName::ExecutionLog => ExecutionLogReader::open(path).and_then(|log| log.digest()),
        };
        let (cursor, digest) = match read {
            Ok(read) => read,
            Err(error) if error.wants_rebuild() => {
                let problem = Some(error.to_string());
                return Ok(Self { cursor: None, digest: None, problem });
            }
            Err(error) => return Err(error.into()),
        };
        let rows = cursor.map_or(Rows::default(), |cursor| cursor.rows);
        Ok(match standing(cursor, rows, feed)? {
            Standing::Wrong(reason) => {
                Self { cursor: None, digest: Some(digest), problem: Some(reason.to_string()) }
            }
            Standing::Current | Standing::Behind(_) => {
                Self { cursor, digest: Some(digest), problem: None }
            }
        })
    }

    fn mark(&self) -> Option<Mark> {
        let position = self.cursor?.position;
        Some(Mark { sequence: Sequence(position.sequence), chain: position.chain })
    }
}
