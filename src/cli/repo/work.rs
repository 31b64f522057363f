//! An operation on a repository's memory that is recorded.

use crate::cli::recorded::tell;
use crate::cli::rows::listed;
use crate::cli::{CliError, Context, Exit, Result, catch_up, run as runs};
use crate::event::RepoHash;
use crate::execution::live_recorder;
use crate::output::wire::OfJournal;
use crate::repo::entry::{Expected, Given, Kind};
use crate::repo::files::RepoFiles;
use crate::repo::{RepoDone, RepoError, RepoWriter};

pub enum Doing<G: Given> {
    Add(G),
    Edit(G),
    /// Those that this holds of.
    List(Box<dyn Fn(&G::Entry) -> bool>),
    Remove(Remove),
}

#[derive(clap::Args, Debug)]
pub struct Remove {
    /// Its id
    id: String,
}

pub trait Listed: Kind {
    const TITLES: &'static [&'static str];
    /// Said where there is none.
    const NONE: &'static str;

    fn cells(self, context: &Context) -> Vec<String>;
}

pub fn entries<G: Given<Entry: Listed>>(
    doing: Doing<G>,
    repo: Option<&str>,
    context: &mut Context,
) -> Result<Exit> {
    let kind = G::Entry::KIND;
    let name = kind.as_str();
    match doing {
        Doing::Add(given) => {
            let done = operate(repo, context, |it, repo| it.upsert(repo, given, Expected::New))?;
            let sentence = format!("Added {name} {}", done.done.id());
            tell(&done, &sentence, done.sequence, context)
        }
        Doing::Edit(given) => {
            let done = operate(repo, context, |it, repo| it.upsert(repo, given, Expected::Known))?;
            let id = done.done.id();
            let sentence = match done.sequence {
                Some(_) => format!("Changed {name} {id}"),
                None => {
                    let (first, rest) = name.split_at(1);
                    let name = first.to_uppercase() + rest;
                    format!("{name} {id} says that already: nothing was changed")
                }
            };
            tell(&done, &sentence, done.sequence, context)
        }
        Doing::List(is_meant) => {
            let mut inherits = false;
            let found = super::repo(repo, context, |one, repo| {
                let memory = one.view.whole_memory(repo, one.current.as_ref())?;
                inherits |= memory.is_some_and(|it| !it.inherited.is_empty());
                let meant = one.view.list::<G::Entry>(repo)?.into_iter().filter(|it| is_meant(it));
                Ok(meant.map(|it| OfJournal::of(one.journal, it)).collect::<Vec<_>>())
            })?;
            let found = found.into_iter().flatten().collect();
            let cells = |it: G::Entry, context: &Context| (None, it.cells(context));
            let exit = listed(found, G::Entry::TITLES, G::Entry::NONE, cells, context)?;
            if inherits && !context.output.is_json() {
                context
                    .output
                    .line("What it inherits from its other branches and trees: annals repo show")?;
            }
            Ok(exit)
        }
        Doing::Remove(Remove { id }) => {
            let done = operate(repo, context, |it, repo| it.remove(repo, kind, &id))?;
            tell(&done, &format!("Removed {name} {id}"), done.sequence, context)
        }
    }
}

/// Carries an operation out: one durable commit. The stores are caught up afterwards.
pub fn operate<T>(
    repo: Option<&str>,
    context: &mut Context,
    operation: impl FnOnce(&mut RepoWriter<'_, '_>, Option<RepoHash>) -> Result<RepoDone<T>, RepoError>,
) -> Result<RepoDone<T>, CliError> {
    let project = context.project()?;
    let session = context.named_session();
    let repo_is_current = repo.is_none();
    let done = {
        let mut recorder = live_recorder(&project);
        let mut writer = RepoWriter::new(&project, &mut recorder, session);
        let repo = repo.map(|prefix| writer.find(prefix)).transpose()?;
        operation(&mut writer, repo)?
    };
    project.journal()?.sync()?;
    match done.sequence {
        Some(_) => catch_up::catch_up_repo(&project, done.repo, context),
        None => catch_up::catch_up(&project, context),
    }
    if repo_is_current && !project.is_at_home() {
        context.output.note(
            "this journal was made in another folder: the files of its memory are not written here, \
             and what was remembered there is another repository's: `annals repo list` names it, \
             `annals repo link HASH` joins the two",
        );
    }
    if context.session.is_some() {
        runs::introduce(&project, context);
    }
    Ok(done)
}

/// Looks at, or changes, a repository's files; who changed something ends with [`crate::cli::recorded::settled`].
pub fn with_files<T>(
    repo: Option<&str>,
    context: &mut Context,
    operation: impl FnOnce(
        &mut RepoWriter<'_, '_>,
        Option<RepoHash>,
        &RepoFiles,
    ) -> Result<T, RepoError>,
) -> Result<T, CliError> {
    let project = context.project()?;
    let session = context.named_session();
    let files = RepoFiles::of(&project).map_err(RepoError::from)?.ok_or(RepoError::Elsewhere)?;
    let mut recorder = live_recorder(&project);
    let mut writer = RepoWriter::new(&project, &mut recorder, session);
    let repo = repo.map(|prefix| writer.find(prefix)).transpose()?;
    Ok(operation(&mut writer, repo, &files)?)
}
