//! `annals repo`: what a repository remembers (spec 004).

mod adopt;
mod convention;
mod decision;
mod diff;
mod hash;
mod link;
mod list;
mod map;
mod note;
mod show;
mod summary;
mod work;

use super::{CliError, Context, Exit};
use crate::cli::catch_up;
use crate::cli::rows::short;
use crate::event::RepoHash;
use crate::execution::query::QueryError;
use crate::journal::{Project, Source};
use crate::output::escape;
use crate::output::stream::Colour;
use crate::output::wire::{RepoDifference, RepoEntry};
use crate::repo::query::RepoView;
use crate::repo::{RepoIdentity, identify};

/// What a repository remembers: conventions, decisions, notes, and what steps came to
///
/// A repository is its top folder, the URL of its origin and its branch: each branch and each worktree
/// has a memory of its own, until they are linked. What is changed is in the journal; the files below
/// ~/.codex-toolloop/repos/ are made from there.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Another repository of this journal: its hash, or four digits or more of its beginning
    #[arg(long, global = true, value_name = "HASH")]
    repo: Option<String>,
    #[command(subcommand)]
    what: What,
}

#[derive(clap::Subcommand, Debug)]
enum What {
    Show(show::Args),
    Hash(hash::Args),
    List(list::Args),
    Convention(convention::Args),
    Decision(decision::Args),
    Note(note::Args),
    Summary(summary::Args),
    Link(link::Args),
    Map(map::Args),
    Diff(diff::Args),
    Adopt(adopt::Args),
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit, CliError> {
    let repo = args.repo.as_deref();
    match args.what {
        What::Show(args) => show::run(args, repo, context),
        What::Hash(args) => hash::run(args, repo, context),
        What::List(args) => list::run(args, repo, context),
        What::Convention(args) => convention::run(args, repo, context),
        What::Decision(args) => decision::run(args, repo, context),
        What::Note(args) => note::run(args, repo, context),
        What::Summary(args) => summary::run(args, repo, context),
        What::Link(args) => link::run(args, repo, context),
        What::Map(args) => map::run(args, repo, context),
        What::Diff(args) => diff::run(args, repo, context),
        What::Adopt(args) => adopt::run(args, repo, context),
    }
}

/// One journal's repositories, to be looked at.
pub struct Look<'v> {
    /// The journal's name, where there are several.
    pub journal: Option<&'v str>,
    pub view: RepoView<'v>,
    /// The repository that the project lies in, as it stands now; `None` of a copy, which lies
    /// elsewhere.
    pub current: Option<RepoIdentity>,
}

/// Looks at every journal that was asked about, as of `--at` where that was given.
pub fn each<T>(
    context: &mut Context,
    mut look: impl FnMut(&Look<'_>) -> Result<T, CliError>,
) -> Result<Vec<T>, CliError> {
    let currents = context.sources()?.iter().map(current).collect::<Result<Vec<_>, _>>()?;
    let opened = catch_up::open_all(context)?;
    let mut found = Vec::with_capacity(opened.len());
    for (one, current) in opened.iter().zip(currents) {
        let (journal, view) = (one.name.as_deref(), one.stores.repos());
        found.push(look(&Look { journal, view, current })?);
    }
    Ok(found)
}

/// Looks at one repository of every journal: the one that was named, the one that the project lies in,
/// or, of a copy, the one that was worked on last. With `None` the journal remembers nothing.
pub fn repo<T>(
    named: Option<&str>,
    context: &mut Context,
    mut look: impl FnMut(&Look<'_>, RepoHash) -> Result<T, CliError>,
) -> Result<Vec<T>, CliError> {
    let mut missing = None;
    let found = each(context, |one| match one.repo(named) {
        Err(CliError::Query(error @ QueryError::NoRepository { .. })) => {
            missing = Some(error);
            Ok(None)
        }
        found => found?.map(|repo| look(one, repo)).transpose(),
    })?;
    let found: Vec<T> = found.into_iter().flatten().collect();
    match missing {
        Some(error) if found.is_empty() => Err(error.into()),
        _ => Ok(found),
    }
}

impl Look<'_> {
    fn repo(&self, named: Option<&str>) -> Result<Option<RepoHash>, CliError> {
        let current = self.current.as_ref();
        match named {
            Some(prefix) => match self.view.find(prefix) {
                Err(QueryError::NoRepository { .. })
                    if current.is_some_and(|it| it.begins(prefix)) =>
                {
                    Ok(current.map(|it| it.hash))
                }
                found => Ok(Some(found?)),
            },
            None => match current {
                Some(identity) => Ok(Some(identity.hash)),
                None => Ok(self.view.repos()?.first().map(|identity| identity.repo)),
            },
        }
    }
}

/// The repository that a source lies in, where it is a project that was made here.
fn current(source: &Source) -> Result<Option<RepoIdentity>, CliError> {
    let Some(root) = source.root.as_deref() else { return Ok(None) };
    // One that cannot be opened is read as a copy is.
    match Project::open(root).is_ok_and(|project| project.is_at_home()) {
        true => Ok(Some(identify(root)?)),
        false => Ok(None),
    }
}

/// Tells how files differ.
pub fn difference(it: &RepoDifference, context: &mut Context) -> Result<(), CliError> {
    context.output.line(escape::line(&it.folder))?;
    if !it.differs {
        context.output.line("The files say what is recorded.")?;
        return Ok(());
    }
    if let Some(journal) = &it.other_journal {
        line(Colour::Yellow, &format!("! another journal keeps them: {journal}"), context)?;
    }
    for what in &it.no_files {
        line(Colour::Red, &format!("! {what}"), context)?;
    }
    if let Some(fault) = &it.unreadable {
        line(Colour::Red, &format!("! memory.json: {}: {}", fault.field, fault.why), context)?;
    }
    for name in it.fields.iter() {
        line(
            Colour::Yellow,
            &format!("! {name} was edited: it tells whose memory it is, and comes back"),
            context,
        )?;
    }
    for name in &it.indexes {
        line(
            Colour::Yellow,
            &format!("! {name} was edited: it is made from the tree, and comes back"),
            context,
        )?;
    }
    for change in &it.entries {
        let (sign, colour) = sign(change.change);
        let text = change.is.as_ref().or(change.was.as_ref()).map(said).unwrap_or_default();
        let stale = if change.stale { " (changed in the journal since, too)" } else { "" };
        let text = format!("{sign} {} {}{stale}: {text}", change.kind, change.id);
        line(colour, &text, context)?;
    }
    for change in &it.summaries {
        let (sign, colour) = sign(change.change);
        let text = match (&change.summary, &change.fault) {
            (Some(it), _) => format!("{} of {}: {}", it.step_id, it.run_id, short(&it.summary)),
            (None, Some(fault)) => {
                let number = change.line.unwrap_or_default();
                format!("line {number}: {}: {}", fault.field, fault.why)
            }
            (None, None) => String::new(),
        };
        line(colour, &format!("{sign} summary {text}"), context)?;
    }
    Ok(())
}

fn sign(change: &str) -> (char, Colour) {
    match change {
        "added" => ('+', Colour::Green),
        "removed" => ('-', Colour::Red),
        "changed" => ('~', Colour::Yellow),
        _ => ('!', Colour::Red),
    }
}

fn said(entry: &RepoEntry) -> String {
    match entry {
        RepoEntry::Convention(it) => short(&format!("{}: {}", it.title, it.content)),
        RepoEntry::Decision(it) => short(&format!("{}: {}", it.summary, it.rationale)),
        RepoEntry::Note(it) => short(&it.content),
    }
}

fn line(colour: Colour, text: &str, context: &mut Context) -> Result<(), CliError> {
    let text = context.output.paint(colour, &escape::line(text));
    Ok(context.output.line(text)?)
}
