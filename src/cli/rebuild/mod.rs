//! `annals rebuild`: derived stores from nothing but the journal.

mod repos;

use serde::Serialize;

use super::{CliError, Context, Exit, Result, catch_up, counted, shown};
use crate::output::escape;
use crate::store::StoreName;
use crate::store::evidence::{BuiltStores, FoundStore, Verdict};
use crate::store::rebuild::{RebuildMode, StoreRebuild};
use crate::store::{JournalFeed, store_digest};
use repos::Named;

/// Rebuild the stores from the journal alone
///
/// A store is built beside the old one and swapped in. Where a program still has the old one open,
/// it is kept (exit code 4). codegraph.db is magellan's too: our rows in it are replaced where they
/// lie, and no other is touched. repo_memory is the files of repositories' memory below [repo] home:
/// those that were edited by hand are left (exit code 1) unless --discard is given. With --check a copy
/// can be compared too, without writing to it, and several, each by itself; of a bundle, what a rebuild
/// comes to is printed.
#[derive(clap::Args, Debug, Default)]
pub struct Args {
    /// execution_log, graph, index, memory, memory_calls, experiments, debug-memory or repo_memory
    /// [default: all]
    #[arg(value_name = "STORE", value_parser = Named::parse)]
    pub stores: Vec<Named>,
    /// Overwrite files of repositories' memory that were edited by hand, or are another journal's
    #[arg(long, conflicts_with = "check")]
    pub discard: bool,
    /// Change nothing: build, compare, and say whether a store differs (exit code 1)
    #[arg(long)]
    pub check: bool,
}

#[derive(Clone, Default, Serialize)]
struct Rebuilt {
    store: String,
    /// The folder, of what is several.
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<String>,
    events: u64,
    anomalies: u64,
    /// The old store's digest; `null` where it could not be read.
    before: Option<String>,
    /// The new one's; `null` of files.
    after: Option<String>,
    /// Whether both hold the same; `null` where the old one had not read equally far.
    same: Option<bool>,
    replaced: bool,
    problem: Option<String>,
    quarantined: Option<String>,
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit> {
    let is_named = args.stores.contains(&Named::RepoMemory);
    match args.check {
        false => context.must_write()?,
        true if is_named => context.must_be_now()?,
        true => {}
    }
    if args.check && context.sources()?.len() > 1 {
        return each(&args, context);
    }
    let done = one(&args, context)?;
    if !context.output.as_json_list(&done.rows(None))? {
        done.print(context)?;
    }
    done.exit(context)
}

fn each(args: &Args, context: &mut Context) -> Result<Exit> {
    let (mut rows, mut exit) = (Vec::new(), Exit::Fine);
    for path in context.take_named() {
        let place = shown(&path);
        context.ask_alone(path);
        let done = one(args, context)?;
        if context.output.is_json() {
            rows.extend(done.rows(Some(&place)));
        } else {
            context.output.line(format_args!("{place}:"))?;
            done.print(context)?;
        }
        exit = exit.worse(done.exit(context)?);
    }
    if context.output.is_json() {
        context.output.json_list(&rows)?;
    }
    Ok(exit)
}

fn one(args: &Args, context: &mut Context) -> Result<Done> {
    let all = args.stores.is_empty();
    let is_named = args.stores.contains(&Named::RepoMemory);
    let stores: Vec<StoreName> = args.stores.iter().filter_map(|named| named.store()).collect();
    let done = match args.check {
        _ if stores.is_empty() && !all => Done::default(),
        false => in_project(&stores, RebuildMode::Replace, context)?,
        true => check(&stores, context)?,
    };
    let folders = match (all || is_named) && is_live(context)? {
        true => repos::rebuild(args, is_named, context)?,
        false => Vec::new(),
    };
    Ok(Done { folders, ..done })
}

fn is_live(context: &Context) -> Result<bool> {
    let sources = context.sources()?;
    Ok(context.at.is_none() && sources.len() == 1 && sources[0].is_live(context.evidence))
}

#[derive(Default)]
struct Done {
    stores: Vec<Rebuilt>,
    differs: bool,
    folders: Vec<repos::Folder>,
    /// Why a store was not, where the others were.
    failed: Option<CliError>,
}

impl Done {
    fn rows(&self, place: Option<&str>) -> Vec<Rebuilt> {
        let path = place.map(str::to_owned);
        let of_place = |store: &Rebuilt| Rebuilt { path: path.clone(), ..store.clone() };
        let stores = self.stores.iter().map(of_place);
        stores.chain(self.folders.iter().map(|folder| folder.row.clone())).collect()
    }

    fn print(&self, context: &mut Context) -> Result<()> {
        for store in &self.stores {
            print(store, context)?;
        }
        for folder in &self.folders {
            folder.print(context)?;
        }
        Ok(())
    }

    /// How it ended, and what comes next.
    fn exit(self, context: &mut Context) -> Result<Exit> {
        if let Some(error) = self.failed {
            return Err(error);
        }
        if self.differs && !context.output.is_json() {
            let next = match context.sources()?.iter().any(|it| !it.is_live(context.evidence)) {
                true => "annals verify: what the journal says is what counts",
                false => "annals rebuild, to replace what differs",
            };
            context.output.line(format_args!("Next: {next}"))?;
        }
        let has_left = self.folders.iter().any(repos::Folder::differs);
        Ok(if self.differs || has_left { Exit::Findings } else { Exit::Fine })
    }
}

/// Compares, and changes nothing; of what may not be written, the stores that lie in it.
fn check(stores: &[StoreName], context: &mut Context) -> Result<Done> {
    let sources = context.sources()?;
    let [source] = sources.as_slice() else {
        return in_project(stores, RebuildMode::Check, context);
    };
    if source.is_live(context.evidence) {
        return in_project(stores, RebuildMode::Check, context);
    }
    let opened = catch_up::open(source, false, context)?;
    let Some(built) = opened.built.filter(|_| opened.at.is_none()) else {
        return in_project(stores, RebuildMode::Check, context);
    };
    if source.root.is_none() {
        return alone(stores, &built);
    }
    let mut found = crate::store::evidence::found_stores(
        source,
        crate::journal::Reading::Evidence,
        &built,
        &context.cache,
    )?;
    found.retain(|found| stores.is_empty() || stores.contains(&found.store));
    let differs = found.iter().any(|found| found.verdict.differs());
    let stores = found.into_iter().map(|found| compared(found, &built)).collect();
    Ok(Done { stores, differs, ..Done::default() })
}

/// Of a bundle or a lone segment, beside which no stores lie: what a rebuild comes to.
fn alone(asked: &[StoreName], built: &BuiltStores) -> Result<Done> {
    let mut stores = Vec::new();
    for store in built.places.list.stores.iter().copied() {
        let is_asked = asked.is_empty() || asked.contains(&store);
        if !is_asked || !built.places.path(store).exists() {
            continue;
        }
        stores.push(Rebuilt {
            store: store.to_string(),
            events: built.through.sequence.0,
            problem: Some("no store lies beside it".to_owned()),
            after: Some(store_digest(&built.places, store)?.to_string()),
            ..Rebuilt::default()
        });
    }
    Ok(Done { stores, ..Done::default() })
}

fn compared(found: FoundStore, built: &BuiltStores) -> Rebuilt {
    let (same, problem) = match &found.verdict {
        Verdict::Same => (Some(true), None),
        Verdict::Differs => (Some(false), None),
        other => (None, Some(other.to_string())),
    };
    Rebuilt {
        store: found.store.to_string(),
        events: found.sequence.unwrap_or(built.through.sequence).0,
        before: found.digest.map(|digest| digest.to_string()),
        after: Some(found.ours.to_string()),
        same,
        problem,
        ..Rebuilt::default()
    }
}

fn in_project(stores: &[StoreName], mode: RebuildMode, context: &Context) -> Result<Done> {
    let project = context.project()?;
    if mode == RebuildMode::Replace {
        project.must_contain_seen()?;
    }
    let feed = JournalFeed::asked(&project)?;
    let report = crate::store::rebuild::rebuild(
        &crate::stores::places(project.root()),
        &feed,
        stores,
        mode,
    )?;
    let differs = mode == RebuildMode::Check && report.differs();
    let failed = report.failed.map(CliError::from);
    let stores = report.stores.iter().map(rebuilt).collect();
    Ok(Done { stores, differs, failed, ..Done::default() })
}

fn print(store: &Rebuilt, context: &mut Context) -> Result<()> {
    let name = &store.store;
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
    let digest = store.after.as_deref().unwrap_or_default();
    context.output.line(format_args!("  digest: {digest}"))?;
    if store.anomalies > 0 {
        context.output.line(format_args!("  anomalies: {}, see annals status", store.anomalies))?;
    }
    if let Some(place) = &store.quarantined {
        context.output.line(format_args!("  the old one is {}", escape::line(place)))?;
    }
    Ok(())
}

fn rebuilt(store: &StoreRebuild) -> Rebuilt {
    Rebuilt {
        store: store.store.to_string(),
        path: None,
        events: store.events,
        anomalies: store.anomalies,
        before: store.before.map(|digest| digest.to_string()),
        after: Some(store.after.to_string()),
        same: store.same,
        replaced: store.replaced,
        problem: store.problem.clone(),
        quarantined: store.quarantined.as_ref().map(|path| path.to_string_lossy().into_owned()),
    }
}
