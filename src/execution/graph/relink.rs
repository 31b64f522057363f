//! Linking again what magellan indexed again: its rows are others then, and our edges went with the old ones.

use std::collections::BTreeSet;

use super::{Changed, CodeGraph, FileKey, Roots, last_part};
use crate::event::Sequence;
use crate::execution::query::Mentions;
use crate::store::catch_up::{
    Advance, Advanced, CatchUpError, CaughtUp, Feeding, RebuildReason, Standing, Starts, brought,
    standing,
};
use crate::store::{Cursor, Projector};

/// Feeds the graph where it stands, and links again what was indexed again.
pub(super) fn linked(live: Advance<'_>, graph: &mut CodeGraph) -> Result<Advanced, CatchUpError> {
    let mut done = match live.run(graph)? {
        Advanced::Done(done) => done,
        wrong => return Ok(wrong),
    };
    if graph.is_settled()? {
        return Ok(Advanced::Done(done));
    }
    Ok(match relink(graph, live.from)? {
        Some(linked) => {
            done.events += linked.events;
            Advanced::Done(done)
        }
        None => Advanced::Rebuild(RebuildReason::Reindexed),
    })
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
    let mentions = Mentions::open(places.index())?;
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
        let closed = brought(feed, &closed).unwrap_or(closed);
        let started = starts.take(feed, &closed)?;
        graph.link_again(&closed, started.as_deref(), &mentions.checks_at(at)?)?;
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
