//! `annals repo`: what a repository remembers (spec 004).

mod convention;
mod decision;
mod files;
mod look;
mod map;
mod note;
mod summary;
mod sync;
mod work;

use super::{CliError, Context, Exit, Result};
use crate::cli::catch_up;
use crate::event::RepoHash;
use crate::execution::query::QueryError;
use crate::journal::{Project, Source};
use crate::output::wire::OfJournal;
use crate::repo::query::RepoView;
use crate::repo::{RepoIdentity, identify};

/// Repository memory: conventions, decisions, notes, step summaries
///
/// A repository is its top folder, the URL of its origin and its branch: each branch and each worktree
/// has a memory of its own, until they are linked; what the others know is shown as inherited. What is
/// changed is in the journal; the files below ~/.codex-toolloop/repos/ are made from there.
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
    /// Conventions, decisions, notes and latest summaries of a repository
    ///
    /// As JSON it is what memory.json holds, and what is inherited, without the summaries.
    Show,
    /// The repository's hash, and what it is made of
    ///
    /// The hash alone is the first line. Symbolic links, the folder that is named and credentials in the
    /// URL make no difference to it; without a remote it is of the path alone.
    Hash,
    /// Repositories with a memory, the latest used first
    List,
    Convention(convention::Args),
    Decision(decision::Args),
    Note(note::Args),
    Summary(summary::Args),
    Link(look::LinkArgs),
    Map(map::Args),
    Diff(files::DiffArgs),
    Adopt(files::AdoptArgs),
    Sync(sync::Args),
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit> {
    let repo = args.repo.as_deref();
    match args.what {
        What::Show => look::show(repo, context),
        What::Hash => look::hash(repo, context),
        What::List => look::list(repo, context),
        What::Convention(args) => work::entries(args.doing()?, repo, context),
        What::Decision(args) => work::entries(args.doing()?, repo, context),
        What::Note(args) => work::entries(args.doing()?, repo, context),
        What::Summary(args) => summary::run(args, repo, context),
        What::Link(args) => look::link(args, repo, context),
        What::Map(args) => map::run(args, repo, context),
        What::Diff(args) => files::diff(args, repo, context),
        What::Adopt(args) => files::adopt(args, repo, context),
        What::Sync(args) => sync::run(args, repo, context),
    }
}

struct Look<'v> {
    /// The journal's name, where there are several.
    journal: Option<&'v str>,
    view: RepoView<'v>,
    /// The repository that the project lies in, as it stands now; `None` of a copy, which lies
    /// elsewhere.
    current: Option<RepoIdentity>,
}

/// Looks at every journal that was asked about, as of `--at` where that was given.
fn each<T>(context: &mut Context, mut look: impl FnMut(&Look<'_>) -> Result<T>) -> Result<Vec<T>> {
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
fn repo<T>(
    named: Option<&str>,
    context: &mut Context,
    mut look: impl FnMut(&Look<'_>, RepoHash) -> Result<T>,
) -> Result<Vec<T>> {
    let mut missing = None;
    let found = each(context, |one| match one.repo(named) {
        Err(error) if matches!(error.below(), Some(QueryError::NoRepository { .. })) => {
            missing = Some(error);
            Ok(None)
        }
        found => found?.map(|repo| look(one, repo)).transpose(),
    })?;
    let found: Vec<T> = found.into_iter().flatten().collect();
    match missing {
        Some(error) if found.is_empty() => Err(error),
        _ => Ok(found),
    }
}

/// The rows that [`repo`] finds in every journal.
fn rows<T>(
    named: Option<&str>,
    context: &mut Context,
    look: impl Fn(RepoView<'_>, RepoHash) -> Result<Vec<T>, QueryError>,
) -> Result<Vec<OfJournal<T>>, CliError> {
    let found = repo(named, context, |one, repo| {
        let row = |row| OfJournal::of(one.journal, row);
        Ok(look(one.view, repo)?.into_iter().map(row).collect::<Vec<_>>())
    })?;
    Ok(found.into_iter().flatten().collect())
}

impl Look<'_> {
    fn repo(&self, named: Option<&str>) -> Result<Option<RepoHash>> {
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
fn current(source: &Source) -> Result<Option<RepoIdentity>> {
    let Some(root) = source.root.as_deref() else { return Ok(None) };
    // One that cannot be opened is read as a copy is.
    match Project::open(root).is_ok_and(|project| project.is_at_home()) {
        true => Ok(Some(identify(source.tree.as_deref().unwrap_or(root))?)),
        false => Ok(None),
    }
}
