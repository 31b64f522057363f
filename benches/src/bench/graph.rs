//! The graph's rows from nothing: the journal replayed against the best bulk load of the same
//! rows, which has them in memory, knows every id and reads nothing. Then both of the contract's
//! stores, one after the other and side by side.

use std::io::Write;
use std::time::Duration;

use super::rebuild::{fill, rebuilt, remove};
use crate::BenchError;
use crate::floor::{Indexes, bulk_graph, make_durable};
use crate::harness::{Contest, Watched, timed};
use crate::request::Request;
use crate::workload::{self, Linked};

pub fn run(request: &Request, out: &mut dyn Write) -> Result<(), BenchError> {
    let count = request.count_or(200_000);
    let folder = request.folder()?;
    let project = folder.path().join("project");
    let executions: Vec<Linked> = (0..count).map(workload::linked).collect();
    fill(&project, executions.iter().map(|one| (one.events(), one.at_ms)))?;
    let fresh = || tempfile::tempdir_in(&folder).map_err(BenchError::io("making a folder"));
    let (entities, edges) =
        bulk_graph(&folder.path().join("count.db"), &executions, Indexes::Last)?;
    let title = format!("rebuild codegraph.db ({entities} entities, {edges} edges)");
    let mut peak_bytes = 0;
    let mut contest = Contest::new(title, (entities + edges) as f64, "rows");
    contest.enter("floor: bulk load from memory, flushed", || {
        let dir = fresh()?;
        let path = dir.path().join("codegraph.db");
        timed(|| bulk_graph(&path, &executions, Indexes::Last).and_then(|_| make_durable(&path)))
    });
    contest.enter("annals: replay, fold, load, digest; no file before", || {
        remove(&project, &["codegraph.db"])?;
        let watched = rebuilt(&project, "graph")?;
        peak_bytes = watched.peak_bytes.max(peak_bytes);
        Ok(watched.took)
    });
    contest.aim(0.9);
    contest.enter("annals: in place, in one transaction", || took(rebuilt(&project, "graph")));
    contest.enter("bulk load from memory, indexes there", || {
        let dir = fresh()?;
        let path = dir.path().join("codegraph.db");
        timed(|| bulk_graph(&path, &executions, Indexes::First).and_then(|_| make_durable(&path)))
    });
    contest.run(request.rounds, out)?;
    drop(contest);
    writeln!(out, "  peak memory: {} MiB", peak_bytes >> 20).map_err(BenchError::io("printing"))?;

    let mut contest = Contest::new("execution_log.db and codegraph.db", count as f64, "executions");
    for (name, stores) in [("one after the other", "one-after-the-other"), ("side by side", "both")]
    {
        let project = &project;
        contest.enter(name, move || {
            remove(project, &["codegraph.db", "execution_log.db"])?;
            took(rebuilt(project, stores))
        });
    }
    contest.aim(1.3);
    contest.run(request.rounds, out).map(drop)
}

fn took(watched: Result<Watched, BenchError>) -> Result<Duration, BenchError> {
    watched.map(|watched| watched.took)
}
