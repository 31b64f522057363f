//! Branch memory (spec 003): the public functions, the primitives beneath, and what is above them.

pub mod archival;
pub mod care;
pub mod core;
pub mod looks;
pub mod node;
pub mod recall;
pub mod system;

use std::path::PathBuf;

use serde::Deserialize;
use serde_json::Value;

use crate::cli::memory::branches;
use crate::memory::store::MemoryView;
use crate::memory::{Asker, MemoryError, RecallGiven, export_memory};
use crate::parse::reply::{ArchivalChange, ArchivalWrite, Updates};
use crate::pipe::{Args, Argument, Caller, Op, Pipe, PipeError, Run, Told};

/// Which branch an operation is on.
const BRANCH: Argument =
    Argument::needed("branch", "text", "the branch, or a node's name").or(&["branch_id"]);
const K: Argument = Argument::maybe("k", "number", "at most so many");
const TAGS: Argument = Argument::maybe("tags", "list of texts", "tags");

fn branch(args: &mut Args) -> Result<String, PipeError> {
    args.need("branch")
}

// Memory from the past, from a file, to a file.

pub const OPS: &[Op] = &[
    Op {
        name: "memory_fork_at",
        about: "make a branch from what another saw in the past: a root with copies",
        args: &[
            Argument::needed("branch", "text", "the new branch's name").or(&["branch_id"]),
            Argument::needed("from", "text", "the branch, or the node, that saw it"),
            Argument::needed("at", "text", "then: @4711, 142, 2h, an RFC 3339 time"),
            Argument::maybe("node_id", "text", "the node that it stands for"),
        ],
        run: Run::Do(fork_at),
    },
    Op {
        name: "memory_import",
        about: "move a memory.sqlite of the reference implementation here",
        args: &[Argument::needed("file", "text", "the file")],
        run: Run::Do(import),
    },
    Op {
        name: "memory_export",
        about: "write memory as a new memory.sqlite of the reference implementation",
        args: &[Argument::needed("file", "text", "the new file")],
        run: Run::Do(export),
    },
];

fn asker(pipe: &mut Pipe<'_>, caller: &Caller) -> Result<Asker, PipeError> {
    if caller.session.is_some() {
        pipe.introduce(caller)?;
    }
    Ok(Asker::of(caller.session.as_ref().map(|_| caller.id())))
}

fn fork_at(pipe: &mut Pipe<'_>, caller: &Caller, mut args: Args) -> Result<Told, PipeError> {
    let (branch, from): (String, String) = (args.need("branch")?, args.need("from")?);
    let (at, node): (String, Option<String>) = (args.need("at")?, args.take("node_id")?);
    let asker = asker(pipe, caller)?;
    pipe.rest();
    pipe.context.at = Some(at);
    let found = branches::then(pipe.context);
    pipe.context.at = None;
    let (then, through) = found?;
    let no_branch = || MemoryError::NoBranch { name: from.clone() };
    let seen = then.stores.memory()?.ok_or_else(no_branch)?;
    let view: MemoryView<'_> = seen.view();
    let (forked, appended) = pipe.memory(|memory| {
        let forked = memory.operate(&asker, |operation| {
            operation.fork_at(&branch, node.as_deref(), &from, &view, through)
        })?;
        Ok((forked, memory.appended()))
    })?;
    Ok(Told::of(&forked)?.at(appended.map(|appended| appended.last.0)))
}

fn import(pipe: &mut Pipe<'_>, caller: &Caller, mut args: Args) -> Result<Told, PipeError> {
    let file: PathBuf = args.need("file")?;
    let asker = asker(pipe, caller)?;
    let (done, appended) = pipe.memory(|memory| {
        let done = memory.import(asker.session, &file)?;
        Ok((done, memory.appended()))
    })?;
    // Several commits.
    pipe.others_recorded();
    Ok(Told::of(&done)?.at(appended.map(|appended| appended.last.0)))
}

fn export(pipe: &mut Pipe<'_>, _: &Caller, mut args: Args) -> Result<Told, PipeError> {
    let file: PathBuf = args.need("file")?;
    let Some(memory) = pipe.all_stores()?.memory()? else {
        return Err(PipeError::new("not_found", "nothing is remembered yet"));
    };
    Told::of(&export_memory(&memory.view(), &file)?)
}

/// Spec 003's "Event dict format", and what ruling 11 takes for it.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Event {
    ts: Option<f64>,
    run_id: Option<String>,
    node_id: Option<String>,
    branch_id: Option<String>,
    phase: Option<String>,
    kind: Option<String>,
    #[serde(alias = "text", alias = "content")]
    summary: String,
    refs: Vec<String>,
    tags: Vec<String>,
    task_hint: Option<String>,
    memory_size: Option<u64>,
}

impl Event {
    /// Whose it is, where it says so.
    pub fn branch(&self) -> Option<&str> {
        self.branch_id.as_deref().or(self.node_id.as_deref())
    }
}

impl From<Event> for RecallGiven {
    fn from(event: Event) -> Self {
        Self {
            ts: event.ts,
            run_id: event.run_id,
            node_id: event.node_id,
            branch_id: event.branch_id,
            phase: event.phase,
            kind: event.kind,
            summary: event.summary,
            refs: event.refs,
            tags: event.tags,
            task_hint: event.task_hint,
            memory_size: event.memory_size,
        }
    }
}

/// Records to write, read as a model's are.
pub fn records(value: Value) -> Result<Vec<ArchivalWrite>, PipeError> {
    Ok(Updates::of(&serde_json::json!({ "archival": value }))?.archival)
}

/// A record to change, read as a model's is.
pub fn change(value: Value) -> Result<ArchivalChange, PipeError> {
    let updates = Updates::of(&serde_json::json!({ "archival_update": [value] }))?;
    let change = updates.archival_update.into_iter().next();
    change.ok_or_else(|| PipeError::argument("record_id", "is missing"))
}
