//! Catching `codegraph.db` up. It is magellan's as well: never replaced, only ever our rows in it,
//! and whatever is wrong with it stops nothing else.

use std::collections::BTreeSet;
use std::time::Duration;

use super::{
    Advance, Advanced, CatchUpError, CaughtUp, Due, Feeding, RebuildReason, Standing, Starts,
    log_anomalies, replaceable, standing,
};
use crate::event::Sequence;
use crate::execution::graph::{Changed, CodeGraph, FileKey, Roots, last_part};
use crate::execution::index::IndexReader;
use crate::execution::query::Mentions;
use crate::store::rebuild::Site;
use crate::store::{Anomaly, AnomalyKind, Cursor, Projector, StoreError, StoreName, StorePlaces};

const STORE: StoreName = StoreName::CodeGraph;
/// How long one of ours waits for another that writes the graph: it catches up with what this one would.
const TURN_MAX: Duration = Duration::from_secs(2);

impl Feeding<'_> {
    /// Catches the graph up. One that cannot be written lags, which `errors.jsonl` says too.
    pub(super) fn graph(&self) -> Result<CaughtUp, CatchUpError> {
        let done = self.graph_caught_up();
        if let Err(error) = &done
            && error.evidence().is_none()
        {
            let sequence = self.feed.through().sequence;
            let message = format!("what is up to {sequence} is not all in the graph: {error}");
            let kind = AnomalyKind::NotWritten;
            let lag = Anomaly { sequence, kind, execution: None, message };
            // The lag itself is told; a log that cannot be written changes nothing about it.
            drop(log_anomalies(&self.places.errors, STORE.as_str(), &[lag]));
        }
        done
    }

    fn graph_caught_up(&self) -> Result<CaughtUp, CatchUpError> {
        let places = self.places;
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
                if let Some(done) = self.make_graph(turn)? {
                    return Ok(CaughtUp { rebuilt: Some(RebuildReason::Missing), ..done });
                }
                Site::take(places, STORE)?
            }
        };
        let was_empty = places.is_empty(STORE);
        let mut graph = CodeGraph::open(&places.code_graph, &places.root)?;
        let live = Advance { store: STORE, from: *self, may_build: true, due: Due::Everything };
        let reason = match linked(live, &mut graph)? {
            Advanced::Done(done) => return Ok(done),
            Advanced::Rebuild(reason) => reason,
        };
        drop(graph);
        // Where it stands it may be further than this feed: never back.
        let later = self.feed.reopened()?;
        let later = self.later(later.as_ref());
        later.index()?;
        let built = later.graph_in_place()?;
        // Nothing was wrong with one that was only far behind.
        let reason = if was_empty { RebuildReason::Empty } else { reason };
        let rebuilt = (reason != RebuildReason::FarBehind).then_some(reason);
        Ok(CaughtUp { rebuilt, ..built })
    }

    /// Makes a graph where there is none; `None` where somebody else has made one meanwhile.
    pub fn make_graph(&self, turn: Site) -> Result<Option<CaughtUp>, CatchUpError> {
        let mut built = self.build_at(turn, self.feed.through())?;
        // What is lost the index has met.
        let done = CaughtUp { lost: 0, ..std::mem::take(&mut built.done) };
        Ok(built.publish(&self.places.code_graph)?.then_some(done))
    }

    /// Takes our rows out of the graph and puts them in anew, in one transaction; the caller has the turn.
    pub fn graph_in_place(&self) -> Result<CaughtUp, CatchUpError> {
        let graph = CodeGraph::open(&self.places.code_graph, &self.places.root)?;
        Ok(self.load(&mut graph.anew(), STORE, self.feed.through())?.0)
    }
}

/// Feeds the graph where it stands, and links again what was indexed again.
fn linked(live: Advance<'_>, graph: &mut CodeGraph) -> Result<Advanced, CatchUpError> {
    let done = match live.run(graph)? {
        Advanced::Done(done) => done,
        Advanced::Rebuild(reason) => {
            return replaceable(STORE, reason, live.from.places).map(Advanced::Rebuild);
        }
    };
    if graph.is_settled()? {
        return Ok(Advanced::Done(done));
    }
    Ok(match relink(graph, live.from)? {
        Some(linked) => Advanced::Done(CaughtUp { events: done.events + linked.events, ..done }),
        None => Advanced::Rebuild(RebuildReason::Reindexed),
    })
}

/// Whether there is an execution that a graph would hold: before that none is made.
pub fn is_wanted(places: &StorePlaces) -> Result<bool, StoreError> {
    Ok(IndexReader::open(&places.index)?.found_rows()?.others > 0)
}

/// So many executions are linked again one by one; of more, only an eighth of all there are: beyond
/// that a rebuild takes less time.
const FEW_MAX: usize = 512;
const SHARE_MIN: u64 = 8;

/// Links again what changed under a graph that is otherwise current; `None` where building its rows
/// anew is the better way, or the only one.
fn relink(graph: &mut CodeGraph, from: Feeding<'_>) -> Result<Option<CaughtUp>, CatchUpError> {
    graph.begin()?;
    let relinked = relink_all(graph, from);
    match relinked {
        Ok(Some((cursor, done))) => {
            graph.commit_linked(cursor.position, true)?;
            Ok(Some(done))
        }
        other => {
            // The error that ended it, if one did, is what to tell.
            drop(graph.rollback());
            Ok(other?.map(|(_, done)| done))
        }
    }
}

fn relink_all(
    graph: &mut CodeGraph,
    from: Feeding<'_>,
) -> Result<Option<(Cursor, CaughtUp)>, CatchUpError> {
    let Feeding { places, feed, .. } = from;
    let (cursor, rows) = (graph.cursor()?, graph.found_rows()?);
    let Some(cursor) = cursor else { return Ok(None) };
    if let Standing::Wrong(_) = standing(Some(cursor), rows, feed)? {
        return Ok(None);
    }
    let changed = graph.changed()?;
    let mentions = Mentions::open(&places.index)?;
    let executions = mentioning(&changed, graph, &mentions)?;
    let many =
        executions.len() > FEW_MAX && executions.len() as u64 > mentions.count()? / SHARE_MIN;
    if many {
        return Ok(None);
    }
    let mut closings = BTreeSet::new();
    for execution in executions {
        closings.extend(mentions.closing(execution)?);
    }
    let through = Sequence(cursor.position.sequence);
    if through > feed.through().sequence {
        // Others fed it: the index has what they had of it.
        from.later(feed.reopened()?.as_ref()).index()?;
    }
    let mut starts = Starts::through_index(places, through)?;
    let mut done = CaughtUp::default();
    // In the order in which they were applied, as a rebuild makes the edges.
    for at in closings.into_iter().filter(|at| *at <= through) {
        // What is lost meanwhile keeps the edges that it has.
        let Some(closed) = feed.get(at)? else { continue };
        let started = starts.take(feed, &closed)?;
        graph.link_again(&closed, started.as_ref(), &mentions.checks_at(at)?)?;
        done.events += 1;
    }
    graph.settle_stubs()?;
    Ok(Some((cursor, done)))
}

/// Every execution whose edges may be others now.
fn mentioning(
    changed: &Changed,
    graph: &mut CodeGraph,
    mentions: &Mentions,
) -> Result<BTreeSet<u64>, CatchUpError> {
    let last_names: BTreeSet<&str> =
        changed.files.iter().map(|file| last_name(file.as_str())).collect();
    let is_named = |path: &str| last_names.contains(last_name(path));
    let roots: Roots = graph.roots().clone();
    let keys: BTreeSet<&FileKey> = changed.files.iter().collect();
    let is_meant = |path: &str, cwd: Option<&str>| keys.contains(&roots.key(path, cwd));
    let mut executions = mentions.of_paths(is_named, is_meant)?;
    let symbols: BTreeSet<&str> = changed.symbols.iter().map(String::as_str).collect();
    if !symbols.is_empty() {
        executions.extend(mentions.of_symbols(|symbol| symbols.contains(last_part(symbol)))?);
    }
    if !last_names.is_empty() {
        // A check of a folder leads to the files that it found fault with.
        for name in graph.executions_diagnosing(is_named)? {
            let id = name.rsplit(':').next().unwrap_or_default();
            executions.extend(mentions.of_id(id)?);
        }
    }
    let mut found: Vec<u64> = executions.iter().copied().collect();
    while let Some(execution) = found.pop() {
        if let Some(correction) = mentions.correction(execution)?
            && executions.insert(correction)
        {
            found.push(correction);
        }
    }
    Ok(executions)
}

fn last_name(path: &str) -> &str {
    path.trim_end_matches('/').rsplit('/').next().unwrap_or_default()
}
