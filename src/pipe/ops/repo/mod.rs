//! What repositories remember (spec 004).

pub mod entries;
pub mod files;
pub mod looks;
pub mod packs;

use serde::Serialize;

use crate::event::RepoHash;
use crate::execution::query::QueryError;
use crate::pipe::{Args, Argument, Caller, Op, Pipe, PipeError, Run, Told};
use crate::repo::query::RepoView;
use crate::repo::{RepoDone, RepoError, RepoWriter, identify};

const REPO: Argument = Argument::maybe(
    "repo_hash",
    "text",
    "the repository: its hash, or four digits or more of its beginning; else the project's own",
)
.or(&["repoHash", "repo"]);
const ID: Argument = Argument::needed("id", "text", "the entry's id");

/// Carries an operation out: one durable commit.
fn operate<T: Serialize>(
    pipe: &mut Pipe<'_>,
    caller: &Caller,
    args: &mut Args,
    operation: impl FnOnce(&mut RepoWriter<'_, '_>, Option<RepoHash>) -> Result<RepoDone<T>, RepoError>,
) -> Result<Told, PipeError> {
    let prefix: Option<String> = args.take("repo_hash")?;
    let session = caller.session.as_ref().map(|_| caller.id());
    if session.is_some() {
        pipe.introduce(caller)?;
    }
    let project = pipe.project;
    let mut writer = RepoWriter::new(project, pipe.recorder(), session);
    let repo = prefix.map(|prefix| writer.find(&prefix)).transpose()?;
    let done = operation(&mut writer, repo)?;
    if done.sequence.is_some() {
        project.journal()?.sync()?;
        pipe.recorded(1);
    }
    let sequence = done.sequence.map(|sequence| sequence.0);
    Ok(Told::of(&done)?.at(sequence))
}

/// Looks at a repository as it is.
fn look<T>(
    pipe: &mut Pipe<'_>,
    args: &mut Args,
    look: impl FnOnce(RepoView<'_>, RepoHash) -> Result<T, QueryError>,
) -> Result<T, PipeError> {
    let prefix: Option<String> = args.take("repo_hash")?;
    let project = pipe.project;
    let view = pipe.stores()?.repos();
    let current = || identify(project.root());
    let repo = match prefix {
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

// What steps came to.

pub const OPS: &[Op] = &[
    Op {
        name: "append_summary",
        about: "keep what a step came to; step_end does it by itself",
        args: &[
            Argument::needed("run_id", "text", "the run").or(&["runId"]),
            Argument::needed("step_id", "text", "the step of it").or(&["stepId"]),
            Argument::needed("summary", "text", "what happened, what matters, what is to follow")
                .or(&["summary_text", "summaryText"]),
            REPO,
        ],
        run: Run::Do(append_summary),
    },
    Op {
        name: "list_summaries",
        about: "the newest summaries of steps, the oldest of them first",
        args: &[Argument::maybe("n", "number", "how many, the newest; else 20"), REPO],
        run: Run::Do(list_summaries),
    },
];

fn append_summary(pipe: &mut Pipe<'_>, caller: &Caller, mut args: Args) -> Result<Told, PipeError> {
    let (run, step): (String, String) = (args.need("run_id")?, args.need("step_id")?);
    let text: String = args.need("summary")?;
    let act =
        |writer: &mut RepoWriter<'_, '_>, repo| writer.append_summary(repo, &run, &step, &text);
    operate(pipe, caller, &mut args, act)
}

fn list_summaries(pipe: &mut Pipe<'_>, _: &Caller, mut args: Args) -> Result<Told, PipeError> {
    let n = args.rows("n", 20)?;
    Told::of(&look(pipe, &mut args, |view, repo| view.summaries(repo, n))?)
}
