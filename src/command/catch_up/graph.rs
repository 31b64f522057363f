//! Catching `codegraph.db` up. It is magellan's as well: never replaced, only ever our rows in it,
//! and whatever is wrong with it stops nothing else.

use super::relink::relink;
use super::{
    Advance, Advanced, CatchUpError, CaughtUp, Due, RebuildReason, catch_up_store, load,
    log_anomalies, replaceable,
};
use crate::command::feed::Feed;
use crate::command::rebuild::{Build, Site};
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
    if let Err(error) = &done
        && error.evidence().is_none()
    {
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
    if let Linked::Done(done) = linked(live, &mut projector)? {
        return Ok(done);
    }
    let _site = Site::take(places, STORE)?;
    // Who made its rows anew while this one waited has done the work.
    let reason = match linked(live, &mut projector)? {
        Linked::Done(done) => return Ok(done),
        Linked::Anew(reason) => reason,
    };
    drop(projector);
    // Where it stands it may be further than this feed: never back.
    let later = feed.reopened()?;
    catch_up_store(StoreName::Index, places, later.as_ref(), batch)?;
    let built = rebuild_in_place(places, later.as_ref())?;
    // Nothing was wrong with one that was only far behind.
    let rebuilt = (reason != RebuildReason::FarBehind).then_some(reason);
    Ok(CaughtUp { rebuilt, ..built })
}

enum Linked {
    Done(CaughtUp),
    Anew(RebuildReason),
}

/// Feeds the graph where it stands, and links again what was indexed again.
fn linked(live: Advance<'_>, projector: &mut CodeGraphProjector) -> Result<Linked, CatchUpError> {
    let done = match live.run(projector)? {
        Advanced::Done(done) => done,
        Advanced::Rebuild(reason) => return replaceable(STORE, reason).map(Linked::Anew),
    };
    if projector.store().is_settled()? {
        return Ok(Linked::Done(done));
    }
    Ok(match relink(projector, live.places, live.feed)? {
        Some(linked) => Linked::Done(CaughtUp { events: done.events + linked.events, ..done }),
        None => Linked::Anew(RebuildReason::Reindexed),
    })
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
