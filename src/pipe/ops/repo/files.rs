//! What a person made of a repository's files.

use super::REPO;
use crate::event::RepoHash;
use crate::pipe::{Args, Argument, Caller, Op, Pipe, PipeError, Run, Told};
use crate::repo::files::RepoFiles;
use crate::repo::{RepoError, RepoWriter};

pub const OPS: &[Op] = &[
    Op {
        name: "repo_difference",
        about: "how memory.json and summaries.jsonl differ from what is recorded",
        args: &[REPO],
        run: Run::Do(repo_difference),
    },
    Op {
        name: "adopt_repo",
        about: "record what was edited in memory.json and summaries.jsonl by hand",
        args: &[Argument::maybe("dry_run", "true or false", "show it, and record nothing"), REPO],
        run: Run::Do(adopt_repo),
    },
];

fn with_files<T>(
    pipe: &mut Pipe<'_>,
    caller: &Caller,
    args: &mut Args,
    operation: impl FnOnce(
        &mut RepoWriter<'_, '_>,
        Option<RepoHash>,
        &RepoFiles,
    ) -> Result<T, RepoError>,
) -> Result<T, PipeError> {
    let prefix: Option<String> = args.take("repo_hash")?;
    let project = pipe.project;
    let files = RepoFiles::of(project).map_err(RepoError::from)?.ok_or(RepoError::Elsewhere)?;
    let session = caller.session.as_ref().map(|_| caller.id());
    let mut writer = RepoWriter::new(project, pipe.recorder(), session);
    let repo = prefix.map(|prefix| writer.find(&prefix)).transpose()?;
    Ok(operation(&mut writer, repo, &files)?)
}

fn repo_difference(
    pipe: &mut Pipe<'_>,
    caller: &Caller,
    mut args: Args,
) -> Result<Told, PipeError> {
    // What was recorded and not published yet is no difference.
    let found =
        with_files(pipe, caller, &mut args, |writer, repo, files| writer.difference(repo, files))?;
    Told::of(&found)
}

fn adopt_repo(pipe: &mut Pipe<'_>, caller: &Caller, mut args: Args) -> Result<Told, PipeError> {
    let dry_run = args.take("dry_run")?.unwrap_or(false);
    let done = with_files(pipe, caller, &mut args, |writer, repo, files| {
        writer.adopt(repo, files, dry_run)
    })?;
    if done.sequence.is_some() {
        pipe.project.journal()?.sync()?;
        pipe.recorded(done.items);
    }
    Ok(Told::of(&done)?.at(done.sequence.map(|at| at.0)))
}
