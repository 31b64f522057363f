//! Which repositories there are, and all that one remembers.

use super::{REPO, look, operate};
use crate::output::wire::OfJournal;
use crate::pipe::{Args, Argument, Caller, Op, Pipe, PipeError, Run, Told};
use crate::repo::files::RepoFiles;
use crate::repo::{RepoAt, RepoWriter, identify};

pub const OPS: &[Op] = &[
    Op {
        name: "identify_repo",
        about: "which repository the project lies in: its hash, and what that is made of",
        args: &[],
        run: Run::Do(identify_repo),
    },
    Op {
        name: "list_repos",
        about: "the repositories that something was recorded for, the one worked on last first",
        args: &[],
        run: Run::Do(list_repos),
    },
    Op {
        name: "get_repo_memory",
        about: "conventions, decisions and notes of a repository, as memory.json has them",
        args: &[REPO],
        run: Run::Do(get_repo_memory),
    },
    Op {
        name: "link_repos",
        about: "join the memories of two repositories",
        args: &[Argument::needed("with", "text", "the other one's hash, or its beginning"), REPO],
        run: Run::Do(link_repos),
    },
];

fn identify_repo(pipe: &mut Pipe<'_>, _: &Caller, _: Args) -> Result<Told, PipeError> {
    let identity = identify(pipe.project.root())?;
    let files = RepoFiles::of(pipe.project).ok().flatten(); // without a home there are none
    let folder = files.map(|it| it.folder(identity.hash).to_string_lossy().into_owned());
    let known = pipe.stores()?.repos().identity(identity.hash)?.is_some();
    Told::of(&RepoAt {
        repo_hash: identity.hash,
        path: Some(identity.top.to_string_lossy().into_owned()),
        remote: identity.remote,
        branch: identity.branch,
        folder,
        known,
    })
}

fn list_repos(pipe: &mut Pipe<'_>, _: &Caller, _: Args) -> Result<Told, PipeError> {
    let current = identify(pipe.project.root())?.hash;
    let found = pipe.stores()?.repos().listed(Some(current))?;
    let row = |row| OfJournal { journal: None, row };
    Told::of(&found.into_iter().map(row).collect::<Vec<_>>())
}

fn get_repo_memory(pipe: &mut Pipe<'_>, _: &Caller, mut args: Args) -> Result<Told, PipeError> {
    let found = look(pipe, &mut args, |view, repo| view.memory(repo))?;
    match found {
        Some(memory) => Told::of(&memory),
        None => Told::of(&identify(pipe.project.root())?.remembers_nothing()),
    }
}

fn link_repos(pipe: &mut Pipe<'_>, caller: &Caller, mut args: Args) -> Result<Told, PipeError> {
    let with: String = args.need("with")?;
    let act = |writer: &mut RepoWriter<'_, '_>, repo| {
        let with = writer.find(&with)?;
        writer.link(repo, with)
    };
    operate(pipe, caller, &mut args, act)
}
