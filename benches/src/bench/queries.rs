//! Every question of the contract, at the size that it must still be answered at: a million
//! executions and 1.3 million edges. Cold, and warm, one after the other.

use std::io::Write;
use std::path::Path;
use std::time::Duration;

use annals::internal::execution::query::{Action, CodeGraph, LogFilter, Reference, Stores};

use super::rebuild::fill;
use super::timeline;
use crate::BenchError;
use crate::harness::{Asking, Family, Question};
use crate::request::Request;
use crate::workload::{self, HOT_CODE, HOT_PATH, HOT_SYMBOL, Linked};

/// What every question must be answered in, milliseconds.
const TARGET_MS: f64 = 20.0;

/// The stores that are asked, and how many executions they hold.
pub struct Opened {
    pub stores: Stores,
    pub graph: CodeGraph,
    pub count: u64,
}

pub fn run(request: &Request, out: &mut dyn Write) -> Result<(), BenchError> {
    let count = request.count_or(1_000_000);
    let folder = request.folder()?;
    let project = folder.path().join("project");
    let executions = (0..count).map(workload::linked);
    fill(&project, executions.map(|one| (one.events(), one.at_ms)))?;
    let places = annals::internal::stores::places(&project);
    let stores = [places.index(), places.execution_log(), places.code_graph()];
    let open = || {
        let stores = Stores::open(&places).map_err(BenchError::program("opening the stores"))?;
        let graph = CodeGraph::open(places.code_graph());
        let graph = graph.map_err(BenchError::program("opening the graph"))?;
        Ok(Opened { stores, graph, count })
    };
    let mut family = Family {
        what: &format!("questions at {count} executions"),
        limit_ms: Some(TARGET_MS),
        files: stores.map(Path::to_owned).into(),
        cold: 3,
        warm: 200,
    };
    family.run(&open, questions, out)?;
    let title = format!("the timeline's questions at {count} executions");
    (family.what, family.limit_ms) = (&title, Some(timeline::TARGET_MS));
    family.run(&open, timeline::questions, out)?;
    let size = |path: &Path| path.metadata().map_or(0, |about| about.len() >> 20);
    let [index, log, graph] = stores.map(size);
    writeln!(out, "  index.db {index} MiB, execution_log.db {log} MiB, codegraph.db {graph} MiB")
        .map_err(BenchError::io("printing"))
}

fn questions(opened: &Opened) -> Result<Vec<Asking<'_>>, BenchError> {
    let Opened { stores, graph, count } = opened;
    let count = *count;
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
    let all: Vec<(&str, Question<'_>)> = vec![
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
    ];
    Ok(all.into_iter().map(|(name, ask)| Asking::new(name, ask)).collect())
}
