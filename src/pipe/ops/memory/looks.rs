//! Looks at memory: nothing is recorded.

use super::BRANCH;
use crate::cli::memory::history;
use crate::cli::memory::look::Look;
use crate::event::Sequence;
use crate::journal::{Reading, clock};
use crate::memory::MemoryError;
use crate::memory::query::{self, MemoryLog, MemorySide};
use crate::output::wire::OfJournal;
use crate::pipe::{Answer, Answered, Pipe, PipeError, Rows, arguments, operations};

operations! { OPS:
    act memory_branches(()) = "the branches there are, the oldest first";
    act memory_diff(Diff) = "what two branches see differently";
    act memory_log(Log) = "who wrote what, when, in which execution, the newest first";
    act memory_why(Why)
        = "the events that made a key's value, or a record, what it is, the newest first";
}

const LIMIT: &str = "at most so many, the newest; else 20";

arguments! {
    struct Diff {
        a: String = "a branch, or a node",
        b: String = "the other",
    }

    struct Log {
        branch | branch_id: Option<String> = BRANCH,
        inherited: bool = "what its ancestors were told as well",
        reads: bool = "reads as well",
        before: Option<u64> = "only before this event",
        limit: Rows<20> = LIMIT,
    }

    struct Why {
        branch | branch_id: Option<String> = BRANCH,
        key: Option<String> = "the key; with the branch that sees it",
        record_id: Option<u64> = "or a record of the archive",
        limit: Rows<20> = LIMIT,
    }
}

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

fn memory_branches(pipe: &mut Pipe<'_>, (): ()) -> Answered {
    let found = look(pipe, |one| Ok(query::branches(&one.view)?))?.unwrap_or_default();
    Answer::list(found.into_iter().map(OfJournal::only))
}

fn memory_diff(pipe: &mut Pipe<'_>, asked: Diff) -> Answered {
    let found = look(pipe, |one| {
        let (a, b) = (one.named(&asked.a)?, one.named(&asked.b)?);
        let side = |branch| MemorySide { view: one.view, branch, now_ms: one.now_ms };
        Ok(query::diff(&side(&a), &side(&b))?)
    })?;
    Answer::of(&found.ok_or_else(|| no_branch(&asked.a))?)
}

fn memory_log(pipe: &mut Pipe<'_>, asked: Log) -> Answered {
    let Log { branch, inherited, reads, before, limit } = asked;
    let asked = MemoryLog {
        branches: Vec::new(),
        writes_only: !reads,
        before: before.map(Sequence),
        limit: limit.0,
    };
    let found = look(pipe, |one| {
        let branch = branch.as_deref().map(|name| one.named(name)).transpose()?;
        Ok(history::log(one, branch.as_deref(), inherited, &asked)?)
    })?;
    match (found, branch) {
        (None, Some(name)) => Err(no_branch(&name)),
        (found, _) => Answer::of(&found.unwrap_or_default()),
    }
}

fn memory_why(pipe: &mut Pipe<'_>, asked: Why) -> Answered {
    let limit = asked.limit.0;
    match (asked.key, asked.record_id, asked.branch) {
        (Some(key), None, Some(branch)) => {
            let found =
                look(pipe, |one| Ok(history::of_key(one, &one.named(&branch)?, &key, limit)?))?;
            Answer::of(&found.ok_or_else(|| no_branch(&branch))?)
        }
        (Some(_), None, None) => Err(PipeError::argument("branch", "is missing")),
        (None, Some(id), _) => {
            let found = look(pipe, |one| Ok(history::of_record(one, id, limit)?))?;
            let missing = || MemoryError::NoRecord { id: id.to_string() };
            let found = found.flatten().ok_or_else(missing)?;
            Answer::of(&found)
        }
        _ => Err(PipeError::argument("key", "give it, or record_id: one of the two")),
    }
}
