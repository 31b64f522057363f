//! How far each store is behind the journal, and what is wrong with it. Changes nothing.

use std::error::Error;
use std::path::PathBuf;

use crate::event::Sequence;
use crate::execution::graph::CodeGraphReader;
use crate::execution::index::IndexReader;
use crate::store::catch_up::{Due, RebuildReason, Standing, is_wanted, standing};
use crate::store::{Concern, Cursor, Feed, FeedError, Known, Rows, StoreError, stamp};
use crate::stores::{StoreName, StorePlaces};

/// How one store stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoreStatus {
    pub store: StoreName,
    pub path: PathBuf,
    /// The last event it has; `None` where it does not say.
    pub position: Option<Sequence>,
    /// Events it has not yet; `None` where it must be built anew.
    pub lag_events: Option<u64>,
    /// What is wrong with it, and what to do about it.
    pub problem: Option<String>,
}

/// How each store stands against the journal. One that is made with the first event that concerns it
/// is not told of before.
pub fn store_status(places: &StorePlaces, feed: &dyn Feed) -> Result<Vec<StoreStatus>, FeedError> {
    let told = StoreName::ALL.iter().filter(|store| {
        // What cannot be looked at is told by opening it.
        store.concern() == Concern::Everything
            || places.has(**store).unwrap_or(true)
            || !matches!(due(**store, places), Some((Due::Nothing, _)))
    });
    told.map(|store| status(*store, places, feed)).collect()
}

fn status(
    store: StoreName,
    places: &StorePlaces,
    feed: &dyn Feed,
) -> Result<StoreStatus, FeedError> {
    let path = places.path(store).to_owned();
    if store == StoreName::CodeGraph && !is_missed(places) {
        // None is made before there is an execution for it.
        let (position, lag_events, problem) = (None, Some(0), None);
        return Ok(StoreStatus { store, path, position, lag_events, problem });
    }
    let (cursor, found) = match read(store, places) {
        Ok(read) => read,
        Err(error) => {
            let problem = Some(told(&error));
            return Ok(StoreStatus { store, path, position: None, lag_events: None, problem });
        }
    };
    if store == StoreName::CodeGraph && cursor.is_some() && !is_settled(places) {
        let position = cursor.map(|cursor| Sequence(cursor.position.sequence));
        let problem = Some("the code was indexed again: annals rebuild graph links it".to_owned());
        return Ok(StoreStatus { store, path, position, lag_events: None, problem });
    }
    let position = cursor.map(|cursor| Sequence(cursor.position.sequence));
    let (lag_events, problem) = match standing_of(store, places, cursor, found, feed)? {
        Standing::Current => (Some(0), None),
        Standing::Behind(at) => {
            let has = match due(store, places) {
                Some((due, read)) if due.is_done(at) => at.max(read),
                _ => at,
            };
            (Some(feed.through().sequence.0.saturating_sub(has.0)), None)
        }
        Standing::Wrong(reason) if reason.is_evidence() => {
            let kept = "kept as evidence, untouched; `annals salvage --from-store . NEW-FILE` saves what \
                        only it has, `annals repair` sets it aside and builds it anew, or says what \
                        must come first";
            (None, Some(format!("{reason}: {kept}")))
        }
        Standing::Wrong(reason) => {
            (None, Some(format!("{reason}: `annals rebuild` makes it anew from the journal")))
        }
    };
    Ok(StoreStatus { store, path, position, lag_events, problem })
}

/// Where a store stands, by all that is known of it.
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

/// Whether the graph is there, or should be.
fn is_missed(places: &StorePlaces) -> bool {
    // What cannot be looked at is told by opening it.
    let is_there = places.has(StoreName::CodeGraph).unwrap_or(true);
    is_there && !places.is_empty(StoreName::CodeGraph) || is_wanted(places).unwrap_or(true)
}

/// Whether the graph's edges lead to what is there now.
fn is_settled(places: &StorePlaces) -> bool {
    let settled = CodeGraphReader::open(&places.code_graph).and_then(|graph| graph.is_settled());
    // What cannot be read was told before.
    settled.unwrap_or(true)
}

fn read(store: StoreName, places: &StorePlaces) -> Result<(Option<Cursor>, Rows), StoreError> {
    store.open(places.path(store))?.stand()
}

/// What the journal has for a store that only some events concern, as far as the index has read;
/// `None` where the index does not say.
fn due(store: StoreName, places: &StorePlaces) -> Option<(Due, Sequence)> {
    let read = || -> Result<(Due, Sequence), StoreError> {
        let index = IndexReader::open(&places.index)?;
        let read = index.cursor()?.map_or(0, |cursor| cursor.position.sequence);
        Ok((Due::by(index.operations()?, store), Sequence(read)))
    };
    // What is wrong with the index is told as its own.
    read().ok()
}

/// An error with what caused it: only the cause says what to do.
fn told(error: &StoreError) -> String {
    match error.source() {
        Some(source) => format!("{error}: {source}"),
        None => error.to_string(),
    }
}
