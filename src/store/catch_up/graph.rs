//! Catching `codegraph.db` up. It is magellan's as well: never replaced, only ever our rows in it,
//! and whatever is wrong with it stops nothing else.

use std::time::Duration;

use super::relink::relink;
use super::{
    Advance, Advanced, CatchUpError, CaughtUp, Due, RebuildReason, catch_up_store, load,
    log_anomalies, replaceable,
};
use crate::execution::graph::CodeGraph;
use crate::execution::graph_fold::CodeGraphProjector;
use crate::execution::index::IndexReader;
use crate::store::rebuild::{Build, Site};
use crate::store::{Anomaly, AnomalyKind, Feed, StoreError};
use crate::stores::{StoreName, StorePlaces};

const STORE: StoreName = StoreName::CodeGraph;
/// How long one of ours waits for another that writes the graph: it catches up with what this one would.
const TURN_MAX: Duration = Duration::from_secs(2);

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
    if (!places.has(STORE)? || places.is_empty(STORE)) && !is_wanted(places)? {
        return Ok(CaughtUp::default());
    }
    // One of ours writes it at a time: whoever else holds it then is another program.
    let turn = match Site::take_within(places, STORE, TURN_MAX) {
        Err(error) if error.is_locked() => return Ok(CaughtUp::default()),
        turn => turn?,
    };
    let _turn = match places.has(STORE)? {
        true => turn,
        false => {
            if let Some(done) = make_graph(turn, places, feed)? {
                return Ok(CaughtUp { rebuilt: Some(RebuildReason::Missing), ..done });
            }
            Site::take(places, STORE)?
        }
    };
    let was_empty = places.is_empty(STORE);
    let mut projector = CodeGraphProjector::new(CodeGraph::open(&places.code_graph, &places.root)?);
    let due = Due::Everything;
    let live = Advance { store: STORE, places, feed, batch, may_build: true, due };
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
    let reason = if was_empty { RebuildReason::Empty } else { reason };
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
        Advanced::Rebuild(reason) => {
            return replaceable(STORE, reason, live.places).map(Linked::Anew);
        }
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
pub fn make_graph(
    turn: Site,
    places: &StorePlaces,
    feed: &dyn Feed,
) -> Result<Option<CaughtUp>, CatchUpError> {
    let built = Build { store: STORE, places, feed }.run_at(turn, feed.through())?;
    let (events, anomalies) = (built.events, built.anomalies);
    let done = CaughtUp { events, anomalies, ..CaughtUp::default() };
    Ok(built.publish(&places.code_graph)?.then_some(done))
}

/// Takes our rows out of the graph and puts them in anew, in one transaction; the caller has the turn.
pub fn rebuild_in_place(places: &StorePlaces, feed: &dyn Feed) -> Result<CaughtUp, CatchUpError> {
    let mut projector =
        CodeGraphProjector::anew(CodeGraph::open(&places.code_graph, &places.root)?);
    Ok(load(&mut projector, STORE, places, feed, feed.through())?.0)
}
