//! Memory from the past, from a file, to a file.

use std::path::PathBuf;

use crate::cli::memory::fork;
use crate::memory::store::MemoryView;
use crate::memory::{Asker, MemoryError, export_memory};
use crate::output::wire::memory as wire;
use crate::pipe::{Args, Argument, Caller, Op, Pipe, PipeError, Run, Told};

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
    let found = fork::then(pipe.context);
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
    Ok(Told::of(&wire::Forked::of(&forked))?.at(appended.map(|appended| appended.last.0)))
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
    Ok(Told::of(&wire::Imported::of(&done))?.at(appended.map(|appended| appended.last.0)))
}

fn export(pipe: &mut Pipe<'_>, _: &Caller, mut args: Args) -> Result<Told, PipeError> {
    let file: PathBuf = args.need("file")?;
    let Some(memory) = pipe.all_stores()?.memory()? else {
        return Err(PipeError::new("not_found", "nothing is remembered yet"));
    };
    Told::of(&wire::Exported::of(&file, &export_memory(&memory.view(), &file)?))
}
