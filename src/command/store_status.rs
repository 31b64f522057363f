//! How far each store is behind the journal, and what is wrong with it. Changes nothing.

use std::error::Error;
use std::path::PathBuf;

use super::catch_up::{Standing, is_there, is_wanted, standing};
use super::feed::{Feed, FeedError};
use crate::event::Sequence;
use crate::store::code_graph::CodeGraphReader;
use crate::store::execution_log::ExecutionLogReader;
use crate::store::index::IndexReader;
use crate::store::{Cursor, Rows, StoreError, StoreName, StorePlaces};

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

/// How each store stands against the journal.
pub fn store_status(places: &StorePlaces, feed: &dyn Feed) -> Result<Vec<StoreStatus>, FeedError> {
    StoreName::ALL.iter().map(|store| status(*store, places, feed)).collect()
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
    let (lag_events, problem) = match standing(cursor, found, feed)? {
        Standing::Current => (Some(0), None),
        Standing::Behind(at) => (Some(feed.through().sequence.0 - at.0), None),
        Standing::Wrong(reason) => {
            (None, Some(format!("{reason}: `annals rebuild` makes it anew from the journal")))
        }
    };
    Ok(StoreStatus { store, path, position, lag_events, problem })
}

/// Whether the graph is there, or should be.
fn is_missed(places: &StorePlaces) -> bool {
    // What cannot be looked at is told by opening it.
    is_there(places).unwrap_or(true) || is_wanted(places).unwrap_or(true)
}

/// Whether the graph's edges lead to what is there now.
fn is_settled(places: &StorePlaces) -> bool {
    let settled = CodeGraphReader::open(&places.code_graph).and_then(|graph| graph.is_settled());
    // What cannot be read was told before.
    settled.unwrap_or(true)
}

fn read(store: StoreName, places: &StorePlaces) -> Result<(Option<Cursor>, Rows), StoreError> {
    match store {
        StoreName::Index => {
            let index = IndexReader::open(&places.index)?;
            Ok((index.cursor()?, index.found_rows()?))
        }
        StoreName::ExecutionLog => {
            let log = ExecutionLogReader::open(&places.execution_log)?;
            Ok((log.cursor()?, log.found_rows()?))
        }
        StoreName::CodeGraph => {
            let graph = CodeGraphReader::open(&places.code_graph)?;
            Ok((graph.cursor()?, graph.found_rows()?))
        }
    }
}

/// An error with what caused it: only the cause says what to do.
fn told(error: &StoreError) -> String {
    match error.source() {
        Some(source) => format!("{error}: {source}"),
        None => error.to_string(),
    }
}
