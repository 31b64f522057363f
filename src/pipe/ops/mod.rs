//! The operations of a pipe, a family a file.

pub mod debug;
pub mod executions;
pub mod gate;
pub mod history;
pub mod memory;
pub mod recording;
pub mod replies;
pub mod repo;
pub mod sessions;
pub mod timeline;
pub mod tools;

use serde::Serialize;

use crate::pipe::{Args, Argument, Caller, Op, Pipe, PipeError, Run, Told, registry};

// What a pipe can do.

pub const OPS: &[Op] = &[Op {
    name: "help",
    about: "what each operation does and takes",
    args: &[Argument::maybe("op", "text", "only this operation")],
    run: Run::Do(help),
}];

/// An operation as `help` tells it.
#[derive(Serialize)]
struct Helped {
    op: &'static str,
    family: &'static str,
    about: &'static str,
    args: &'static [Argument],
}

fn help(_: &mut Pipe<'_>, _: &Caller, mut args: Args) -> Result<Told, PipeError> {
    let only: Option<String> = args.take("op")?;
    if let Some(name) = &only {
        registry::find(name)?;
    }
    let mut told = Vec::new();
    for (family, ops) in registry::FAMILIES {
        let asked = ops.iter().filter(|op| only.as_ref().is_none_or(|only| only == op.name));
        told.extend(asked.map(|op| Helped { op: op.name, family, about: op.about, args: op.args }));
    }
    Told::of(&told)
}
