//! Looks at memory: nothing is recorded.

use super::{BRANCH, branch};
use crate::cli::memory::history;
use crate::cli::memory::look::Look;
use crate::event::Sequence;
use crate::journal::{Reading, clock};
use crate::memory::MemoryError;
use crate::memory::query::{self, MemoryLog, MemorySide};
use crate::output::wire::OfJournal;
use crate::pipe::{Args, Argument, Caller, Op, Pipe, PipeError, Run, Told};

const LIMIT: Argument = Argument::maybe("limit", "number", "at most so many, the newest; else 20");

pub const OPS: &[Op] = &[
    Op {
        name: "memory_branches",
        about: "the branches there are, the oldest first",
        args: &[],
        run: Run::Do(branches),
    },
    Op {
        name: "memory_diff",
        about: "what two branches see differently",
        args: &[
            Argument::needed("a", "text", "a branch, or a node"),
            Argument::needed("b", "text", "the other"),
        ],
        run: Run::Do(diff),
    },
    Op {
        name: "memory_log",
        about: "who wrote what, when, in which execution, the newest first",
        args: &[
            Argument { required: false, ..BRANCH },
            Argument::maybe("inherited", "true or false", "what its ancestors were told as well"),
            Argument::maybe("reads", "true or false", "reads as well"),
            Argument::maybe("before", "number", "only before this event"),
            LIMIT,
        ],
        run: Run::Do(log_of),
    },
    Op {
        name: "memory_why",
        about: "the events that made a key's value, or a record, what it is, the newest first",
        args: &[
            Argument { required: false, ..BRANCH },
            Argument::maybe("key", "text", "the key; with the branch that sees it"),
            Argument::maybe("record_id", "number", "or a record of the archive"),
            LIMIT,
        ],
        run: Run::Do(why_of),
    },
];

/// Looks at the project's memory as it is; nothing where nothing was ever remembered.
fn look<T>(
    pipe: &mut Pipe<'_>,
    look: impl FnOnce(&Look<'_>) -> Result<T, PipeError>,
) -> Result<Option<T>, PipeError> {
    let (path, config) = (pipe.project.journal_dir(), pipe.project.config().memory.clone());
    let stores = pipe.all_stores()?;
    let Some(memory) = stores.memory()? else { return Ok(None) };
    let (view, now_ms, config) = (memory.view(), clock::now_ms(), &config);
    let (path, reading) = (path.as_path(), Reading::Live);
    look(&Look { journal: None, path, reading, stores, view, now_ms, config }).map(Some)
}

fn no_branch(name: &str) -> PipeError {
    MemoryError::NoBranch { name: name.to_owned() }.into()
}

fn branches(pipe: &mut Pipe<'_>, _: &Caller, _: Args) -> Result<Told, PipeError> {
    let found = look(pipe, |one| Ok(query::branches(&one.view)?))?.unwrap_or_default();
    Told::of(&found.into_iter().map(OfJournal::only).collect::<Vec<_>>())
}

fn diff(pipe: &mut Pipe<'_>, _: &Caller, mut args: Args) -> Result<Told, PipeError> {
    let (a, b): (String, String) = (args.need("a")?, args.need("b")?);
    let found = look(pipe, |one| {
        let (a, b) = (one.named(&a)?, one.named(&b)?);
        let side = |branch| MemorySide { view: one.view, branch, now_ms: one.now_ms };
        Ok(query::diff(&side(&a), &side(&b))?)
    })?;
    Told::of(&found.ok_or_else(|| no_branch(&a))?)
}

fn log_of(pipe: &mut Pipe<'_>, _: &Caller, mut args: Args) -> Result<Told, PipeError> {
    let branch: Option<String> = args.take("branch")?;
    let inherited = args.take("inherited")?.unwrap_or(false);
    let asked = MemoryLog {
        branches: Vec::new(),
        writes_only: !args.take("reads")?.unwrap_or(false),
        before: args.take("before")?.map(Sequence),
        limit: args.rows("limit", 20)?,
    };
    let found = look(pipe, |one| {
        let branch = branch.as_deref().map(|name| one.named(name)).transpose()?;
        Ok(history::log(one, branch.as_deref(), inherited, &asked)?)
    })?;
    match (found, branch) {
        (None, Some(name)) => Err(no_branch(&name)),
        (found, _) => Told::of(&found.unwrap_or_default()),
    }
}

fn why_of(pipe: &mut Pipe<'_>, _: &Caller, mut args: Args) -> Result<Told, PipeError> {
    let (key, record): (Option<String>, Option<u64>) = (args.take("key")?, args.take("record_id")?);
    let limit = args.rows("limit", 20)?;
    match (key, record) {
        (Some(key), None) => {
            let branch = branch(&mut args)?;
            let found =
                look(pipe, |one| Ok(history::of_key(one, &one.named(&branch)?, &key, limit)?))?;
            Told::of(&found.ok_or_else(|| no_branch(&branch))?)
        }
        (None, Some(id)) => {
            let found = look(pipe, |one| Ok(history::of_record(one, id, limit)?))?;
            let missing = || MemoryError::NoRecord { id: id.to_string() };
            let found = found.flatten().ok_or_else(missing)?;
            Told::of(&found)
        }
        _ => Err(PipeError::argument("key", "give it, or record_id: one of the two")),
    }
}
