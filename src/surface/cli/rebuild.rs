//! `annals rebuild`: derived stores from nothing but the journal.

use serde::Serialize;

use super::{CliError, Context, Exit, counted, feed, shown};
use crate::command::rebuild::StoreRebuild;
use crate::command::{
    self, BuiltStores, FoundStore, JournalFeed, RebuildMode, StoreName, StorePlaces, Verdict,
};
use crate::surface::escape;

/// Rebuild derived stores from nothing but the journal
///
/// A store is built beside the old one and swapped in. Where a program still has the old one open,
/// it is kept (exit code 4). codegraph.db is magellan's too: our rows in it are replaced where they
/// lie, and no other is touched. With --check a copy can be compared too, without writing to it.
#[derive(clap::Args, Debug, Default)]
pub struct Args {
    /// execution_log, graph, index, memory, memory_calls or experiments [default: all]
    #[arg(value_name = "STORE", value_parser = store)]
    pub stores: Vec<StoreName>,
    /// Change nothing: build, compare, and say whether a store differs (exit code 1)
    #[arg(long)]
    pub check: bool,
}

/// One store, as `--json` prints it.
#[derive(Serialize)]
struct Rebuilt {
    store: String,
    events: u64,
    anomalies: u64,
    /// The old store's digest; `null` where it could not be read.
    before: Option<String>,
    after: String,
    /// Whether both hold the same; `null` where the old one had not read equally far.
    same: Option<bool>,
    replaced: bool,
    /// What was wrong with the old store.
    problem: Option<String>,
    quarantined: Option<String>,
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit, CliError> {
    let Done { stores: list, differs, failed } = match args.check {
        false => in_project(&args.stores, RebuildMode::Replace, context)?,
        true => check(&args.stores, context)?,
    };
    if context.output.is_json() {
        let list: Vec<Rebuilt> = list.iter().map(rebuilt).collect();
        context.output.json_list(&list)?;
    } else {
        for store in &list {
            print(store, context)?;
        }
    }
    if let Some(error) = failed {
        return Err(error);
    }
    if differs && !context.output.is_json() {
        let next = match context.sources()?.iter().any(|it| !it.is_live(context.evidence)) {
            true => "annals verify: what the journal says is what counts",
            false => "annals rebuild, to replace what differs",
        };
        context.output.line(format_args!("Next: {next}"))?;
    }
    Ok(if differs { Exit::Findings } else { Exit::Fine })
}

/// What was done, or compared.
struct Done {
    stores: Vec<StoreRebuild>,
    differs: bool,
    /// Why a store was not, where the others were.
    failed: Option<CliError>,
}

/// Compares, and changes nothing; of what may not be written, the stores that lie in it.
fn check(stores: &[StoreName], context: &mut Context) -> Result<Done, CliError> {
    let sources = context.sources()?;
    let [source] = sources.as_slice() else {
        return in_project(stores, RebuildMode::Check, context);
    };
    if source.is_live(context.evidence) {
        return in_project(stores, RebuildMode::Check, context);
    }
    let opened = feed::open(source, false, context)?;
    let Some(built) = opened.built.filter(|_| opened.at.is_none()) else {
        return in_project(stores, RebuildMode::Check, context);
    };
    let mut found = command::found_stores(source, &built, &context.cache)?;
    found.retain(|found| stores.is_empty() || stores.contains(&found.store));
    let differs = found.iter().any(|found| found.verdict.differs());
    let stores = found.into_iter().map(|found| compared(found, &built)).collect();
    Ok(Done { stores, differs, failed: None })
}

fn compared(found: FoundStore, built: &BuiltStores) -> StoreRebuild {
    let (same, problem) = match &found.verdict {
        Verdict::Same => (Some(true), None),
        Verdict::Differs => (Some(false), None),
        other => (None, Some(other.to_string())),
    };
    StoreRebuild {
        store: found.store,
        events: found.sequence.unwrap_or(built.through.sequence).0,
        anomalies: 0,
        before: found.digest,
        problem,
        after: found.ours,
        same,
        replaced: false,
        quarantined: None,
    }
}

fn in_project(
    stores: &[StoreName],
    mode: RebuildMode,
    context: &Context,
) -> Result<Done, CliError> {
    let project = context.project()?;
    let feed = JournalFeed::asked(&project)?;
    let report = command::rebuild(&StorePlaces::of(project.root()), &feed, stores, mode)?;
    let differs = mode == RebuildMode::Check && report.differs();
    Ok(Done { stores: report.stores, differs, failed: report.failed.map(CliError::from) })
}

fn print(store: &StoreRebuild, context: &mut Context) -> Result<(), CliError> {
    let name = store.store;
    let verdict = match (store.same, store.replaced) {
        (Some(true), true) => "rebuilt: nothing differs",
        (Some(true), false) => "nothing differs",
        (Some(false), true) => "rebuilt: the old one differed",
        (Some(false), false) => "DIFFERS from what the journal says",
        (None, true) => "rebuilt",
        (None, false) => "cannot be compared",
    };
    context.output.line(format_args!("{name}: {verdict} ({})", counted(store.events, "event")))?;
    if let Some(problem) = &store.problem {
        context.output.line(format_args!("  before: {}", escape::line(problem)))?;
    }
    context.output.line(format_args!("  digest: {}", store.after))?;
    if store.anomalies > 0 {
        context.output.line(format_args!("  anomalies: {}, see annals status", store.anomalies))?;
    }
    if let Some(place) = &store.quarantined {
        context.output.line(format_args!("  the old one is {}", shown(place)))?;
    }
    Ok(())
}

fn rebuilt(store: &StoreRebuild) -> Rebuilt {
    Rebuilt {
        store: store.store.to_string(),
        events: store.events,
        anomalies: store.anomalies,
        before: store.before.map(|digest| digest.to_string()),
        after: store.after.to_string(),
        same: store.same,
        replaced: store.replaced,
        problem: store.problem.clone(),
        quarantined: store.quarantined.as_ref().map(|path| path.to_string_lossy().into_owned()),
    }
}

fn store(name: &str) -> Result<StoreName, String> {
    let names: Vec<&str> = StoreName::ALL.iter().map(|store| store.as_str()).collect();
    StoreName::parse(name).ok_or_else(|| format!("stores are {}", names.join(" and ")))
}
