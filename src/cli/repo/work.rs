//! An operation on a repository's memory that is recorded.

use serde::Serialize;

use crate::cli::{CliError, Context, catch_up, run as runs};
use crate::event::RepoHash;
use crate::journal::{Project, Recorder};
use crate::output::{escape, wire};
use crate::repo::files::RepoFiles;
use crate::repo::{RepoDone, RepoError, RepoWriter};

/// Carries an operation out: one durable commit. The stores are caught up afterwards.
pub fn operate<T>(
    repo: Option<&str>,
    context: &mut Context,
    operation: impl FnOnce(&mut RepoWriter<'_, '_>, Option<RepoHash>) -> Result<RepoDone<T>, RepoError>,
) -> Result<RepoDone<T>, CliError> {
    let project = context.project()?;
    let session = context.session.as_ref().map(|_| context.session_id());
    let repo_is_current = repo.is_none();
    let done = {
        let mut recorder = Recorder::live(&project)?;
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

/// Prints what an operation came to: a document, or a sentence and its event.
pub fn tell<T, U: Serialize>(
    done: RepoDone<T>,
    sentence: impl FnOnce(&T, bool) -> String,
    told: impl FnOnce(T) -> U,
    context: &mut Context,
) -> Result<(), CliError> {
    if context.output.is_json() {
        return Ok(context.output.json(&wire::RepoDone::of(done, told))?);
    }
    let text = sentence(&done.done, done.sequence.is_some());
    let at = done.sequence.map(|at| format!(" (@{})", at.0)).unwrap_or_default();
    Ok(context.output.line(escape::line(&format!("{text}{at}")))?)
}

/// What follows a change of a repository's files: it is durable, the stores know of it, and so does
/// the session.
pub fn recorded(project: &Project, context: &mut Context) -> Result<(), CliError> {
    project.journal()?.sync()?;
    catch_up::catch_up(project, context);
    if context.session.is_some() {
        runs::introduce(project, context);
    }
    Ok(())
}

/// Looks at, or changes, a repository's files; who changed something ends with [`recorded`].
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
    let session = context.session.as_ref().map(|_| context.session_id());
    let files = RepoFiles::of(&project).map_err(RepoError::from)?.ok_or(RepoError::Elsewhere)?;
    let mut recorder = Recorder::live(&project)?;
    let mut writer = RepoWriter::new(&project, &mut recorder, session);
    let repo = repo.map(|prefix| writer.find(prefix)).transpose()?;
    Ok(operation(&mut writer, repo, &files)?)
}
