//! Catches the stores up, and says where one lags.

use std::path::Path;

use super::journals::Opened;
use super::{Context, Result, damage, journals, recorded, unfinished, with_causes};
use crate::event::{RepoHash, Sequence};
use crate::execution::AskedStores;
use crate::execution::query::Stores;
use crate::execution::sweep_dead_owners;
use crate::fault::{Class, Fault};
use crate::journal::{Project, ProjectError, Reading, Source};
use crate::output::escape;
use crate::output::remedy;
use crate::repo::files::{FolderReport, Publish, REPO_MEMORY, publish_repos};
use crate::repo::index_fold::REPOS;
use crate::store::catch_up::{CaughtUp, RebuildReason, catch_up_on_demand};
use crate::store::evidence::{BuiltStores, Wants, wanted_stores};
use crate::store::look::Depth;
use crate::store::{FeedError, JournalFeed};
use crate::stores::{STORES, StoreName};

/// Feeds the stores what the journal has. A lag is told and changes nothing: what was recorded
/// stands, and the next command tries again.
pub fn catch_up(project: &Project, context: &mut Context) {
    keep_up(project, true, context);
}

/// As [`catch_up`], of who records and asks nothing: stores are left behind until somebody asks them, or
/// until they are so far behind that every recording reads much of the journal.
pub fn keep_up(project: &Project, stores_are_due: bool, context: &mut Context) {
    damage::note_project(project, context);
    unfinished::end(project, context);
    let swept = sweep_dead_owners(project);
    recorded::losses(project, context);
    if let Err(error) = swept {
        let why = with_causes(&error);
        context.output.note(format_args!("a killed run is still listed as open: {why}"));
        if error.sorted().0 == Class::Locked {
            context.journal_is_held = true;
            context.output.note("the stores were not caught up either");
            return;
        }
    }
    if stores_are_due {
        feed_stores(project, JournalFeed::of(project), None, context);
    }
}

/// As [`catch_up`], after something was recorded about a repository: where its files were left as they
/// are, that is told.
pub fn catch_up_repo(project: &Project, repo: RepoHash, context: &mut Context) {
    feed_stores(project, JournalFeed::of(project), Some(repo), context);
}

/// Feeds what a question about executions is answered from, the index and the execution log alone.
/// Whether both have everything now; where one lags, [`catch_up`] says why.
pub fn catch_up_executions(project: &Project) -> bool {
    let Ok(feed) = sweep_dead_owners(project)
        .map_err(|error| with_causes(&error))
        .and_then(|_| JournalFeed::of(project).map_err(|error| with_causes(&error)))
    else {
        return false;
    };
    crate::store::catch_up::catch_up_executions(&crate::stores::places(project.root()), &feed)
        .is_current()
}

/// As [`catch_up`], for a question: of a journal that was made elsewhere nothing is changed.
pub fn catch_up_to_ask(project: &Project, context: &mut Context) {
    damage::ask_project(project, context);
    context.contradiction.asked = true;
    settle_project(project, context);
    match project.is_at_home() {
        true => catch_up(project, context),
        false => {
            unfinished::end(project, context);
            feed_stores(project, JournalFeed::asked(project), None, context);
        }
    }
}

pub fn settle_project(project: &Project, context: &mut Context) {
    if context.contradiction.of_texts {
        return;
    }
    // One that is no journal says so itself.
    if let Ok(source) = Source::of(project.root()) {
        settle_doubts(&source, Depth::Cheap, context);
    }
}

/// Holds stores that another program may have changed against fresh ones, before anything is answered from
/// them, and tells of those that this would take too long for.
pub fn settle_doubts(source: &Source, depth: Depth, context: &mut Context) {
    let doubted = crate::store::doubt::settle_doubts(source, depth, &context.cache);
    let root = source.root.as_deref().unwrap_or(&source.given);
    let Some(store) = doubted.first().filter(|_| context.contradiction.doubt(root)) else { return };
    let more = match doubted.len() - 1 {
        0 => String::new(),
        more => format!(" (and {more} more)"),
    };
    context.output.note(format_args!(
        "{store}{more} was changed by another program, or by one of annals that was killed: `annals status` \
         looks whether it holds what the journal says"
    ));
}

/// Publishes repositories' memory. What a person edited is told when something is not in it therefore.
fn publish(project: &Project, has_news: bool, recorded: Option<RepoHash>, context: &mut Context) {
    let report = match publish_repos(project, Publish::Newest) {
        Ok(report) => report,
        Err(error) => {
            let why = with_causes(&error);
            context.output.note(format_args!("{REPO_MEMORY} lags: {}", escape::line(&why)));
            return;
        }
    };
    let is_told =
        |folder: &&FolderReport| has_news || folder.has_news() || recorded == Some(folder.repo);
    for folder in report.folders.iter().filter(is_told) {
        if let Some(why) = folder.lag() {
            let why = remedy::problem(&why);
            context.output.note(format_args!("{REPO_MEMORY} lags: {}", escape::line(&why)));
        }
    }
}

fn feed_stores(
    project: &Project,
    feed: Result<JournalFeed<'_>, FeedError>,
    recorded: Option<RepoHash>,
    context: &mut Context,
) {
    let feed = match feed {
        Ok(feed) => feed,
        Err(error) => {
            let why = with_causes(&error);
            let (class, _) = match error.source.downcast_ref::<ProjectError>() {
                Some(error) => error.sorted(),
                None => error.sorted(),
            };
            context.journal_is_held |= class == Class::Locked;
            context.output.note(format_args!("the stores were not caught up: {why}"));
            return;
        }
    };
    let report = crate::store::catch_up::catch_up(&crate::stores::places(project.root()), &feed);
    context.contradiction.note(project.root(), &report);
    if report.met_losses()
        && let Ok(source) = Source::of(project.root())
    {
        damage::met(&source, context);
    }
    for store in &report.stores {
        match &store.outcome {
            Ok(done) => {
                let Some(reason) = done.replaced_for() else { continue };
                let kept = done.quarantined.as_deref().map(super::shown);
                let kept = kept.map_or(String::new(), |place| format!("; the old one is {place}"));
                context.output.note(format_args!("{} was rebuilt: {reason}{kept}", store.store));
            }
            Err(error) if error.evidence().is_some() => {
                if error.evidence().is_some_and(RebuildReason::is_loss) {
                    context.output.lacks(&remedy::line(error));
                }
                context.output.note(remedy::line(error));
            }
            Err(error) => {
                let why = with_causes(error);
                context.output.note(format_args!("{} lags: {why}", store.store));
                context.output.note(format_args!("try: {}", remedy::of_lag(error)));
            }
        }
    }
    if report.last(&REPOS).is_some() && context.at.is_none() && !context.evidence {
        publish(project, report.has_news_of(&REPOS), recorded, context);
    }
}

/// The project's stores, open for questions; fresh ones from the cache where one of its own is kept as
/// evidence.
pub fn stores(project: &Project, context: &Context) -> Result<AskedStores> {
    let contradicts = context.contradiction.of(project.root());
    Ok(AskedStores::open(project, contradicts, &context.cache)?)
}

/// The stores of every journal that was asked about, caught up where that is possible, and as of
/// `--at` where that was given.
pub fn open_all(context: &mut Context) -> Result<Vec<Opened>> {
    open_each(context, open)
}

/// As [`open_all`], fresh ones from the cache, whatever stands beside the journals.
pub fn open_fresh(context: &mut Context) -> Result<Vec<Opened>> {
    open_each(context, |source, several, context| {
        let now = built(source, source.reading(context.evidence), None, context)?;
        as_asked(source, now, several, context)
    })
}

fn open_each(
    context: &mut Context,
    open: impl Fn(&Source, bool, &mut Context) -> Result<Opened>,
) -> Result<Vec<Opened>> {
    let sources = context.sources()?;
    let names = journals::names(&sources);
    let several = sources.len() > 1;
    let mut all = Vec::with_capacity(sources.len());
    for (source, name) in sources.iter().zip(names) {
        let mut opened = open(source, several, context)?;
        opened.name = several.then_some(name);
        opened.stores.journal.clone_from(&opened.name);
        all.push(opened);
    }
    Ok(all)
}

pub fn open(source: &Source, several: bool, context: &mut Context) -> Result<Opened> {
    damage::ask(source, context);
    let reading = source.reading(context.evidence);
    let now = match (reading, &source.root) {
        (Reading::Live, Some(root)) => live(source, root, context)?,
        _ => built(source, reading, None, context)?,
    };
    as_asked(source, now, several, context)
}

/// As of `--at`, where that was given.
fn as_asked(source: &Source, now: Opened, several: bool, context: &mut Context) -> Result<Opened> {
    let Some(at) = journals::resolve(source, &now, several, context)? else { return Ok(now) };
    built(source, source.reading(context.evidence), Some(at), context)
}

fn live(source: &Source, root: &Path, context: &mut Context) -> Result<Opened> {
    let project = Project::open(root)?;
    catch_up_to_ask(&project, context);
    let (stores, places, built) = stores(&project, context)?.into_parts();
    if let Some(built) = &built {
        tell_built(source, built, context);
    }
    let (journal, name) = (project.journal_dir(), None);
    Ok(Opened { name, journal, places, stores, evidence: false, at: None, built })
}

fn built(
    source: &Source,
    reading: Reading,
    at: Option<Sequence>,
    context: &mut Context,
) -> Result<Opened> {
    let made = context.made.take_if(|(of, _)| at.is_none() && *of == source.journal);
    let (wants, read) = (context.wants, (source.journal.as_path(), reading));
    let built = match made {
        Some((_, made)) if reading == Reading::Evidence => made?,
        _ => wanted_stores(&STORES, read, at, wants, &context.cache, None)?,
    };
    tell_built(source, &built, context);
    let (places, journal) = (built.places.clone(), source.journal.clone());
    let stores = match wants {
        Wants::Index => Stores::of_index(&places)?,
        Wants::Executions | Wants::All => Stores::open(&places)?,
    };
    let evidence = reading == Reading::Evidence;
    Ok(Opened { name: None, journal, places, stores, evidence, at, built: Some(built) })
}

fn tell_built(source: &Source, built: &BuiltStores, context: &mut Context) {
    if built.met_losses {
        damage::met(source, context);
    }
    if let Some(lag) = &built.lag {
        context.output.note(format_args!("not everything can be asked: {}", escape::line(lag)));
    }
}

/// Says that the index over texts had to be made anew, if it had.
pub fn tell_searched(done: &CaughtUp, context: &mut Context) {
    // It is made for who asks: one that is gone, as after a redaction, is no news.
    let reason = done.replaced_for().filter(|it| *it != RebuildReason::Missing);
    if let Some(reason) = reason {
        context.output.note(format_args!("{} was rebuilt: {reason}", StoreName::SEARCH));
    }
}

/// Brings the index over texts up to date where somebody searches: who imports has the time.
pub fn searched(project: &Project, context: &mut Context) {
    let places = crate::stores::places(project.root());
    if !places.has(StoreName::SEARCH).unwrap_or(false) {
        return;
    }
    let done = JournalFeed::of(project).map_err(|error| with_causes(&error)).and_then(|feed| {
        let done = catch_up_on_demand(StoreName::SEARCH, &places, &feed);
        done.map_err(|error| with_causes(&error))
    });
    match done {
        Ok(done) => tell_searched(&done, context),
        Err(why) => context.output.note(format_args!("{} lags: {why}", StoreName::SEARCH)),
    }
}
