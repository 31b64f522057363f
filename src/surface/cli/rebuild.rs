//! `annals rebuild`: derived stores from nothing but the journal.

use serde::Serialize;

use super::{CliError, Context, Exit, counted, shown};
use crate::command::rebuild::StoreRebuild;
use crate::command::{self, JournalFeed, RebuildMode, StoreName, StorePlaces};
use crate::surface::escape;

/// Rebuild derived stores from nothing but the journal
///
/// A store is built beside the old one and swapped in. Where a program still has the old one open,
/// it is kept (exit code 4). codegraph.db is magellan's too: our rows in it are replaced where they
/// lie, and no other is touched.
#[derive(clap::Args, Debug, Default)]
pub struct Args {
    /// execution_log, graph or index [default: all]
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
    let project = context.project()?;
    let mode = if args.check { RebuildMode::Check } else { RebuildMode::Replace };
    let feed = JournalFeed::of(&project)?;
    let report = command::rebuild(&StorePlaces::of(project.root()), &feed, &args.stores, mode)?;
    if context.output.is_json() {
        let list: Vec<Rebuilt> = report.stores.iter().map(rebuilt).collect();
        context.output.json_list(&list)?;
    } else {
        for store in &report.stores {
            print(store, context)?;
        }
    }
    let differs = args.check && report.differs();
    if differs && !context.output.is_json() {
        context.output.line("Next: annals rebuild, to replace what differs")?;
    }
    Ok(if differs { Exit::Findings } else { Exit::Fine })
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
