//! Looks at memory: nothing is recorded.

use super::BRANCH;
use crate::cli::memory::history;
use crate::cli::memory::look::Look;
use crate::event::Sequence;
use crate::journal::{Reading, clock};
use crate::memory::MemoryError;
use crate::memory::query::{self, MemoryLog, MemorySide};
use crate::output::wire::OfJournal;
use crate::pipe::{Answer, Pipe, PipeError, Rows, operations};

const LIMIT: &str = "at most so many, the newest; else 20";

operations! { OPS:
    act memory_branches = "the branches there are, the oldest first"
        {} => |pipe| {
            let found = look(pipe, |one| Ok(query::branches(&one.view)?))?.unwrap_or_default();
            Answer::list(found.into_iter().map(OfJournal::only))
        };

    act memory_diff = "what two branches see differently" {
        a: String = "a branch, or a node",
        b: String = "the other",
    } => |pipe| {
        let found = look(pipe, |one| {
            let side = |branch| MemorySide { view: one.view, branch, now_ms: one.now_ms };
            Ok(query::diff(&side(&one.named(&a)?), &side(&one.named(&b)?))?)
        })?;
        Answer::of(&found.ok_or_else(|| no_branch(&a))?)
    };

    act memory_log = "who wrote what, when, in which execution, the newest first" {
        branch | branch_id: Option<String> = BRANCH,
        inherited: bool = "what its ancestors were told as well",
        reads: bool = "reads as well",
        before: Option<u64> = "only before this event",
        limit: Rows<20> = LIMIT,
    } => |pipe| {
        let (before, limit, branches) = (before.map(Sequence), limit.0, Vec::new());
        let asked = MemoryLog { branches, writes_only: !reads, before, limit };
        let found = look(pipe, |one| {
            let branch = branch.as_deref().map(|name| one.named(name)).transpose()?;
            Ok(history::log(one, branch.as_deref(), inherited, &asked)?)
        })?;
        match (found, branch) {
            (None, Some(name)) => Err(no_branch(&name)),
            (found, _) => Answer::of(&found.unwrap_or_default()),
        }
    };

    act memory_why
        = "the events that made a key's value, or a record, what it is, the newest first"
    {
        branch | branch_id: Option<String> = BRANCH,
        key: Option<String> = "the key; with the branch that sees it",
        record_id: Option<u64> = "or a record of the archive",
        limit: Rows<20> = LIMIT,
    } => |pipe| match (key, record_id, branch) {
        (Some(key), None, Some(branch)) => {
            let of_key = |one: &Look<'_>| {
                Ok(history::of_key(one, &one.named(&branch)?, &key, limit.0)?)
            };
            Answer::of(&look(pipe, of_key)?.ok_or_else(|| no_branch(&branch))?)
        }
        (Some(_), None, None) => Err(PipeError::argument("branch", "is missing")),
        (None, Some(id), _) => {
            let found = look(pipe, |one| Ok(history::of_record(one, id, limit.0)?))?;
            let missing = || MemoryError::NoRecord { id: id.to_string() };
            Answer::of(&found.flatten().ok_or_else(missing)?)
        }
        _ => Err(PipeError::argument("key", "give it, or record_id: one of the two")),
    };
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
