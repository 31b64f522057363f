//! What repositories remember (spec 004), what a person made of their files, and context packs.

pub mod entries;

use serde::Serialize;

use crate::cli::with_causes;
use crate::event::RepoHash;
use crate::execution::query::QueryError;
use crate::output::wire::OfJournal;
use crate::pipe::{Answer, Answered, Pipe, PipeError, arguments, operations};
use crate::repo::context::{kept_or_made, refresh_tree};
use crate::repo::files::RepoFiles;
use crate::repo::pack::{PackAsked, PackSession, PackTold};
use crate::repo::query::RepoView;
use crate::repo::{RepoAt, RepoDone, RepoError, RepoWriter, identify};

operations! { OPS:
    act identify_repo
        = "which repository the project lies in: its hash, and what that is made of"
        {} => |pipe| {
            let identity = identify(pipe.project.tree())?;
            let files = RepoFiles::of(pipe.project).ok().flatten(); // without a home there are none
            let folder = files.map(|it| it.folder(identity.hash).to_string_lossy().into_owned());
            let known = pipe.stores()?.repos().identity(identity.hash)?.is_some();
            Answer::of(&RepoAt {
                repo_hash: identity.hash,
                path: Some(identity.top.to_string_lossy().into_owned()),
                remote: identity.remote,
                branch: identity.branch,
                folder,
                known,
            })
        };

    act list_repos
        = "the repositories that something was recorded for, the one worked on last first"
        {} => |pipe| {
            let current = identify(pipe.project.tree())?.hash;
            let found = pipe.stores()?.repos().listed(Some(current))?;
            Answer::list(found.into_iter().map(OfJournal::only))
        };

    act get_repo_memory
        = "conventions, decisions and notes of a repository, as memory.json has them, and what it inherits"
        (Repo) => |repo, pipe| {
            let current = identify(pipe.project.tree())?;
            let found = repo.look(pipe, |view, repo| view.whole_memory(repo, Some(&current)))?;
            Answer::of(&found.unwrap_or_else(|| current.remembers_nothing()))
        };

    act link_repos = "join the memories of two repositories" {
        with: String = "the other one's hash, or its beginning",
        repo: Repo,
    } => |pipe| repo.operate(pipe, |writer, repo| {
        let with = writer.find(&with)?;
        writer.link(repo, with)
    });
}

operations! { FILES:
    // What was recorded and not published yet is no difference.
    act repo_difference = "how memory.json and summaries.jsonl differ from what is recorded"
        (Repo) => |repo, pipe| {
            Answer::of(&repo.with_files(pipe, |writer, repo, files| writer.difference(repo, files))?)
        };

    act adopt_repo = "record what was edited in memory.json and summaries.jsonl by hand" {
        dry_run: bool = "show it, and record nothing",
        repo: Repo,
    } => |pipe| {
        let done = repo.with_files(pipe, |writer, repo, files| writer.adopt(repo, files, dry_run))?;
        if done.sequence.is_some() {
            pipe.project.journal()?.sync()?;
            pipe.recorded(done.items);
        }
        Ok(Answer::of(&done)?.at(done.sequence.map(|at| at.0)))
    };
}

operations! { PACKS:
    act build_context_from_memory
        = "what a model should know before it continues, in as many characters as there are"
        (Pack);
}

arguments! {
    /// Which repository an operation is about.
    struct Repo {
        repo_hash | repoHash | repo: Option<String>
            = "the repository: its hash, or four digits or more of its beginning; else the project's own",
    }

    struct Pack {
        max_chars | maxChars: Option<usize> = "how long the text may be; else the settings'",
        paths: Option<Vec<String>> as "texts" = "paths at hand, from the repository's top",
        session: Option<String> = "whose failures; else the caller's own session",
        summaries: Option<usize> = "how many, the newest; else the settings'",
        prompt: Option<String> = "what is to be done: files that it names or means come first",
        map: Option<bool> = "whether the map of the tree is told; else true",
        repo: Repo,
    }
}

impl Repo {
    /// Carries an operation out: one durable commit.
    fn operate<T: Serialize>(
        self,
        pipe: &mut Pipe<'_>,
        operation: impl FnOnce(
            &mut RepoWriter<'_, '_>,
            Option<RepoHash>,
        ) -> Result<RepoDone<T>, RepoError>,
    ) -> Answered {
        let session = pipe.caller.named();
        if session.is_some() {
            pipe.introduce()?;
        }
        let project = pipe.project;
        let mut writer = RepoWriter::new(project, pipe.recorder(), session);
        let repo = self.repo_hash.map(|prefix| writer.find(&prefix)).transpose()?;
        let done = operation(&mut writer, repo)?;
        if done.sequence.is_some() {
            project.journal()?.sync()?;
            pipe.recorded(1);
        }
        let sequence = done.sequence.map(|sequence| sequence.0);
        Ok(Answer::of(&done)?.at(sequence))
    }

    /// Looks at a repository as it is.
    fn look<T>(
        self,
        pipe: &mut Pipe<'_>,
        look: impl FnOnce(RepoView<'_>, RepoHash) -> Result<T, QueryError>,
    ) -> Result<T, PipeError> {
        let project = pipe.project;
        let view = pipe.stores()?.repos();
        let current = || identify(project.tree());
        let repo = match self.repo_hash {
            None => current()?.hash,
            Some(prefix) => match view.find(&prefix) {
                Err(error @ QueryError::NoRepository { .. }) => {
                    let current = current()?;
                    if !current.begins(&prefix) {
                        return Err(error.into());
                    }
                    current.hash
                }
                found => found?,
            },
        };
        Ok(look(view, repo)?)
    }

    fn with_files<T>(
        self,
        pipe: &mut Pipe<'_>,
        operation: impl FnOnce(
            &mut RepoWriter<'_, '_>,
            Option<RepoHash>,
            &RepoFiles,
        ) -> Result<T, RepoError>,
    ) -> Result<T, PipeError> {
        let project = pipe.project;
        let files = RepoFiles::of(project).map_err(RepoError::from)?.ok_or(RepoError::Elsewhere)?;
        let session = pipe.caller.named();
        let mut writer = RepoWriter::new(project, pipe.recorder(), session);
        let repo = self.repo_hash.map(|prefix| writer.find(&prefix)).transpose()?;
        Ok(operation(&mut writer, repo, &files)?)
    }
}

fn build_context_from_memory(pipe: &mut Pipe<'_>, asked: Pack) -> Answered {
    let project = pipe.project;
    let at_home = project.is_at_home();
    let current = at_home.then(|| identify(project.tree())).transpose()?;
    let by_settings = PackAsked::by(&project.config().repo, current.as_ref());
    let own = PackSession::Is(pipe.caller.id());
    let asked = PackAsked {
        repo: asked.repo.repo_hash,
        session: asked.session.map_or(own, PackSession::Named),
        chars_max: asked.max_chars.unwrap_or(by_settings.chars_max),
        paths: asked.paths.unwrap_or_default(),
        summaries_max: asked.summaries.unwrap_or(by_settings.summaries_max),
        map: asked.map.unwrap_or(true),
        prompt: asked.prompt,
        ..by_settings
    };
    let build = pipe.context.cache.build().to_owned();
    let (mut seen, mut recorded, mut map_lag) = (None, None, None);
    if at_home && asked.map && asked.repo.is_none() {
        match refresh_tree(project) {
            Ok(tree) => (seen, recorded) = (Some(tree.inputs), tree.recorded),
            // What cannot be looked at is told as it was recorded last.
            Err(error) => map_lag = Some(with_causes(&error)),
        }
    }
    if recorded.is_some() {
        pipe.others_recorded();
    }
    let mut make = || Ok::<_, PipeError>(pipe.stores()?.context(&asked)?);
    let told = match at_home {
        true => kept_or_made(project, &asked, seen, &build, make)?,
        false => make()?,
    };
    Ok(Answer::of(&PackTold { map_lag, ..told })?.at(recorded.map(|at| at.0)))
}
