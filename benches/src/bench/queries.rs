//! Every question of the contract, at the size that it must still be answered at: a million
//! executions and 1.3 million edges. Warm, one after the other, the median of many.

use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

use annals::internal::execution::query::{
    Action, CodeGraph, LogFilter, QueryError, Reference, Stores,
};

use super::rebuild::fill;
use super::timeline;
use crate::BenchError;
use crate::harness::Spread;
use crate::request::Request;
use crate::workload::{self, HOT_CODE, HOT_PATH, HOT_SYMBOL, Linked};

/// What every question must be answered in.
const TARGET: Duration = Duration::from_millis(20);

/// A question: how many items it answers with.
pub type Question<'a> = Box<dyn Fn() -> Result<usize, QueryError> + 'a>;

pub fn run(request: &Request, out: &mut dyn Write) -> Result<(), BenchError> {
    let count = request.count.unwrap_or(1_000_000);
    let folder = request.folder()?;
    let project = folder.path().join("project");
    let executions = (0..count).map(workload::linked);
    fill(&project, executions.map(|one| (one.events(), one.at_ms)))?;
    let places = annals::internal::stores::places(&project);
    let asking = BenchError::program("opening the stores");
    let stores = Stores::open(&places).map_err(asking)?;
    let graph =
        CodeGraph::open(places.code_graph()).map_err(BenchError::program("opening the graph"))?;
    let printing = BenchError::io("printing");
    writeln!(out, "\nquestions at {count} executions, milliseconds").map_err(printing)?;
    let mut slow = 0;
    let rounds = request.rounds.max(5) * 4;
    for (name, ask) in questions(&stores, &graph, count) {
        slow += usize::from(!measure(name, &ask, rounds, TARGET, out)?);
    }
    let mut late = 0;
    for (name, ask) in timeline::questions(&stores, count)? {
        late += usize::from(!measure(&name, &ask, rounds, timeline::TARGET, out)?);
    }
    let size = |path: &Path| path.metadata().map_or(0, |about| about.len() >> 20);
    writeln!(
        out,
        "  slower than {} ms: {slow}, of the timeline than {} ms: {late}; index.db {} MiB, execution_log.db {} MiB, codegraph.db {} MiB",
        TARGET.as_millis(),
        timeline::TARGET.as_millis(),
        size(places.index()),
        size(places.execution_log()),
        size(places.code_graph())
    )
    .map_err(BenchError::io("printing"))
}

/// Prints a question's line; whether it was answered in time.
pub fn measure(
    name: &str,
    ask: &Question<'_>,
    rounds: usize,
    target: Duration,
    out: &mut dyn Write,
) -> Result<bool, BenchError> {
    let mut took = Vec::with_capacity(rounds);
    let mut items = 0;
    for round in 0..=rounds {
        let start = Instant::now();
        items = ask().map_err(BenchError::program("asking"))?;
        if round > 0 {
            took.push(start.elapsed().as_secs_f64() * 1e3);
        }
    }
    let Spread { min, median, max } = Spread::of(&took);
    writeln!(out, "  {name:<58} {median:>8.2}   {min:.2} … {max:.2}   {items} items")
        .map_err(BenchError::io("printing"))?;
    Ok(median <= target.as_secs_f64() * 1e3)
}

fn questions<'a>(
    stores: &'a Stores,
    graph: &'a CodeGraph,
    count: u64,
) -> Vec<(&'static str, Question<'a>)> {
    let now_ms = workload::linked(count).at_ms;
    let week = Duration::from_secs(7 * 24 * 3_600);
    let middle = workload::linked(count / 2);
    let failed = (0..count).rev().map(workload::linked).find(|one| !one.succeeded);
    let failed = failed.unwrap_or_else(|| middle.clone());
    let action = |one: &Linked| Action::with(one.tool, &one.arguments());
    let patch = Action::on("splice_patch", HOT_PATH);
    let (again, id, file) = (action(&failed), middle.id, HOT_PATH);
    let ordinal = Reference::Ordinal(count / 2);
    let middle_ms = middle.at_ms;
    vec![
        ("the last twenty", Box::new(|| Ok(stores.log(&LogFilter::default())?.executions.len()))),
        (
            "failed executions of a tool",
            Box::new(|| Ok(stores.failed_executions("splice_patch").fetch()?.items.len())),
        ),
        (
            "failed executions of a tool, a symbol, a file",
            Box::new(move || {
                let failed = stores.failed_executions("splice_patch");
                Ok(failed.with_symbol(HOT_SYMBOL).with_file(file).fetch()?.items.len())
            }),
        ),
        (
            "failed executions of a tool in the earlier half",
            Box::new(move || {
                let failed = stores.failed_executions("lsp_check");
                Ok(failed.before_timestamp(middle_ms).fetch()?.items.len())
            }),
        ),
        (
            "executions producing a diagnostic",
            Box::new(|| {
                let producing = stores.executions_producing_diagnostic(HOT_CODE);
                Ok(producing.after_timestamp(0).fetch()?.items.len())
            }),
        ),
        (
            "executions resolving a diagnostic",
            Box::new(|| {
                Ok(stores
                    .executions_resolving_error(HOT_CODE)
                    .with_success(true)
                    .fetch()?
                    .items
                    .len())
            }),
        ),
        (
            "successful resolutions for a code in a repository",
            Box::new(|| {
                let resolutions = stores.successful_resolutions_for_error(HOT_CODE);
                Ok(resolutions.in_repository("/work/repo").fetch()?.items.len())
            }),
        ),
        (
            "pattern match of an action, failure rate over 0.1",
            Box::new(move || {
                let pattern = stores.pattern_match(&patch);
                Ok(pattern.filter_failure_rate_threshold(0.1).fetch()?.items.len())
            }),
        ),
        (
            "has failed recently",
            Box::new(move || {
                let Ok(action) = &again else { return Ok(0) };
                Ok(usize::from(stores.has_failed_recently(action, week, now_ms)?))
            }),
        ),
        (
            "recurring diagnostics",
            Box::new(|| Ok(stores.recurring_diagnostics().fetch()?.items.len())),
        ),
        (
            "latest outcome for a file",
            Box::new(move || Ok(stores.latest_outcome_for_file(file)?.len())),
        ),
        (
            "chain affecting a symbol before a diagnostic",
            Box::new(|| {
                let chain = graph.execution_chain_affecting_symbol(HOT_SYMBOL);
                Ok(chain.before_diagnostic(HOT_CODE).fetch()?.items.len())
            }),
        ),
        (
            "chain of a file",
            Box::new(move || Ok(graph.execution_chain_of_file(file).fetch()?.items.len())),
        ),
        (
            "files touched by an execution",
            Box::new(move || Ok(graph.files_touched_by_execution(id)?.len())),
        ),
        (
            "everything around an execution",
            Box::new(move || {
                stores.around(&ordinal, 5)?;
                Ok(1)
            }),
        ),
    ]
}
