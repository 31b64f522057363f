//! Documents of debug memory: taken in, given out, checked, let go of.

use super::{SESSION, operate, session};
use crate::debug::{DebugWriter, validate};
use crate::output::wire;
use crate::pipe::{Args, Argument, Caller, Op, Pipe, PipeError, Run, Told};

const TEXT: Argument = Argument::needed(
    "documents",
    "text",
    "JSON or YAML: one document, a list, or the schema's file with its examples",
);
/// What documents of a request are called.
const WHAT: &str = "documents";

pub const OPS: &[Op] = &[
    Op {
        name: "debug_import",
        about: "take documents in: all of them, or none",
        args: &[
            TEXT,
            Argument::maybe(
                "replace",
                "true or false",
                "whether one that is here and reads otherwise is replaced",
            ),
        ],
        run: Run::Do(debug_import),
    },
    Op {
        name: "debug_export",
        about: "a debug session with everything that it rests on",
        args: &[SESSION],
        run: Run::Do(debug_export),
    },
    Op {
        name: "debug_validate",
        about: "whether documents are as the schema has them",
        args: &[
            TEXT,
            Argument::maybe("strict", "true or false", "whether ids are UUIDs and times are times"),
        ],
        run: Run::Do(debug_validate),
    },
    Op {
        name: "debug_expire",
        about: "let go of the sessions that were kept as long as the settings say",
        args: &[Argument::maybe("dry_run", "true or false", "only tell which")],
        run: Run::Do(debug_expire),
    },
];

fn debug_import(pipe: &mut Pipe<'_>, caller: &Caller, mut args: Args) -> Result<Told, PipeError> {
    let text: String = args.need(WHAT)?;
    let replace = args.take("replace")?.unwrap_or(false);
    operate(
        pipe,
        caller,
        |writer| writer.import(WHAT, text.as_bytes(), replace),
        |it| it.sequence,
        |it| wire::DebugImported::of(WHAT.to_owned(), it),
    )
}

fn debug_export(pipe: &mut Pipe<'_>, caller: &Caller, mut args: Args) -> Result<Told, PipeError> {
    let session = session(pipe, &mut args)?;
    operate(pipe, caller, |writer| writer.export(session), |_| None, |it| it)
}

fn debug_validate(_: &mut Pipe<'_>, _: &Caller, mut args: Args) -> Result<Told, PipeError> {
    let text: String = args.need(WHAT)?;
    let strict = args.take("strict")?.unwrap_or(false);
    let checked = validate(WHAT, text.as_bytes(), strict)?;
    let told = checked.into_iter().map(|it| wire::DebugValidated::of(WHAT, it));
    Told::of(&told.collect::<Vec<_>>())
}

fn debug_expire(pipe: &mut Pipe<'_>, caller: &Caller, mut args: Args) -> Result<Told, PipeError> {
    let dry_run = args.take("dry_run")?.unwrap_or(false);
    let act = |writer: &mut DebugWriter<'_, '_>| writer.expire(dry_run);
    let told = operate(
        pipe,
        caller,
        act,
        |_| None,
        |it| {
            let told = it.into_iter().map(|it| wire::DebugExpired::of(it, !dry_run));
            told.collect::<Vec<_>>()
        },
    )?;
    if !dry_run {
        pipe.project.journal()?.sync()?;
        pipe.recorded(1);
    }
    Ok(told)
}
