//! Catching `codegraph.db` up. It is magellan's as well: never replaced, only ever our rows in it,
//! and whatever is wrong with it stops nothing else.

use super::relink::relink;
use super::{Advance, Advanced, CatchUpError, CaughtUp, Due, RebuildReason, load, log_anomalies};
use crate::command::feed::Feed;
use crate::command::rebuild::Build;
use crate::projector::{Anomaly, AnomalyKind, CodeGraphProjector};
use crate::store::index::IndexReader;
use crate::store::{CodeGraph, StoreError, StoreName, StorePlaces};

const STORE: StoreName = StoreName::CodeGraph;

/// Catches the graph up. One that cannot be written lags, which `errors.jsonl` says too.
pub fn catch_up_graph(
    places: &StorePlaces,
    feed: &dyn Feed,
    batch: u64,
) -> Result<CaughtUp, CatchUpError> {
    let done = caught_up(places, feed, batch);
    if let Err(error) = &done {
        let sequence = feed.through().sequence;
        let message = format!("what is up to {sequence} is not all in the graph: {error}");
        let kind = AnomalyKind::NotWritten;
        let lag = Anomaly { sequence, kind, execution: None, message };
        // The lag itself is told; a log that cannot be written changes nothing about it.
        drop(log_anomalies(&places.errors, STORE.as_str(), &[lag]));
    }
    done
}

fn caught_up(places: &StorePlaces, feed: &dyn Feed, batch: u64) -> Result<CaughtUp, CatchUpError> {
    if !places.has(STORE)? {
        if !is_wanted(places)? {
            return Ok(CaughtUp::default());
        }
        if let Some(done) = make_graph(places, feed)? {
            return Ok(CaughtUp { rebuilt: Some(RebuildReason::Missing), ..done });
        }
    }
    let mut projector = CodeGraphProjector::new(CodeGraph::open(&places.code_graph, &places.root)?);
    let due = Due::Everything;
    let live = Advance { store: STORE, places, feed, batch, may_build: true, due };
    let mut advanced = live.run(&mut projector)?;
    if let Advanced::Rebuild(RebuildReason::Ahead) = advanced {
        // Another process may have gone on since we looked.
        let later = feed.reopened()?;
        let feed = later.as_ref();
        advanced = Advance { feed, may_build: false, ..live }.run(&mut projector)?;
    }
    let reason = match advanced {
        Advanced::Done(done) if projector.store().is_settled()? => return Ok(done),
        Advanced::Done(done) => match relink(&mut projector, places, feed)? {
            Some(linked) => return Ok(CaughtUp { events: done.events + linked.events, ..done }),
            None => RebuildReason::Reindexed,
        },
        Advanced::Rebuild(reason) => reason,
    };
    drop(projector);
    let built = rebuild_in_place(places, feed)?;
    // Nothing was wrong with one that was only far behind.
    let rebuilt = (reason != RebuildReason::FarBehind).then_some(reason);
    Ok(CaughtUp { rebuilt, ..built })
}

/// Whether there is an execution that a graph would hold: before that none is made.
pub fn is_wanted(places: &StorePlaces) -> Result<bool, StoreError> {
    Ok(IndexReader::open(&places.index)?.found_rows()?.others > 0)
}

/// Makes a graph where there is none; `None` where somebody else has made one meanwhile.
pub fn make_graph(places: &StorePlaces, feed: &dyn Feed) -> Result<Option<CaughtUp>, CatchUpError> {
    let built = Build { store: STORE, places, feed }.run(feed.through())?;
    let (events, anomalies) = (built.events, built.anomalies);
    let done = CaughtUp { events, anomalies, ..CaughtUp::default() };
    Ok(built.publish(&places.code_graph)?.then_some(done))
}

/// Takes our rows out of the graph and puts them in anew, in one transaction.
pub fn rebuild_in_place(places: &StorePlaces, feed: &dyn Feed) -> Result<CaughtUp, CatchUpError> {
    let mut projector =
        CodeGraphProjector::anew(CodeGraph::open(&places.code_graph, &places.root)?);
    Ok(load(&mut projector, STORE, places, feed, feed.through())?.0)
}
